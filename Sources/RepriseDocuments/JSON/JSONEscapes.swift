// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Decodes the escapes of a JSON string (RFC 8259 section 7) leniently.
package enum JSONEscapes {
    /// Returns the text with its escapes replaced.
    ///
    /// An unnecessary backslash is dropped. A lone surrogate, and a `\u` without four hexadecimal digits, become `?`.
    package static func decoded(_ text: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
                decoded.append(text[index])
                index += 1
                continue
            }
            let letter = text[index + 1]
            index += 2
            if letter == UInt8(ascii: "u") {
                decoded.append(contentsOf: String(scalar(in: text, at: &index) ?? "?").utf8)
            } else {
                decoded.append(character(of: letter))
            }
        }
        return decoded
    }

    private static func character(of letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// Returns the scalar of a `\u` escape or a surrogate pair of them.
    private static func scalar(in text: Span<UInt8>, at index: inout Int) -> Unicode.Scalar? {
        guard let high = unit(in: text, at: &index) else { return nil }
        guard 0xD800..<0xDC00 ~= high else { return Unicode.Scalar(high) }
        var next = index + 2
        guard next <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u"),
            let low = unit(in: text, at: &next), 0xDC00..<0xE000 ~= low
        else { return nil }
        index = next
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    /// Reads the number of four hexadecimal digits. The index moves past the digits that are present, even if there
    /// are fewer than four.
    private static func unit(in text: Span<UInt8>, at index: inout Int) -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard index < text.count, let digit = hexadecimalValue(text[index]) else { return nil }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }
}
