// SPDX-License-Identifier: Apache-2.0

/// A host with an optional port, as in a URL or a Host field (RFC 3986 section 3.2).
package struct HostAndPort {
    /// The host, with the brackets of an IPv6 address.
    package let host: Substring
    /// The text after the colon; `nil` if there is no colon.
    package let port: Substring?

    /// Splits an authority without user information.
    package init(_ authority: Substring) {
        let bytes = authority.utf8
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !bytes[colon...].contains(UInt8(ascii: "]")) {
            (host, port) = (authority[..<colon], authority[bytes.index(after: colon)...])
        } else {
            (host, port) = (authority, nil)
        }
    }

    /// Returns a name or an address in the form in which hosts are compared: in lowercase, without brackets, and without
    /// the dot that ends a complete name.
    package static func name(_ host: some StringProtocol) -> String {
        let name = host.lowercased()[...].withoutBrackets
        return String(name.utf8.last == UInt8(ascii: ".") ? name.dropLast() : name)
    }

    /// Whether a name has the form of a host name (RFC 1123 section 2.1).
    package static func isHostName(_ name: some BidirectionalCollection<UInt8>, allowsUnderscores: Bool = false) -> Bool
    {
        guard !name.isEmpty, name.count <= 253 else { return false }
        let hyphen = UInt8(ascii: "-")
        return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy {
                    isAlphanumeric($0) || $0 == hyphen || (allowsUnderscores && $0 == UInt8(ascii: "_"))
                }
        }
    }
}

extension Substring {
    /// The host without the brackets that an IPv6 address has in a URL.
    package var withoutBrackets: Substring {
        let hasBrackets = utf8.count > 1 && utf8.first == UInt8(ascii: "[") && utf8.last == UInt8(ascii: "]")
        return hasBrackets ? Substring(utf8.dropFirst().dropLast()) : self
    }
}
