// SPDX-License-Identifier: Apache-2.0

public import RepriseCassettes
public import RepriseText

/// What is taken out of exchanges before they reach the disk.
///
/// What it takes out, it replaces by ``marker``, which matches anything in a request that is compared with it. It takes
/// heads as values and bodies as they pass, see ``BodyRedactor``.
///
/// Secrets are found by the name of their field and by what they look like:
///
/// - The values of `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie` (the names of cookies and their
///   attributes stay), user information in URLs, and the values of header lines, query and form fields, JSON strings and
///   parts of a multipart body whose names say so: `password`, `clientSecret`, `X-Api-Key`, `refresh_token`. Names are
///   compared word by word, so `max_tokens`, `nextPageToken` and `csrfToken` stay.
/// - JSON Web Tokens, private keys, and the keys of many services (`sk-…`, `AKIA…`, `ghp_…`), wherever they stand.
public struct Redaction: Sendable {
    /// What stands in the place of a secret.
    public static let marker = RedactionMarker.plain

    /// The rules that hold where nobody asks for others.
    public static let standard = Redaction()

    package let rules: RedactionRules

    /// The standard rules.
    public init() {
        self.init(RedactionRules.standard)
    }

    init(_ rules: RedactionRules) {
        self.rules = rules
    }

    /// The request without secrets in its URL and header lines. Its body is left as it is.
    public func redacted(_ request: RecordedRequest) -> RecordedRequest {
        var request = request
        request.url = redacted(url: request.url)
        request.base = request.base.map { redacted(url: $0) }
        request.headers = redacted(request.headers)
        return request
    }

    /// The URL without secrets.
    package func redacted(url: String) -> String {
        URLRedaction(rules).redacted(url: url)
    }

    /// The header or trailer line without secrets.
    package func redacted(_ line: HeaderLine) -> HeaderLine {
        HeaderRedaction(rules).redacted(line)
    }

    /// The header or trailer lines of a response without secrets.
    public func redacted(_ headers: [HeaderLine]) -> [HeaderLine] {
        let redaction = HeaderRedaction(rules)
        return headers.map { redaction.redacted($0) }
    }

    /// Text without what looks like a secret, in whatever encoding that has the bytes of ASCII.
    package func redacted(text: [UInt8]) -> [UInt8] {
        TextRedaction(rules: rules).withoutSecrets(text) ?? text
    }

    /// A line for a person, such as a reason phrase, without what looks like a secret.
    public func redacted(text: String) -> String {
        String(decoding: redacted(text: Array(text.utf8)), as: UTF8.self)
    }

    /// The first line of a request (RFC 9112 section 3) without the secrets in its target.
    public func redacted(requestLine line: [UInt8]) -> [UInt8] {
        let words = line.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2 else { return line }
        let end = words[1].lastIndex(of: 0x20) ?? words[1].endIndex
        return words[0] + [0x20] + URLRedaction(rules).redacted(Array(words[1][..<end])) + words[1][end...]
    }

    /// Takes the secrets out of a body that comes with these header lines.
    package func bodyRedactor(for headers: [HeaderLine]) -> BodyRedactor {
        BodyRedactor(rules, headers: headers)
    }
}
