// SPDX-License-Identifier: Apache-2.0

/// Field values (RFC 9110 section 5.6).
public enum FieldValue {
    /// Whether the bytes of `input` at `range` are `text`, ASCII letters compared in any case. Nothing is allocated
    /// when `text` is a literal.
    public static func matches(_ range: Range<Int>, of input: Span<UInt8>, _ text: String) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard input[index].lowercased == byte.lowercased else { return false }
            index += 1
        }
        return true
    }

    /// Whether `value` has no control character but tabs, so that it can stand in a field line (RFC 9110 section 5.5).
    public static func isContent(_ value: String) -> Bool {
        for byte in value.utf8 where !byte.isFieldContent { return false }
        return true
    }

    /// Whether the comma-separated list at `range` has the element `element`, in any case.
    public static func listContains(_ element: String, at range: Range<Int>, of input: Span<UInt8>) -> Bool {
        var list = List(range)
        while let candidate = list.next(in: input) {
            if matches(candidate, of: input, element) { return true }
        }
        return false
    }

    /// A walk over a comma-separated list whose elements are not quoted (RFC 9110 section 5.6.1).
    public struct List: Sendable {
        private var position: Int
        private let end: Int

        /// A walk over the list that stands at `range`.
        public init(_ range: Range<Int>) {
            position = range.lowerBound
            end = range.upperBound
        }

        /// The next element without the white space around it; empty elements are passed over. Nil at the end.
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

    /// The number that 1*DIGIT at `range` stands for; nil for anything else and from 2^63 on.
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
