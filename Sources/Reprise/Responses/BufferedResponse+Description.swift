// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension BufferedResponse: CustomStringConvertible {
    /// The status, followed by the message if the content is a problem details object (RFC 9457), or else by the start
    /// of the content.
    public var description: String {
        "\(head.status.text): \(problem ?? excerpt)"
    }

    /// The detail, or else the title, of problem details (RFC 9457 section 3.1).
    private var problem: String? {
        let type = headers[.contentType].map { MediaType($0).name }
        guard type == "application/problem+json", bytes.count < 1 << 16 else { return nil }
        let json = try? JSONValue(parsing: bytes)
        let text = json?["detail"].string ?? json?["title"].string
        return text.map { Array(Body.redactedSentence($0).utf8)[...].excerpt(limit: 1000) }
    }

    /// The start of the content, for messages, without secrets.
    var excerpt: String { bytes.isEmpty ? "(no content)" : bytes[...].excerpt(type: headers[.contentType]) }
}

extension ArraySlice<UInt8> {
    private static var excerptLimit: Int { 300 }

    /// Returns the start of content for messages. Secrets in JSON and forms are redacted. Other content that may contain
    /// a secret is replaced by its size and type.
    func excerpt(type: String?) -> String {
        let start = Array(prefix(Self.excerptLimit))
        guard let text = Body.redacted(start, type: type) ?? Body.harmlessText(start, type: type) else {
            return "(\(count) bytes of \(type ?? "no type"))"
        }
        return text.excerpt(of: count, from: start.count)
    }

    /// Returns the start of the text, up to `limit` bytes.
    func excerpt(limit: Int) -> String {
        String(decoding: prefix(limit), as: UTF8.self).excerpt(of: count, from: Swift.min(limit, count))
    }

    /// Returns the start of the JSON at a path for messages, with secrets redacted. The path may name a secret.
    func jsonExcerpt(at path: [String]) -> String {
        let start = prefix(Self.excerptLimit)
        let names = path.map { "{\(String(decoding: (try? JSONValue.string($0).encoded()) ?? [], as: UTF8.self)):" }
            .joined()
        let text = SecretJSON.redacted(Array(names.utf8) + start)
        guard text.hasPrefix(names) else { return "\"\(RedactionMarker.plain)\"" }
        return String(text.dropFirst(names.count)).excerpt(of: count, from: start.count)
    }
}

extension BufferedResponse: CustomDebugStringConvertible, CustomReflectable {
    /// The ``description``.
    public var debugDescription: String { description }

    /// The status, the header fields without credentials, and the start of the content, so that debuggers and failed
    /// tests do not list every byte.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": head.status, "headers": headers.shown, "content": excerpt])
    }
}

extension HTTPResponse.Status {
    /// The code, followed by the reason phrase if there is one.
    var text: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
}

extension String {
    /// Returns the text for messages, as the first `part` bytes of content with `count` bytes.
    fileprivate func excerpt(of count: Int, from part: Int) -> String {
        part < count ? "\(withoutTornCharacter.printable)… (\(count) bytes)" : printable
    }

    /// The text without the remains of a character that was cut at its end.
    fileprivate var withoutTornCharacter: Substring {
        var rest = self[...]
        while rest.last == "\u{FFFD}" { rest.removeLast() }
        return rest
    }
}

extension StringProtocol {
    /// The text with control characters replaced by spaces, because they could corrupt a terminal or a log.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
