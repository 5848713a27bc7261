// SPDX-License-Identifier: Apache-2.0

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
        return port.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) } ? port : ""
    }

    /// Whether a name is `localhost` or a numeric loopback address.
    package static func isLoopback(_ name: String) -> Bool { name == "localhost" || isLoopbackAddress(name) }

    /// Whether a name is a numeric loopback address, in the form in which the system and browsers write it.
    static func isLoopbackAddress(_ name: String) -> Bool {
        if name == "::1" { return true }
        // A socket that accepts both families shows an IPv4 client in this form (RFC 4291 section 2.5.5.2).
        let address = name.hasPrefix("::ffff:") ? name.dropFirst(7) : name[...]
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && UInt8(part) != nil
            }
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
