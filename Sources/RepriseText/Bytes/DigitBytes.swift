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

/// Whether `byte` is white space in JSON and XML: a space, a tab, a line feed, or a carriage return.
@inlinable @inline(__always)
package func isDocumentSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
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

/// Returns `digits` with zeros in front, so that the text has at least `width` characters.
package func zeroPadded(_ digits: some LosslessStringConvertible, _ width: Int) -> String {
    let text = String(digits)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
