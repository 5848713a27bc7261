// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// An `http` or `https` URL, split into the parts that a request needs.
///
/// Parsing strictly follows RFC 3986 and RFC 9110 section 4.2. A URL that would not arrive as intended is rejected
/// with ``ClientError/Code/invalidURL``, never repaired. Only characters that are not allowed in a URL are escaped.
struct RequestURL: Sendable, Hashable {
    let scheme: String
    /// The host, and the port if one was specified.
    let authority: String
    /// The escaped path, which is empty or begins with a slash.
    private(set) var path: String
    /// The escaped query without its question mark, or an empty string if there is none.
    private(set) var query: String

    /// The request target for a request line (RFC 9112 section 3.2.1).
    var target: String {
        let path = path.isEmpty ? "/" : path
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    /// The normalized scheme, host, and port (RFC 9110 section 4.3.1).
    var origin: String {
        let parts = HostAndPort(authority[...])
        let port = parts.port.flatMap { Int($0) } ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(parts.host.lowercased()):\(port)"
    }

    init(absolute text: String) throws(ClientError) {
        try self.init(absolute: URLReference(text), in: text)
    }

    private init(absolute reference: URLReference, in text: String) throws(ClientError) {
        guard let scheme = reference.scheme, let authority = reference.authority else {
            throw ClientError(
                .invalidURL,
                "\(SecretQuery.quoted(text)) has no scheme and host: expected a URL such as https://api.example.com/v1"
            )
        }
        guard scheme == "https" || scheme == "http" else {
            throw ClientError(.invalidURL, "\(SecretQuery.quoted(text)) is not an https or http URL")
        }
        self.authority = try Authority.checked(authority[...], in: text)
        try Self.check(reference, in: text)
        self.scheme = scheme
        path = URLPart.path.escape(reference.path)
        query = URLPart.query.escape(reference.query ?? "")
    }

    /// Returns the URL that `text` refers to, with this URL as the base: `text` itself if it is absolute, or
    /// otherwise this URL with the path and query of `text` appended.
    func appending(_ text: String) throws(ClientError) -> RequestURL {
        if Self.isPlainPath(text) {
            var url = self
            url.path = Self.join(path, text)
            return url
        }
        let reference = URLReference(text)
        guard !Self.isEscapedURL(text) else {
            throw ClientError(
                .invalidURL,
                "\(SecretQuery.quoted(text)) begins with an escaped URL; insert it as a URL, or as \\(raw: text)"
            )
        }
        let isAbsolute = reference.scheme == "https" || reference.scheme == "http"
        if isAbsolute || (reference.scheme != nil && reference.authority != nil) {
            return try RequestURL(absolute: reference, in: text)
        }
        guard reference.authority == nil else {
            throw ClientError(
                .invalidURL,
                "\(SecretQuery.quoted(text)) begins with two slashes, which name another host (RFC 3986 section 4.2): "
                    + "expected a path such as /users"
            )
        }
        try Self.check(reference, in: text)
        var url = self
        // In a relative path such as `models:list`, the text before the colon is not a scheme.
        let path = reference.scheme == nil ? reference.path : text[..<reference.path.endIndex]
        url.path = Self.join(url.path, URLPart.path.escape(path))
        url.query = Self.join(query: query, URLPart.query.escape(reference.query ?? ""))
        return url
    }

    func appending(query more: String) -> RequestURL {
        var url = self
        url.query = Self.join(query: query, more)
        return url
    }

    /// Whether the text is a path that begins with a slash and needs no further checks or escaping, like nearly all
    /// paths.
    private static func isPlainPath(_ text: String) -> Bool {
        var previous = UInt8(ascii: "a")
        for byte in text.utf8 {
            // Two slashes may refer to another host.
            let isSlash = byte == UInt8(ascii: "/") && previous != byte
            guard isSlash || isWordByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "~") else {
                return false
            }
            previous = byte
        }
        return text.utf8.first == UInt8(ascii: "/")
    }

    /// Whether the text begins with a URL that was interpolated as a value, which would be a path segment.
    private static func isEscapedURL(_ text: String) -> Bool {
        text.hasPrefix("https%3A%2F%2F") || text.hasPrefix("http%3A%2F%2F")
    }

    /// Joins two paths with a single slash.
    private static func join(_ base: String, _ path: String) -> String {
        if path.isEmpty { return base }
        switch (base.utf8.last == UInt8(ascii: "/"), path.utf8.first == UInt8(ascii: "/")) {
        case (true, true): return base + path.dropFirst()
        case (false, false): return "\(base)/\(path)"
        case (true, false), (false, true): return base.isEmpty ? path : base + path
        }
    }

    private static func join(query first: String, _ second: String) -> String {
        if first.isEmpty { return second }
        return second.isEmpty ? first : "\(first)&\(second)"
    }

    /// Throws an error if a part of the reference would not be sent, or would be sent as something else.
    private static func check(_ reference: URLReference, in text: String) throws(ClientError) {
        func refuse(_ why: String) -> ClientError {
            let shown = String(text.unicodeScalars.filter { $0.value != UInt32(EmptySegment.mark) })
            return ClientError(.invalidURL, "\(SecretQuery.quoted(shown)) \(why)")
        }
        guard reference.fragment == nil else {
            throw refuse(
                "has a fragment, which is never sent; remove it, or write %23 for a # that is part of a name"
            )
        }
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F {
            throw byte == EmptySegment.mark
                ? refuse("has an empty value for a segment")
                : refuse(
                    "has a control character; insert a value that may contain one as \\(value), not as \\(raw: value)"
                )
        }
        if let segment = DotSegments.first(in: reference.path) {
            throw refuse("has the segment \(segment), which refers to another path; write that path instead")
        }
    }
}
