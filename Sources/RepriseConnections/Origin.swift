// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// Where requests go: the scheme, host and port that share connections (RFC 9110 section 4.3.1).
public struct Origin: Hashable, Sendable {
    /// Whether the connection is protected by TLS: `https`, not `http`.
    public var isSecure: Bool
    /// The host name or address, without the brackets of an IPv6 address.
    public var host: String
    /// The port.
    public var port: UInt16

    /// An origin.
    public init(isSecure: Bool, host: String, port: UInt16) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }
}

extension Origin {
    /// The port that goes without saying (RFC 9110 sections 4.2.1 and 4.2.2).
    private var isPortUsual: Bool { port == (isSecure ? 443 : 80) }

    /// `host` or `host:port`, as `Host` and the targets of requests have it.
    func appendAuthority(to bytes: inout [UInt8], withPort: Bool = false) {
        if host.utf8.contains(UInt8(ascii: ":")) {
            bytes.append(UInt8(ascii: "["))
            // A zone means something on this machine only (RFC 6874 section 4).
            bytes += host.utf8.prefix { $0 != UInt8(ascii: "%") }
            bytes.append(UInt8(ascii: "]"))
        } else {
            bytes += host.utf8
        }
        guard withPort || !isPortUsual else { return }
        bytes.append(UInt8(ascii: ":"))
        RequestHeadEncoder.appendNumber(Int(port), to: &bytes)
    }

    /// `host:port`.
    var authorityWithPort: String {
        var bytes: [UInt8] = []
        appendAuthority(to: &bytes, withPort: true)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Origin: CustomStringConvertible {
    /// As in a URL: `https://example.com`, `http://[::1]:8080`.
    public var description: String {
        var bytes = Array((isSecure ? "https://" : "http://").utf8)
        appendAuthority(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
