// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEscape {
    /// The byte that the escape at `index` stands for; `nil` if there is none.
    @inlinable
    package static func byte(at index: Int, in bytes: Span<UInt8>) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = hexadecimalValue(bytes[index + 1]), let low = hexadecimalValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Appends the escape of `byte`, in upper case.
    @inlinable
    package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 0x0F))
    }

    /// The text with each byte escaped that is not in `plain`.
    ///
    /// - Parameter keepsEscapes: Whether a percent sign stays where it starts an escape.
    package static func encoded(_ text: Span<UInt8>, except plain: ByteSet, keepsEscapes: Bool = false) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.count + text.count / 2)
        for index in text.indices {
            if plain.contains(text[index]) || (keepsEscapes && byte(at: index, in: text) != nil) {
                encoded.append(text[index])
            } else {
                append(text[index], to: &encoded)
            }
        }
        return encoded
    }

    /// The text with each byte of its UTF-8 escaped that is not in `plain`.
    ///
    /// - Parameter keepsEscapes: Whether a percent sign stays where it starts an escape.
    package static func encoded(_ text: String, except plain: ByteSet, keepsEscapes: Bool = false) -> String {
        guard text.utf8.contains(where: { !plain.contains($0) }) else { return text }
        let bytes = Array(text.utf8)[...]
        return String(decoding: encoded(bytes.span, except: plain, keepsEscapes: keepsEscapes), as: UTF8.self)
    }

    /// The text with its escapes decoded, once; a percent sign that starts none stays.
    ///
    /// - Parameter plus: What a plus sign stands for.
    package static func decoded(_ text: Span<UInt8>, plus: UInt8 = UInt8(ascii: "+")) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if let byte = byte(at: index, in: text) {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(text[index] == UInt8(ascii: "+") ? plus : text[index])
                index += 1
            }
        }
        return decoded
    }

    /// The text with its escapes decoded, once; a percent sign that starts none stays.
    package static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        let bytes = Array(text.utf8)[...]
        return String(decoding: decoded(bytes.span), as: UTF8.self)
    }

    @inlinable
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "A") &+ value &- 10
    }
}
