// SPDX-License-Identifier: Apache-2.0

/// Field values (RFC 9110 section 5.6).
public enum FieldValue {
    /// Whether the bytes of `input` in `range` are `text`, ignoring the case of ASCII letters. No memory is allocated
    /// if `text` is a literal.
    public static func matches(_ range: Range<Int>, of input: Span<UInt8>, _ text: String) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard input[index].lowercased == byte.lowercased else { return false }
            index += 1
        }
        return true
    }

    /// Whether `value` is valid in a field line: it has no control characters except tabs (RFC 9110 section 5.5).
    public static func isContent(_ value: String) -> Bool {
        for byte in value.utf8 where !byte.isFieldContent { return false }
        return true
    }

    /// Whether the comma-separated list in `range` contains `element`, ignoring case.
    public static func listContains(_ element: String, at range: Range<Int>, of input: Span<UInt8>) -> Bool {
        var list = List(range)
        while let candidate = list.next(in: input) {
            if matches(candidate, of: input, element) { return true }
        }
        return false
    }

    /// An iterator over a comma-separated list of unquoted elements (RFC 9110 section 5.6.1).
    public struct List: Sendable {
        private var position: Int
        private let end: Int

        /// Creates an iterator over the list in `range`.
        public init(_ range: Range<Int>) {
            position = range.lowerBound
            end = range.upperBound
        }

        /// Returns the next element without surrounding whitespace, or nil at the end. Skips empty elements.
        public mutating func next(in input: Span<UInt8>) -> Range<Int>? {
            while position < end {
                var lower = position
                var upper = lower
                while upper < end, input[upper] != Byte.comma { upper += 1 }
                position = upper + 1
                while lower < upper, input[lower].isWhitespace { lower += 1 }
                while lower < upper, input[upper - 1].isWhitespace { upper -= 1 }
                if lower < upper { return lower..<upper }
            }
            return nil
        }
    }

    /// Returns the decimal number in `range` (1*DIGIT), or nil if it is not a number or is 2^63 or more.
    public static func decimal(at range: Range<Int>, of input: Span<UInt8>) -> Int? {
        guard !range.isEmpty else { return nil }
        var number = 0
        for index in range {
            let byte = input[index]
            guard byte.isDigit else { return nil }
            let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, carries) = tens.addingReportingOverflow(Int(byte &- 0x30))
            guard !overflows, !carries else { return nil }
            number = sum
        }
        return number
    }
}
