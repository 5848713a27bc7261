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

    /// Scheme, host and port in one spelling (RFC 9110 section 4.3.1).
    var origin: String {
        let (host, port) = Authority.split(authority[...])
        return "\(scheme)://\(host.lowercased()):\(port.flatMap { Int($0) } ?? (scheme == "https" ? 443 : 80))"
    }

    /// A URL with its scheme and host.
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
            throw ClientError(.invalidURL, "\(SecretQuery.quoted(text)) is not a URL of https or http")
        }
        try Authority.check(authority[...], in: text)
        try Self.check(reference, in: text)
        self.scheme = scheme
        self.authority = authority
        path = URLPart.path.escape(reference.path)
        query = URLPart.query.escape(reference.query ?? "")
    }

    /// What `text` means with this URL as the base: itself if it is absolute, and else this URL with one more path, and
    /// with one more query.
    func appending(_ text: String) throws(ClientError) -> RequestURL {
        if Self.isPlainPath(text) {
            var url = self
            url.path = Self.join(path, text)
            return url
        }
        let reference = URLReference(text)
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
        // What looks like a scheme is the start of a name, as in models:list.
        let path = reference.scheme == nil ? reference.path : text[..<reference.path.endIndex]
        url.path = Self.join(url.path, URLPart.path.escape(path))
        url.query = Self.join(query: query, URLPart.query.escape(reference.query ?? ""))
        return url
    }

    /// With one more query, which is escaped already.
    func appending(query more: String) -> RequestURL {
        var url = self
        url.query = Self.join(query: query, more)
        return url
    }

    /// Whether it is a path, from a slash on, in which nothing has to be looked at twice: as nearly all are.
    private static func isPlainPath(_ text: String) -> Bool {
        var previous = UInt8(ascii: "a")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                break
            case UInt8(ascii: "/"):
                // Two may name another host.
                if previous == byte { return false }
            default:
                return false
            }
            previous = byte
        }
        return text.utf8.first == UInt8(ascii: "/")
    }

    /// The base's path, one slash, the path.
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

    /// Throws if something in it would not arrive, or arrive as something else.
    private static func check(_ reference: URLReference, in text: String) throws(ClientError) {
        func refuse(_ why: String) -> ClientError {
            ClientError(.invalidURL, "\(SecretQuery.quoted(text)) \(why)")
        }
        guard reference.fragment == nil else {
            throw refuse(
                "has a fragment, which is never sent: leave it out, or write a # that is part of a name as %23"
            )
        }
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F {
            throw byte == EmptySegment.mark
                ? refuse("has an empty value in place of a segment")
                : refuse("has a control character: a value that may have one goes in as \\(segment: value)")
        }
        if let segment = DotSegments.first(in: reference.path) {
            throw refuse("has the segment \(segment), which leads to another path: write the path that is meant")
        }
    }
}
