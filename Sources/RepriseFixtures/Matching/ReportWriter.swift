// SPDX-License-Identifier: Apache-2.0

/// Writes reports: bytes of requests and fixtures made fit for terminals, and for JSON strings where asked.
struct ReportWriter {
    /// What was written.
    private(set) var bytes: [UInt8] = []
    /// Whether values are written into JSON strings.
    private let isJSON: Bool

    /// How many bytes of a value are shown.
    static let maximumCount = 120

    /// A writer of plain text, or of values in JSON strings.
    init(isJSON: Bool = false, capacity: Int = 0) {
        self.isJSON = isJSON
        bytes.reserveCapacity(capacity)
    }

    /// What `write` writes, as text.
    static func text(_ write: (inout ReportWriter) -> Void) -> String {
        var writer = ReportWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Appends `text` as it is.
    @inline(__always)
    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a value: control characters and what is not UTF-8 are spelled `\xNN`, and what is longer than `limit`
    /// bytes is cut.
    mutating func append(value: ArraySlice<UInt8>, limit: Int = maximumCount) {
        let end = min(value.count, limit)
        var index = 0
        while index < end {
            let plain = plainCount(value.span.extracting(index..<end))
            let start = value.startIndex + index
            bytes.append(contentsOf: value[start..<start + plain])
            index += plain
            if index < end { index += appendSpecial(value, at: value.startIndex + index) }
        }
        if index < value.count { append("…") }
    }

    /// How many bytes at the start of `value` can be written as they are.
    private func plainCount(_ value: Span<UInt8>) -> Int {
        var count = 0
        while count < value.count, isPlain(value[count]) { count &+= 1 }
        return count
    }

    /// Appends a value that is text.
    mutating func append(value text: String, limit: Int = maximumCount) {
        append(value: Array(text.utf8)[...], limit: limit)
    }

    @inline(__always)
    private func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x20 < 0x5F && !(isJSON && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")))
    }

    /// Appends the character at `index`, which is not plain, and returns how many bytes it takes.
    private mutating func appendSpecial(_ value: ArraySlice<UInt8>, at index: Int) -> Int {
        let byte = value[index]
        if byte >= 0x80 {
            let character = value[index..<min(index + 4, value.endIndex)]
            let length = UTF8Sequence.length(at: 0, in: character.span)
            if length > 0, !DisplayText.isInvisible(character) {
                bytes.append(contentsOf: character.prefix(length))
                return length
            }
        }
        switch byte {
        case 0x09: append(isJSON ? "\\\\t" : "\\t")
        case 0x0A: append(isJSON ? "\\\\n" : "\\n")
        case 0x0D: append(isJSON ? "\\\\r" : "\\r")
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        default:
            append(isJSON ? "\\\\x" : "\\x")
            append(hexadecimal(byte))
        }
        return 1
    }
}

// MARK: - What reports tell of

extension ReportWriter {
    /// Appends a verdict: `query.page: expected 2, got 3`, or `query.page: 2`.
    mutating func append(_ verdict: FieldVerdict) {
        append(verdict.name)
        append(": ")
        if !verdict.isEqual {
            append("expected ")
            append(verdict.expectedValue)
            append(", got ")
        }
        append(verdict.foundValue)
        if !verdict.isEqual, !verdict.isRequired { append(" (not required)") }
    }

    /// Appends the name of a field.
    mutating func append(_ name: FieldVerdict.Name) {
        switch name {
        case .method: append("method")
        case .path: append("path")
        case .query: append("query")
        case .queryPair(let pair):
            append("query.")
            append(value: pair)
        case .body: append("body")
        case .bodyPair(let pair):
            append("body.")
            append(value: pair)
        case .bodyPointer(let pointer):
            append("body.")
            append(value: pointer[...])
        case .bodyPart(let name, let number, let isHeader):
            append("body.")
            append(value: name?[...] ?? Array("\(number)".utf8)[...])
            if isHeader { append(".headers") }
        case .header(let name):
            append("header.")
            append(value: name)
        case .host: append("host")
        }
    }

    /// Appends a field's value.
    mutating func append(_ value: FieldVerdict.Value) {
        switch value {
        case .nothing: append("nothing")
        case .bytes(let bytes) where bytes.isEmpty: append(isJSON ? "\\\"\\\"" : "\"\"")
        case .bytes(let bytes): append(value: bytes)
        case .rest(let bytes):
            append("…")
            append(value: bytes)
        case .template(let segments): append(segments)
        case .redacted(let bytes): append(redacted: bytes)
        case .hidden(let noun): append(noun)
        case .parts(let count): append(count == 1 ? "multipart of 1 part" : "multipart of \(count) parts")
        }
    }

    /// Appends what a value with markers of redaction expects: `any text ([redacted])`, `text like Bearer [redacted]`.
    private mutating func append(redacted bytes: ArraySlice<UInt8>) {
        let isString = bytes.count > 1 && bytes.first == UInt8(ascii: "\"") && bytes.last == UInt8(ascii: "\"")
        let text = isString ? bytes.dropFirst().dropLast() : bytes
        let isWhole = WildcardText(text)?.isWhole ?? false
        append(isWhole ? "any text (" : "text like ")
        append(value: isWhole ? text : bytes)
        if isWhole { append(")") }
    }

    /// Appends the request of a pattern in one line: `GET /users?page=2`.
    mutating func append(_ pattern: RequestPattern) {
        append(value: pattern.method[...])
        append(" ")
        switch pattern.path {
        case .literal(let path): append(value: path[...])
        case .template(let segments): append(segments)
        }
        if let query = pattern.query, !query.isEmpty {
            append("?")
            append(value: query[...])
        }
    }

    /// Appends where a fixture was written: `file:line`.
    mutating func append(_ source: Fixture.Source) {
        append(value: source.file, limit: 400)
        if let location = source.location { append(":\(location.line)") }
    }

    private mutating func append(_ segments: [RequestPattern.Segment]) {
        for segment in segments {
            append("/")
            switch segment {
            case .literal(let bytes): append(value: bytes[...])
            case .parameter(let name):
                append("{")
                append(value: name)
                append("}")
            }
        }
    }
}
