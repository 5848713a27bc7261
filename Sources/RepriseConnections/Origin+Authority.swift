// SPDX-License-Identifier: Apache-2.0

private import RepriseText
private import RepriseWire

extension Origin {
    /// Creates the origin of a URL (RFC 9110 section 4.2).
    ///
    /// - Parameters:
    ///   - scheme: `http` or `https`, ignoring case.
    ///   - authority: `host` or `host:port`, with an IPv6 address in brackets.
    /// - Returns: Nil if the scheme is neither of these, the host is missing or malformed, or the port is invalid.
    public init?(scheme: String, authority: String) {
        switch scheme.lowercased() {
        case "http": isSecure = false
        case "https": isSecure = true
        default: return nil
        }
        let bytes = ContiguousArray(authority.utf8)
        guard AuthoritySyntax.isValid(0..<bytes.count, of: bytes.span) else { return nil }
        let parts = HostAndPort(authority[...])
        port = isSecure ? 443 : 80
        if let digits = parts.port, !digits.isEmpty {
            guard let number = UInt16(digits), number > 0 else { return nil }
            port = number
        }
        host = parts.host.withoutBrackets.lowercased()
        // The other literals in brackets are those of future versions of IP (RFC 3986 section 3.2.2).
        if parts.host.utf8.first == UInt8(ascii: "["), IPAddress(host) == nil { return nil }
    }

    /// Whether a text is a name or an address to which connections can be made, in the form of ``host``. A name does
    /// not end in a number, which only addresses do.
    package static func isHost(_ text: String) -> Bool {
        IPAddress(text) != nil
            || HostAndPort.isHostName(text.utf8, allowsUnderscores: true)
                && text.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }.contains { !(0x30...0x39 ~= $0) }
    }
}
