// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// The host and port of a URL (RFC 3986 section 3.2, RFC 9110 section 4.2).
enum Authority {
    /// Returns an authority without the colon of an empty port. Throws an error unless it is a host with an optional
    /// port.
    static func checked(_ authority: Substring, in url: String) throws(ClientError) -> String {
        func refuse(_ why: String) -> ClientError {
            ClientError(.invalidURL, "\(SecretQuery.quoted(url)) \(why)")
        }
        func quoted(_ part: Substring) -> String {
            // The part might be the start of a password that contains a slash.
            url.utf8.contains(UInt8(ascii: "@")) ? "before its @" : part.debugDescription
        }
        if authority.utf8.contains(UInt8(ascii: "@")) {
            // The message does not contain the URL, because of the password.
            throw ClientError(
                .invalidURL,
                "expected a URL without a user name (RFC 9110 section 4.2.4); use an Authorization header instead"
            )
        }
        let parts = HostAndPort(authority)
        let (host, port) = (parts.host, parts.port)
        if let port, !port.isEmpty, !isPort(port) {
            throw refuse("has an invalid port \(quoted(port)): expected 1 to 65535")
        }
        if host.utf8.first == UInt8(ascii: "[") {
            guard host.utf8.last == UInt8(ascii: "]"),
                IPAddress.version6(Substring(host.utf8.dropFirst().dropLast())) != nil
            else {
                throw refuse("has an invalid host \(quoted(host)): expected an IPv6 address in brackets")
            }
        } else if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            throw refuse("has an invalid host \(quoted(host)): expected ASCII, as in xn--mnchen-3ya.example")
        } else if !isHost(host) {
            throw refuse("has an invalid host \(quoted(host)): expected a name or an address")
        }
        return String(port?.isEmpty == true ? host : authority)
    }

    private static func isPort(_ text: Substring) -> Bool {
        1...65535 ~= Int(digits: text.utf8, 1...5) ?? 0
    }

    /// Whether the text is an IPv4 address, or a host name as used in practice: letters, digits, and hyphens, and also
    /// underscores (RFC 1123 section 2.1, RFC 1035 section 2.3.4).
    private static func isHost(_ host: Substring) -> Bool {
        // A dot at the end marks a fully qualified name.
        let name = host.utf8.last == UInt8(ascii: ".") ? host.utf8.dropLast() : host.utf8[...]
        if endsInNumber(name) { return IPAddress.version4(Substring(name)) != nil }
        return (1...253).contains(name.count)
            && name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.allSatisfy(isNameByte)
            }
    }

    /// Whether the last label is a number, decimal or hexadecimal. Systems and browsers then read the host as an IPv4
    /// address, and `0x7f000001` or `127.1` as this machine's (WHATWG URL, "ends in a number checker").
    private static func endsInNumber(_ name: Substring.UTF8View) -> Bool {
        let label = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? name
        if label.first == UInt8(ascii: "0"), label.dropFirst().first.map({ $0 | 0x20 }) == UInt8(ascii: "x") {
            return label.dropFirst(2).allSatisfy { hexadecimalValue($0) != nil }
        }
        return !label.isEmpty && label.allSatisfy(isDigit)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { isWordByte(byte) || byte == UInt8(ascii: "-") }
}
