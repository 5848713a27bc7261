// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the ends of scalar values.
enum JSONScalar {
    /// Returns the index after `word`, which starts at `start`.
    static func endOfWord(_ word: String, at start: Int, in bytes: Span<UInt8>) throws(JSONError) -> Int {
        var index = start
        for byte in word.utf8 {
            guard index < bytes.count, bytes[index] == byte else {
                throw JSONError(at: start, in: bytes, "expected a value")
            }
            index += 1
        }
        guard index == bytes.count || !isWordByte(bytes[index]) else {
            throw JSONError(at: start, in: bytes, "expected a value")
        }
        return index
    }

    /// Returns the index after the number at `start` (RFC 8259 section 6).
    static func endOfNumber(at start: Int, in bytes: Span<UInt8>) throws(JSONError) -> Int {
        var index = start
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "0") {
            index += 1
            if index < bytes.count, isDigit(bytes[index]) {
                throw JSONError(offset: index - 1, message: "expected a number without leading zeros")
            }
        } else {
            index = try endOfDigits(at: index, in: bytes, "expected a digit after '-'")
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index = try endOfDigits(at: index + 1, in: bytes, "expected a digit after '.'")
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            index = try endOfDigits(at: index, in: bytes, "expected a digit in the exponent")
        }
        return index
    }

    @inline(__always)
    private static func endOfDigits(
        at start: Int,
        in bytes: Span<UInt8>,
        _ expectation: String
    ) throws(JSONError) -> Int {
        guard start < bytes.count, isDigit(bytes[start]) else {
            throw JSONError(at: start, in: bytes, expectation)
        }
        var index = start + 1
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return index
    }

    /// Returns the index of the closing quote of the string whose first character is at `start` (RFC 8259 section 7).
    @inline(__always)
    static func endOfString(
        at start: Int,
        in bytes: Span<UInt8>,
        hasEscapes: inout Bool
    ) throws(JSONError) -> Int {
        var index = bytes.endOfPlainRun(from: start)
        while index >= bytes.count || bytes[index] != UInt8(ascii: "\"") {
            index = try endOfOther(at: index, in: bytes, &hasEscapes)
            index = bytes.endOfPlainRun(from: index)
        }
        return index
    }

    /// Returns the index after the character at `index`, which is neither plain nor the closing quote.
    private static func endOfOther(
        at index: Int,
        in bytes: Span<UInt8>,
        _ hasEscapes: inout Bool
    ) throws(JSONError) -> Int {
        guard index < bytes.count else {
            throw JSONError(at: index, in: bytes, "expected '\"' at the end of the string")
        }
        switch bytes[index] {
        case UInt8(ascii: "\\"):
            hasEscapes = true
            return try endOfEscape(at: index, in: bytes)
        case 0x80...:
            let length = UTF8Sequence.length(at: index, in: bytes)
            guard length > 0 else { throw JSONError(at: index, in: bytes, "expected UTF-8") }
            return index + length
        case 0x0A, 0x0D:
            throw JSONError(
                offset: index,
                message: "expected '\"' before the end of the line (a line end in a string is written \\n or \\r)"
            )
        case let byte:
            throw JSONError(
                offset: index,
                message: "expected no control character in a string, found \(found(bytes, at: index)): "
                    + "write it as \\u00\(hexadecimal(byte))"
            )
        }
    }

    private static func endOfEscape(at index: Int, in bytes: Span<UInt8>) throws(JSONError) -> Int {
        guard index + 1 < bytes.count else {
            throw JSONError(at: bytes.count, in: bytes, "expected an escape after '\\'")
        }
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return index + 2
        case UInt8(ascii: "u"):
            for digit in index + 2..<index + 6 where digit >= bytes.count || hexadecimalValue(bytes[digit]) == nil {
                throw JSONError(at: digit, in: bytes, "expected four hexadecimal digits after \\u")
            }
            return index + 6
        default:
            throw JSONError(at: index + 1, in: bytes, "expected one of \" \\ / b f n r t u after '\\'")
        }
    }
}

extension JSONError {
    /// Creates an error with what was expected at `offset` and what was found.
    init(at offset: Int, in bytes: Span<UInt8>, _ expectation: String) {
        self.init(offset: offset, message: "\(expectation), found \(found(bytes, at: offset))")
    }
}
