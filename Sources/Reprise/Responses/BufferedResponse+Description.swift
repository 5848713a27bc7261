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
        return text.map { text in Array(text.utf8)[...].excerpt(limit: 1000) }
    }

    /// The start of the content, for messages. Secrets in JSON and forms are redacted.
    var excerpt: String {
        if bytes.isEmpty { return "(no content)" }
        let limit = ArraySlice<UInt8>.excerptLimit
        let start = Array(bytes.prefix(limit))
        guard let text = Body.redacted(start, type: headers[.contentType]) else { return bytes[...].excerpt }
        return bytes.count > limit ? text.cutExcerpt(of: bytes.count) : text.printable
    }
}

extension ArraySlice<UInt8> {
    /// The start of the text, for messages.
    var excerpt: String { excerpt(limit: Self.excerptLimit) }

    fileprivate static var excerptLimit: Int { 300 }

    /// Returns the start of the text, up to `limit` bytes.
    func excerpt(limit: Int) -> String {
        let start = String(decoding: prefix(limit), as: UTF8.self)
        return count > limit ? start.cutExcerpt(of: count) : start.printable
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
    /// Returns the text for messages, as the start of content with this number of bytes.
    fileprivate func cutExcerpt(of count: Int) -> String { "\(withoutTornCharacter.printable)… (\(count) bytes)" }

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
