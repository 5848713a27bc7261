// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension BufferedResponse: CustomStringConvertible {
    /// The status and the start of the content, or what a problem's content says of itself.
    public var description: String {
        "\(head.status.text): \(problem ?? excerpt)"
    }

    /// The detail of problem details, or else their title (RFC 9457 section 3.1).
    private var problem: String? {
        let type = headerFields[.contentType].map { MediaType($0).name }
        guard type == "application/problem+json", bytes.count < 1 << 16 else { return nil }
        let json = try? JSONValue(parsing: bytes)
        let text = json?["detail"].string ?? json?["title"].string
        return text.map { text in Array(text.utf8)[...].excerpt(limit: 1000) }
    }

    /// The start of the content, for a message.
    var excerpt: String { bytes.isEmpty ? "(no content)" : bytes[...].excerpt }
}

extension ArraySlice<UInt8> {
    /// The start of a text, for a message.
    var excerpt: String { excerpt(limit: 300) }

    /// The same, with so many bytes at most.
    func excerpt(limit: Int) -> String {
        let start = String(decoding: prefix(limit), as: UTF8.self)
        guard count > limit else { return start.printable }
        return "\(start.withoutTornCharacter.printable)… (\(count) bytes)"
    }
}

extension BufferedResponse: CustomReflectable {
    /// The status, the header fields and the start of the content: whoever looks into an error in a debugger or in a
    /// failed test is spared a million bytes, one by one.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": head.status, "headerFields": headerFields, "content": excerpt])
    }
}

extension HTTPResponse.Status {
    /// The code and, if there is one, the reason.
    var text: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
}

extension String {
    /// Without what a cut through a character left at its end.
    fileprivate var withoutTornCharacter: Substring {
        var rest = self[...]
        while rest.last == "\u{FFFD}" { rest.removeLast() }
        return rest
    }
}

extension StringProtocol {
    /// Without control characters, which would write over a terminal or a log.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
