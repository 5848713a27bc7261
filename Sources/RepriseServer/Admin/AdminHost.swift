// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Host names and origins, in the form in which the admin API compares them.
package enum AdminHost {
    /// Returns the name in a host with an optional port.
    static func name(ofAuthority authority: String) -> String {
        let bytes = Array(authority.utf8)
        let host = CanonicalHost.portColon(bytes.span).map { bytes[..<$0] } ?? bytes[...]
        return HostAndPort.name(String(decoding: host, as: UTF8.self))
    }

    /// Whether a name is `localhost` or a numeric loopback address.
    package static func isLoopback(_ name: String) -> Bool { name == "localhost" || isLoopbackAddress(name) }

    static func isLoopbackAddress(_ name: String) -> Bool { IPAddress(name)?.isLoopback ?? false }

    /// Whether a name is the unspecified address, which means all addresses of the machine: `0.0.0.0` or `::`.
    static func isUnspecified(_ name: String) -> Bool { IPAddress(name)?.isUnspecified ?? false }

    /// Returns the loopback address of the same family as an address.
    static func loopback(for name: String) -> String { name.utf8.contains(UInt8(ascii: ":")) ? "::1" : "127.0.0.1" }

    /// Returns the loopback address of the same family for an unspecified address, and otherwise the name.
    package static func reachable(_ name: String) -> String { isUnspecified(name) ? loopback(for: name) : name }

    /// Returns the origin of the pages at a host with an optional port (RFC 6454 section 6.2).
    static func origin(scheme: String, authority: String) -> String {
        let host = CanonicalHost.host(Array(authority.utf8)[...], scheme: Array(scheme.utf8)) ?? []
        return "\(scheme)://\(String(decoding: host, as: UTF8.self))"
    }

    /// Returns the value of an Origin field in the form of ``origin(scheme:authority:)``.
    static func normalized(origin: String) -> String? {
        let text = origin.lowercased()
        for scheme in ["http", "https"] where text.hasPrefix("\(scheme)://") {
            return Self.origin(scheme: scheme, authority: String(text.dropFirst(scheme.count + 3)))
        }
        return nil
    }
}
