// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Recognizes text after a name in the source of a program or schema that is not a value.
enum SourceCode {
    /// The maximum number of digits of a field's number in a schema (Protocol Buffers).
    private static let maximumDigits = 3

    /// Whether the text in `range` is the call of a function, the number of a field, or a reference: `getPassword()`,
    /// `os.Getenv("PASSWORD")`, `string password = 12;`, `settings.PASSWORD`.
    static func isExpression(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        isCall(bytes, range) || isFieldNumber(bytes, range) || ValueReference.isReference(bytes, range)
    }

    /// Whether the text is a name, and the parentheses after it have no argument, end the text, or contain a string.
    private static func isCall(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, isName(bytes[index]) { index += 1 }
        guard index > range.lowerBound, index < range.upperBound, bytes[index] == UInt8(ascii: "(") else {
            return false
        }
        if index + 1 < range.upperBound { return bytes[range.upperBound - 1] == UInt8(ascii: ")") }
        guard range.upperBound < bytes.count else { return false }
        return bytes[range.upperBound] == UInt8(ascii: "\"") || bytes[range.upperBound] == UInt8(ascii: "'")
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    private static func isFieldNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard 1...maximumDigits ~= range.count, range.allSatisfy({ isDigit(bytes[$0]) }), range.lowerBound > 2 else {
            return false
        }
        return bytes[range.lowerBound - 1] == 0x20 && bytes[range.lowerBound - 2] == UInt8(ascii: "=")
            && bytes[range.lowerBound - 3] == 0x20 && range.upperBound < bytes.count
            && bytes[range.upperBound] == UInt8(ascii: ";")
    }
}
