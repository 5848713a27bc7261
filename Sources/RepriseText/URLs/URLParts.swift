// SPDX-License-Identifier: Apache-2.0

/// The parts of a request's URL as written: an absolute URL (RFC 3986), or a path with an optional query.
package struct URLParts {
    /// The scheme in lower case; `nil` if the URL is only a path.
    package var scheme: [UInt8]?
    /// The authority without user information; `nil` if the URL is only a path.
    package var authority: ArraySlice<UInt8>?
    /// The path. An empty path means `/`.
    package var path: ArraySlice<UInt8>
    /// The query without its `?`.
    package var query: ArraySlice<UInt8>?

    /// Splits `url`. A fragment is dropped because it is never sent.
    package init(_ url: [UInt8]) {
        var rest = url[...]
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        guard let colon = Self.endOfScheme(rest) else {
            path = rest
            return
        }
        scheme = rest[..<colon].map(\.asciiLowercased)
        rest = rest[(colon + 3)...]
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        self.authority = authority
        path = rest[end...]
    }

    /// Returns the index of the colon if the URL starts with `scheme://`.
    private static func endOfScheme(_ url: ArraySlice<UInt8>) -> Int? {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")), colon > url.startIndex,
            url[colon...].starts(with: "://".utf8),
            url[..<colon].allSatisfy({ isSchemeByte($0) })
        else { return nil }
        return colon
    }

    /// Whether a byte can be part of a scheme (RFC 3986 section 3.1).
    package static func isSchemeByte(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "+-.".utf8.contains(byte) }
}

/// The authority in the form used to compare requests.
package enum CanonicalHost {
    /// Returns `authority` in lower case, without the default port of `scheme`. Returns `nil` if the result is empty.
    package static func host(_ authority: ArraySlice<UInt8>, scheme: [UInt8]?) -> [UInt8]? {
        var host = authority.map(\.asciiLowercased)
        let port = isSecure(scheme: scheme) ? ":443" : ":80"
        if scheme != nil, host.suffix(port.utf8.count).elementsEqual(port.utf8) {
            host.removeLast(port.utf8.count)
        } else if host.last == UInt8(ascii: ":") {
            host.removeLast()
        }
        return host.isEmpty ? nil : host
    }

    /// Whether a scheme in lower case is one that uses TLS.
    package static func isSecure(scheme: [UInt8]?) -> Bool {
        scheme == Array("https".utf8) || scheme == Array("wss".utf8)
    }

    /// Returns the index of the colon before the port of `host`, if it has a port. Colons inside the brackets of an
    /// IPv6 address are ignored.
    package static func portColon(_ host: Span<UInt8>) -> Int? {
        var index = host.count - 1
        while index >= 0, isDigit(host[index]) { index -= 1 }
        return index >= 0 && host[index] == UInt8(ascii: ":") ? index : nil
    }
}
