// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEscape {
    /// The byte that the escape at `index` stands for; `nil` if there is none.
    package static func byte(at index: Int, in bytes: Span<UInt8>) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = hexadecimalValue(bytes[index + 1]), let low = hexadecimalValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Appends the escape of `byte`, in upper case.
    package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 0x0F))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "A") &+ value &- 10
    }
}
