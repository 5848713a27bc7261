// SPDX-License-Identifier: Apache-2.0

public import RepriseCassettes
public import RepriseText

/// Finds and removes secrets in exchanges before they are written.
///
/// A redaction replaces each secret that it finds with a ``marker``, which matches any text when a request is compared
/// with it. In a recording, it replaces secrets with the stand-ins of the cassette, such as `[redacted~1]`. URLs and
/// header lines are redacted as a whole, and bodies as they arrive; see ``BodyRedactor``.
///
/// Secrets are found by the name of their field, by their form, and by how random they look:
///
/// - The values of `Authorization`, `Proxy-Authorization`, `Cookie`, and `Set-Cookie` are redacted. The names of
///   cookies and their attributes stay, and so do settings such as `theme=dark`.
/// - Passwords in URLs are redacted, and so are the values of header lines, query and form fields, JSON members, and
///   parts of a multipart body whose names are those of secrets: `password`, `clientSecret`, `X-Api-Key`,
///   `refresh_token`. If a name only hints at a secret, such as `key`, the value must also look random. Names are
///   compared word by word, so `max_tokens`, `nextPageToken`, and `csrfToken` stay.
/// - JSON Web Tokens, private keys, and the keys of many services (`sk-…`, `AKIA…`, `ghp_…`) are redacted anywhere.
public struct Redaction: Sendable {
    /// The text that replaces a secret.
    public static let marker = RedactionMarker.plain

    /// The redaction with the standard rules, which is the default.
    public static let standard = Redaction()

    package let rules: RedactionRules
    /// What replaces the secrets.
    package let replacement: SecretReplacement
    /// Whether to skip events that differ from a known one only in plain values. The result is the same.
    var skipsPlainEvents = true

    /// Creates a redaction with the standard rules.
    public init() {
        self.init(RedactionRules.standard)
    }

    init(_ rules: RedactionRules, standIns: StandIns? = nil) {
        self.rules = rules
        replacement = SecretReplacement(rules, standIns: standIns)
    }

    /// Returns a redaction with the same rules that replaces secrets with the stand-ins of a cassette.
    package func replacing(with standIns: StandIns) -> Redaction {
        var redaction = Redaction(rules, standIns: standIns)
        redaction.skipsPlainEvents = skipsPlainEvents
        return redaction
    }

    /// The redaction with the same rules that replaces secrets with markers instead of stand-ins.
    package var withoutStandIns: Redaction { Redaction(rules) }

    /// Returns a redaction of only those secrets whose form no other texts have: private keys and, unless
    /// `privateKeysOnly` is set, the keys of services and what further rules look for. Use it for content without fields.
    package func distinctive(privateKeysOnly: Bool) -> Redaction {
        Redaction(RedactionRules(patterns: rules.patterns.distinctive(privateKeysOnly: privateKeysOnly), of: rules))
    }

    /// Returns what a secret with these first bytes is, such as `an AWS key`; `nil` if its form does not tell.
    package func kind(ofSecret start: [UInt8]) -> String? { rules.patterns.kind(ofSecret: start) }

    /// Returns the request with the secrets in its URL and header lines redacted. The body is unchanged.
    public func redacted(_ request: RecordedRequest) -> RecordedRequest {
        var request = request
        request.url = redacted(url: request.url)
        request.base = request.base.map { redacted(url: $0) }
        request.headers = redacted(request.headers)
        return request
    }

    /// Returns the URL with its secrets redacted.
    package func redacted(url: String) -> String {
        URLRedaction(self).redacted(url: url)
    }

    /// Returns the URL with its secrets redacted. Its origin is not searched if it equals `knownOrigin`.
    ///
    /// - Parameter knownOrigin: The last origin without secrets. Pass an empty array first, and then the same variable.
    package func redacted(url: String, knownOrigin: inout [UInt8]) -> String {
        let redacted = URLRedaction(self).redacted(Array(url.utf8), knownOrigin: &knownOrigin)
        return String(decoding: redacted, as: UTF8.self)
    }

    /// Returns the header or trailer line with its secrets redacted.
    package func redacted(_ line: HeaderLine) -> HeaderLine {
        HeaderRedaction(self).redacted(line)
    }

    /// Returns the header or trailer lines of a response with their secrets redacted.
    public func redacted(_ headers: [HeaderLine]) -> [HeaderLine] {
        let redaction = HeaderRedaction(self)
        var output = headers.map { redaction.redacted($0) }
        redactCompanions(in: &output, of: headers)
        return output
    }

    /// Redacts the lines in `output` that are companions of a signature in `headers`.
    func redactCompanions(in output: inout [HeaderLine], of headers: [HeaderLine]) {
        for index in SignatureCompanions.indexes(in: headers, rules.names) where output[index] == headers[index] {
            output[index] = HeaderRedaction(self).hidden(output[index])
        }
    }

    /// Redacts text that looks like a secret. The text can be in any encoding that is a superset of ASCII.
    package func redacted(text: [UInt8]) -> [UInt8] {
        TextRedaction(self).withoutSecrets(text) ?? text
    }

    /// Redacts text that looks like a secret in a line for people, such as a reason phrase.
    public func redacted(text: String) -> String {
        String(decoding: redacted(text: Array(text.utf8)), as: UTF8.self)
    }

    /// Returns the first line of a request (RFC 9112 section 3) with the secrets in its target redacted.
    public func redacted(requestLine line: [UInt8]) -> [UInt8] {
        let words = line.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2 else { return line }
        let end = words[1].lastIndex(of: 0x20) ?? words[1].endIndex
        return words[0] + [0x20] + URLRedaction(self).redacted(Array(words[1][..<end])) + words[1][end...]
    }

    /// Creates a redactor for a body with the given header lines, of a request or a response at the given path.
    ///
    /// - Parameter request: The search for values that are new in each request; `nil` for a response, and for a request
    ///   that is only checked for secrets.
    package func bodyRedactor(
        for headers: [HeaderLine],
        at path: PathNames = [],
        request: RequestValues? = nil
    ) -> BodyRedactor {
        BodyRedactor(self, headers: headers, path: path, request: request)
    }
}
