// SPDX-License-Identifier: Apache-2.0

/// Whether `byte` is an ASCII digit.
@inlinable @inline(__always)
package func isDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10
}

/// Whether `byte` is an ASCII letter or digit.
@inlinable @inline(__always)
package func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- 0x61 < 26
}

/// Whether `byte` can be part of a bare word such as `true` or `undefined`.
@inlinable
package func isWordByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "_")
}

/// Returns the value of a hexadecimal digit in either case, or `nil` for any other byte.
@inlinable
package func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}

extension [UInt8] {
    /// Decodes hexadecimal digits in either case. Returns `nil` if there is another byte, or an odd number of digits.
    package init?(hexadecimal text: some Collection<UInt8>) {
        let digits = text.compactMap(hexadecimalValue)
        guard digits.count % 2 == 0, digits.count == text.count else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

/// Returns `byte` as two uppercase hexadecimal digits.
package func hexadecimal(_ byte: UInt8) -> String {
    hexadecimal(UInt64(byte), digits: 2).uppercased()
}

/// Returns `number` as lowercase hexadecimal, with at least `digits` digits.
package func hexadecimal(_ number: UInt64, digits: Int) -> String {
    zeroPadded(String(number, radix: 16), digits)
}

/// Returns a number or its digits, after as many zeros as it takes to reach `width` characters.
package func zeroPadded(_ digits: some LosslessStringConvertible, _ width: Int) -> String {
    let text = String(digits)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}

/// Describes the content at `offset` for an error message: a character or a word in quotes, or the number of any
/// other byte.
func found(_ bytes: Span<UInt8>, at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the text" }
    let first = bytes[offset]
    if (first | 0x20) &- 0x61 < 26 {
        var end = offset
        while end < bytes.count, end < offset + 20, isWordByte(bytes[end]) { end += 1 }
        return quoted(bytes, offset..<end)
    }
    switch first {
    case 0x0A, 0x0D: return "the end of the line"
    case 0x09: return "a tab"
    case 0x20...0x7E: return quoted(bytes, offset..<offset + 1)
    case 0...0x7F: return "the byte 0x\(hexadecimal(first))"
    default:
        let length = UTF8Sequence.length(at: offset, in: bytes)
        return length > 0 ? quoted(bytes, offset..<offset + length) : "the byte 0x\(hexadecimal(first))"
    }
}

private func quoted(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    var text: [UInt8] = []
    for index in range { text.append(bytes[index]) }
    return "'\(String(decoding: text, as: UTF8.self))'"
}
