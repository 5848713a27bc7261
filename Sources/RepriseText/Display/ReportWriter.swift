// SPDX-License-Identifier: Apache-2.0

/// Writes reports, and escapes bytes from requests and fixtures for terminals and, if requested, for JSON strings.
package struct ReportWriter {
    /// The report written so far.
    package private(set) var bytes: [UInt8] = []
    /// Whether values are written inside JSON strings.
    package let isJSON: Bool

    /// The default maximum number of bytes shown of a value.
    package static let maximumCount = 120

    /// Creates a writer of plain text, or of values inside JSON strings.
    package init(isJSON: Bool = false, capacity: Int = 0) {
        self.isJSON = isJSON
        bytes.reserveCapacity(capacity)
    }

    /// Returns the text that `write` produces.
    package static func text(_ write: (inout ReportWriter) -> Void) -> String {
        var writer = ReportWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Appends `text` unchanged.
    @inline(__always)
    package mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a value. Control characters and bytes that are not UTF-8 are written as `\xNN`. Values longer than
    /// `limit` bytes are cut.
    package mutating func append(value: ArraySlice<UInt8>, limit: Int = maximumCount) {
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

    /// Returns the number of bytes at the start of `value` that need no escaping.
    private func plainCount(_ value: Span<UInt8>) -> Int {
        var count = 0
        while count < value.count, isPlain(value[count]) { count &+= 1 }
        return count
    }

    /// Appends a text value.
    package mutating func append(value text: String, limit: Int = maximumCount) {
        append(value: Array(text.utf8)[...], limit: limit)
    }

    @inline(__always)
    private func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x20 < 0x5F && !(isJSON && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")))
    }

    /// Appends the character at `index`, which needs escaping, and returns its number of bytes.
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
