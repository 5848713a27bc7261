// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the ends of values in JSON text that was already validated, was cut off, or is not quite valid. These
/// methods look only at strings and brackets, and never fail.
extension Span<UInt8> {
    /// Returns the index of the first byte at or after `start` that is not whitespace.
    package func endOfJSONSpace(from start: Int) -> Int {
        var index = start
        while index < count, isDocumentSpace(self[index]) { index += 1 }
        return index
    }

    /// Returns the index after the string whose opening quote is at `start`, or the number of bytes if the string was
    /// cut off.
    @inline(__always)
    package func endOfJSONString(from start: Int) -> Int {
        Swift.min(endOfJSONContent(from: start + 1) + 1, count)
    }

    /// Returns the index of the quote that ends the string whose first character is at `start`, or `nil` if the string
    /// was cut off.
    @inlinable @inline(__always)
    package func closingQuote(from start: Int) -> Int? {
        let index = endOfJSONContent(from: start)
        return index < count ? index : nil
    }

    /// Returns the index of the quote that ends the string whose first character is at `start`, or at least the number of
    /// bytes if the string was cut off.
    @inlinable @inline(__always)
    func endOfJSONContent(from start: Int) -> Int {
        var index = endOfStringRun(from: start)
        while index < count, self[index] != UInt8(ascii: "\"") { index = endOfStringRun(from: index + 2) }
        return index
    }

    /// Returns the index after the value at `start`. The value ends at the first comma or closing bracket outside of
    /// strings and brackets, without the whitespace before it.
    package func endOfJSONValue(from start: Int) -> Int {
        var depth = 0
        var index = start
        scan: while index < count {
            switch self[index] {
            case UInt8(ascii: "\""):
                index = endOfJSONString(from: index)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { break scan }
                depth -= 1
            case UInt8(ascii: ","):
                if depth == 0 { break scan }
            default: break
            }
            index += 1
        }
        while index > start, isDocumentSpace(self[index - 1]) { index -= 1 }
        return index
    }
}
