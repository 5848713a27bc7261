// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The key that a response is stored under. Requests with the same key get the same response, if `Vary` allows it.
public struct CacheKey: Hashable, Sendable {
    /// The URL. Different spellings of the same URL are different keys.
    public var url: String
    /// Other values that distinguish requests.
    public var fields: [String]

    /// Creates a key from the URL and the values of all header fields with credentials, such as Authorization, Cookie,
    /// and X-Api-Key.
    ///
    /// A response for one user is therefore never returned to another.
    public init(_ request: HTTPRequest) {
        url = request.urlText
        fields = request.headerFields.filter(\.name.isCredential).map { "\($0.name.canonicalName): \($0.value)" }
        if fields.count > 1 { fields.sort() }
    }

    /// Creates a custom key.
    ///
    /// - Parameters:
    ///   - url: The URL, or text that represents it.
    ///   - fields: Other values that distinguish requests. Leave out Authorization only if all users get the same
    ///     responses. Empty by default.
    public init(url: String, fields: [String] = []) {
        self.url = url
        self.fields = fields
    }

    /// Returns whether both keys consist of the same bytes. Swift's own comparison of strings treats `ä` and `a` with
    /// U+0308 as equal.
    public static func == (left: CacheKey, right: CacheKey) -> Bool {
        left.url == right.url && left.fields == right.fields
    }
}

extension HTTPRequest {
    /// The URL in canonical form, which is used to clear stored responses (RFC 9110 section 4.2.3).
    var canonicalURL: String { Self.canonical(urlText) }

    /// Returns a URL in canonical form, or the text itself if it is not a valid URL.
    static func canonical(_ url: String) -> String {
        guard let parsed = try? RequestURL(absolute: url) else { return url }
        return parsed.origin + parsed.target
    }
}
