// SPDX-License-Identifier: Apache-2.0

/// The parts of a URL or a relative reference, as written (RFC 3986 section 4.1).
package struct URLReference: Hashable, Sendable {
    /// The text before `:` in lowercase, or nil in a relative reference.
    package var scheme: String?
    /// The text after `//`, or nil if there is none.
    package var authority: String?
    /// The path, which can be empty.
    package var path: Substring
    /// The text after `?`, or nil if there is none.
    package var query: Substring?
    /// The text after `#`, or nil if there is none.
    package var fragment: Substring?

    /// Splits text into the parts of a reference (RFC 3986 appendix B). Any text can be split. The parts are not
    /// validated.
    package init(_ text: String) {
        // By bytes, because a delimiter followed by a combining accent is a single `Character`.
        var rest = text[...]
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[rest.utf8.index(after: hash)...]
            rest = rest[..<hash]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = Substring(rest.utf8.dropFirst(2))
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = rest
    }

    /// Resolves the reference against a base URL (RFC 3986 section 5.2.2).
    package func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil {
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.withoutDotSegments(path)
        } else {
            target.path = Self.withoutDotSegments(Self.merged(path, with: base))
        }
        return target
    }

    /// Returns the URL of a reference, without its fragment.
    ///
    /// - Parameters:
    ///   - text: The reference, absolute or relative.
    ///   - base: The URL to resolve it against, or nil to return it as it is.
    package static func resolve(_ text: String, against base: String?) -> String {
        guard let base else { return text }
        var target = URLReference(text).resolved(against: URLReference(base))
        target.fragment = nil
        return target.text
    }

    /// The text of the reference (RFC 3986 section 5.3).
    package var text: String {
        let parts = [
            scheme.map { "\($0):" }, authority.map { "//\($0)" }, String(path), query.map { "?\($0)" },
            fragment.map { "#\($0)" },
        ]
        return parts.compactMap { $0 }.joined()
    }

    /// Merges a relative path with the path of the base (RFC 3986 section 5.2.3).
    private static func merged(_ path: Substring, with base: URLReference) -> Substring {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        let end = base.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.path.utf8.index(after: $0) }
        return base.path[..<(end ?? base.path.startIndex)] + path
    }

    /// Removes dot segments (RFC 3986 section 5.2.4).
    private static func withoutDotSegments(_ path: Substring) -> Substring {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        var kept: [Substring] = []
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                // Keep the empty segment before the first slash.
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return Substring(kept.joined(separator: "/"))
    }

    /// Whether the text is a valid scheme (RFC 3986 section 3.1).
    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A else { return false }
        return text.utf8.allSatisfy(URLParts.isSchemeByte)
    }
}
