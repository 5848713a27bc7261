// SPDX-License-Identifier: Apache-2.0

/// An `http` or `https` URL, taken apart as a request needs it.
///
/// Strictly what RFC 3986 and RFC 9110 section 4.2 allow: what would not arrive as it was meant is refused with
/// ``ClientError/Code/invalidURL``, never repaired. Only characters that a URL cannot hold are escaped.
struct RequestURL: Sendable, Hashable {
    let scheme: String
    /// The host and, if it was written, the port.
    let authority: String
    /// Escaped; empty or from a slash on.
    private(set) var path: String
    /// Escaped, without its question mark; empty if there is none.
    private(set) var query: String

    /// What stands in a request line (RFC 9112 section 3.2.1).
    var target: String {
        let path = path.isEmpty ? "/" : path
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    /// A URL with its scheme and host.
    init(absolute text: String) throws(ClientError) {
        guard let (scheme, rest) = try Self.splitScheme(of: text) else {
            throw ClientError(
                .invalidURL,
                "\(text.debugDescription) has no scheme: expected a URL such as https://api.example.com/v1"
            )
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        try Authority.check(authority, in: text)
        self.scheme = scheme
        self.authority = String(authority)
        (path, query) = try Self.splitReference(rest[authority.endIndex...], in: text)
    }

    /// What `reference` means with this URL as the base: itself if it is absolute, and else this URL with one more
    /// path, and with one more query.
    func appending(_ reference: String) throws(ClientError) -> RequestURL {
        if try Self.splitScheme(of: reference) != nil { return try RequestURL(absolute: reference) }
        guard !reference.hasPrefix("//") else {
            throw ClientError(
                .invalidURL,
                "\(reference.debugDescription) begins with two slashes, which names another host (RFC 3986 section "
                    + "4.2): expected a path such as /users"
            )
        }
        let (path, query) = try Self.splitReference(reference[...], in: reference)
        var url = self
        url.path = Self.join(url.path, path)
        url.query = Self.join(query: url.query, query)
        return url
    }

    /// With one more query, which is escaped already.
    func appending(query more: String) -> RequestURL {
        var url = self
        url.query = Self.join(query: query, more)
        return url
    }

    /// The base's path, one slash, the path.
    private static func join(_ base: String, _ path: String) -> String {
        switch (base.utf8.last == UInt8(ascii: "/"), path.utf8.first == UInt8(ascii: "/")) {
        case _ where path.isEmpty: base
        case _ where base.isEmpty && path.utf8.first == UInt8(ascii: "/"): path
        case (true, true): base + path.dropFirst()
        case (false, false): "\(base)/\(path)"
        default: base + path
        }
    }

    private static func join(query first: String, _ second: String) -> String {
        if first.isEmpty { return second }
        return second.isEmpty ? first : "\(first)&\(second)"
    }

    /// The scheme, and what follows its two slashes; nil for what is no absolute URL.
    private static func splitScheme(of text: String) throws(ClientError) -> (String, Substring)? {
        let bytes = text.utf8
        // A relative reference; the usual case.
        if bytes.first == UInt8(ascii: "/") { return nil }
        guard let colon = bytes.firstIndex(where: { !$0.isSchemeByte }), bytes[colon] == UInt8(ascii: ":"),
            text[colon...].hasPrefix("://")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "https" || scheme == "http" else {
            throw ClientError(.invalidURL, "\(text.debugDescription) is not a URL of https or http")
        }
        return (scheme, text[colon...].dropFirst(3))
    }

    /// The path and the query of what has no host, escaped.
    private static func splitReference(
        _ reference: Substring,
        in text: String
    ) throws(ClientError) -> (path: String, query: String) {
        try check(reference, in: text)
        let bytes = reference.utf8
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return (URLPart.path.escape(reference), "") }
        let query = reference[bytes.index(after: mark)...]
        return (URLPart.path.escape(reference[..<mark]), URLPart.query.escape(query))
    }

    private static func check(_ reference: Substring, in text: String) throws(ClientError) {
        for byte in reference.utf8 {
            if byte == EmptySegment.mark {
                throw ClientError(
                    .invalidURL,
                    "\(text.debugDescription) has no value where \\u{1A} stands: one that was to be a segment is empty"
                )
            }
            if byte < 0x20 || byte == 0x7F {
                throw ClientError(
                    .invalidURL,
                    "\(text.debugDescription) has a control character: put a value that may have one in as "
                        + "\\(segment: value), or with query(_:_:)"
                )
            }
            if byte == UInt8(ascii: "#") {
                throw ClientError(
                    .invalidURL,
                    "\(text.debugDescription) has a fragment, which is never sent: leave it out, or write a # that is "
                        + "part of a name as %23"
                )
            }
        }
        let path = reference.prefix { $0 != "?" }
        if let segment = DotSegments.first(in: path) {
            throw ClientError(
                .invalidURL,
                "\(text.debugDescription) has the segment \(segment), which leads to another path: write the path "
                    + "that is meant"
            )
        }
    }
}

extension UInt8 {
    /// Whether it may be in a scheme (RFC 3986 section 3.1).
    fileprivate var isSchemeByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
