// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// The scheme, host and port of a server. Requests to the same origin share connections (RFC 9110 section 4.3.1).
public struct Origin: Hashable, Sendable {
    /// Whether connections use TLS: true for `https`, false for `http`.
    public var isSecure: Bool
    /// The host name or address, without the brackets of an IPv6 address.
    public var host: String
    /// The port number.
    public var port: UInt16

    /// Creates an origin.
    public init(isSecure: Bool, host: String, port: UInt16) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }
}

extension Origin {
    /// Whether the port is the scheme's default (RFC 9110 sections 4.2.1 and 4.2.2).
    private var isPortUsual: Bool { port == (isSecure ? 443 : 80) }

    /// Appends `host` or `host:port`, in the form used in `Host` and in request targets.
    package func appendAuthority(to bytes: inout [UInt8], withPort: Bool = false) {
        if host.utf8.contains(UInt8(ascii: ":")) {
            bytes.append(UInt8(ascii: "["))
            // A zone is meaningful only on this machine (RFC 6874 section 4).
            bytes += host.utf8.prefix { $0 != UInt8(ascii: "%") }
            bytes.append(UInt8(ascii: "]"))
        } else {
            bytes += host.utf8
        }
        guard withPort || !isPortUsual else { return }
        bytes.append(UInt8(ascii: ":"))
        RequestHeadEncoder.appendNumber(Int(port), to: &bytes)
    }

    /// The host and port as `host:port`.
    var authorityWithPort: String {
        var bytes: [UInt8] = []
        appendAuthority(to: &bytes, withPort: true)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Origin: CustomStringConvertible {
    /// The origin as in a URL, such as `https://example.com` or `http://[::1]:8080`.
    public var description: String {
        var bytes = Array((isSecure ? "https://" : "http://").utf8)
        appendAuthority(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
