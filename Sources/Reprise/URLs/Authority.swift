// SPDX-License-Identifier: Apache-2.0

/// The host and port of a URL (RFC 3986 section 3.2, RFC 9110 section 4.2).
enum Authority {
    /// Throws unless `authority` is a host, with a port or without.
    static func check(_ authority: Substring, in url: String) throws(ClientError) {
        func refuse(_ why: String) -> ClientError {
            ClientError(.invalidURL, "\(SecretQuery.quoted(url)) \(why)")
        }
        func quoted(_ part: Substring) -> String {
            // The start of a password with a slash in it, perhaps.
            url.utf8.contains(UInt8(ascii: "@")) ? "that ends in front of its @" : part.debugDescription
        }
        if authority.utf8.contains(UInt8(ascii: "@")) {
            // The URL is not repeated here, because of the password.
            throw ClientError(
                .invalidURL,
                "the URL has a user name: RFC 9110 section 4.2.4 forbids it; send an Authorization header instead"
            )
        }
        let (host, port) = split(authority)
        if let port, !isPort(port) { throw refuse("has the port \(quoted(port)): expected 1 to 65535") }
        if host.utf8.first == UInt8(ascii: "[") {
            guard host.utf8.last == UInt8(ascii: "]"), IPv6Address.isValid(Substring(host.utf8.dropFirst().dropLast()))
            else {
                throw refuse("has the host \(quoted(host)), which is no IPv6 address in brackets")
            }
        } else if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            throw refuse("has the host \(quoted(host)): write it in ASCII, as in xn--mnchen-3ya.example")
        } else if !isHost(host) {
            throw refuse("has the host \(quoted(host)): expected a name or an address")
        }
    }

    /// The host, with the brackets of an IPv6 address, and what is behind its colon.
    static func split(_ authority: Substring) -> (host: Substring, port: Substring?) {
        let bytes = authority.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), bytes.last != UInt8(ascii: "]") else {
            return (authority, nil)
        }
        return (authority[..<colon], authority[bytes.index(after: colon)...])
    }

    private static func isPort(_ text: Substring) -> Bool {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        return (1...65535).contains(Int(text) ?? 0)
    }

    /// Names as they are in use: the letters, digits and hyphens of host names, and underscores (RFC 1123 section 2.1,
    /// RFC 1035 section 2.3.4).
    private static func isHost(_ host: Substring) -> Bool {
        // One dot at the end says that the name is complete.
        let name = host.utf8.last == UInt8(ascii: ".") ? host.utf8.dropLast() : host.utf8[...]
        return (1...253).contains(name.count)
            && name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.allSatisfy(isNameByte)
            }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The text of an IPv6 address (RFC 4291 section 2.2).
enum IPv6Address {
    /// Whether `text`, without brackets and zone, is one.
    static func isValid(_ text: Substring) -> Bool {
        var groups = text.split(separator: ":", omittingEmptySubsequences: false).map { Array($0) }
        // Two colons stand for as many zeros as are missing, once; at an end they leave two empty groups.
        let isShort = text.contains("::")
        guard groups.count >= 3 else { return false }
        if groups.first?.isEmpty == true {
            guard groups[1].isEmpty else { return false }
            groups.removeFirst()
        }
        if groups.last?.isEmpty == true {
            guard groups[groups.count - 2].isEmpty else { return false }
            groups.removeLast()
        }
        guard groups.count(where: \.isEmpty) == (isShort ? 1 : 0) else { return false }
        var size = groups.count(where: { !$0.isEmpty })
        if let last = groups.last, last.contains(".") {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            size += 1
        }
        return groups.allSatisfy { $0.count <= 4 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
            && (isShort ? size <= 7 : size == 8)
    }

    private static func isIPv4(_ text: [Character]) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy { $0.isASCII && $0.isNumber }
                    && (part.count == 1 || part.first != "0") && (Int(String(part)) ?? 256) < 256
            }
    }
}
