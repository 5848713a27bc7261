// SPDX-License-Identifier: Apache-2.0

/// What a response is stored under: requests with the same key get the same response, if `Vary` allows it.
public struct CacheKey: Hashable, Sendable {
    /// The URL; two spellings of one are two.
    public var url: String
    /// What else tells requests apart.
    public var fields: [String]

    /// The URL, and the values of Authorization and of all other fields that let someone in, such as Cookie and
    /// X-Api-Key: what one user was given is not for another.
    public init(_ request: HTTPRequest) {
        url = request.urlText
        fields = request.headerFields.filter(\.name.isCredential).map { "\($0.name.canonicalName): \($0.value)" }
        if fields.count > 1 { fields.sort() }
    }

    /// A key of one's own.
    ///
    /// - Parameters:
    ///   - url: the URL, or what stands for it.
    ///   - fields: what else tells requests apart. Leave Authorization out only where all users are given the same.
    public init(url: String, fields: [String] = []) {
        self.url = url
        self.fields = fields
    }
}

extension HTTPRequest {
    /// The URL in one spelling, by which stored responses are cleared (RFC 9110 section 4.2.3).
    var canonicalURL: String { Self.canonical(urlText) }

    /// A URL in one spelling; itself if it is none.
    static func canonical(_ url: String) -> String {
        guard let parsed = try? RequestURL(absolute: url) else { return url }
        return parsed.origin + parsed.target
    }
}
