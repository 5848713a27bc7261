// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Host names and origins, in the form in which the admin API compares them.
package enum AdminHost {
    /// Returns a name or an address in lowercase, without brackets and without the dot that ends a complete name.
    package static func name(_ host: some StringProtocol) -> String {
        var name = host.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { return String(name.dropFirst().dropLast()) }
        if name.hasSuffix(".") { name.removeLast() }
        return name
    }

    /// Returns the name in a host with an optional port.
    static func name(ofAuthority authority: String) -> String {
        name(authority.dropLast(port(of: authority).count))
    }

    /// The port with its colon; empty if there is none.
    private static func port(of authority: String) -> Substring {
        guard let colon = authority.lastIndex(of: ":") else { return "" }
        let port = authority[colon...]
        return port.dropFirst().utf8.allSatisfy(isDigit) ? port : ""
    }

    /// Whether a name is `localhost` or a numeric loopback address.
    package static func isLoopback(_ name: String) -> Bool { name == "localhost" || isLoopbackAddress(name) }

    static func isLoopbackAddress(_ name: String) -> Bool { IPAddress(name)?.isLoopback ?? false }

    /// Whether a name is the unspecified address, which means all addresses of the machine: `0.0.0.0` or `::`.
    static func isUnspecified(_ name: String) -> Bool { IPAddress(name)?.isUnspecified ?? false }

    /// Returns the loopback address of the same family for an unspecified address, and otherwise the name.
    package static func reachable(_ name: String) -> String {
        isUnspecified(name) ? name.utf8.contains(UInt8(ascii: ":")) ? "::1" : "127.0.0.1" : name
    }

    /// Returns the origin of the pages at a host with an optional port (RFC 6454 section 6.2).
    static func origin(scheme: String, authority: String) -> String {
        let port = port(of: authority)
        let isDefault = port == ":" || port == (scheme == "https" ? ":443" : ":80")
        return "\(scheme)://\((isDefault ? authority.dropLast(port.count) : authority[...]).lowercased())"
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
