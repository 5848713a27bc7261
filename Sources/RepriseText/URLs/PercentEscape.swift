// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEscape {
    /// Returns the byte of the escape at `index`, or `nil` if there is no escape.
    @inlinable
    package static func byte(at index: Int, in bytes: Span<UInt8>) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = hexadecimalValue(bytes[index + 1]), let low = hexadecimalValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Appends the escape of `byte` with uppercase digits.
    @inlinable
    package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 0x0F))
    }

    /// Returns the text with each byte escaped that is not in `plain`.
    ///
    /// - Parameter keepsEscapes: Whether to keep a percent sign that starts an escape.
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

    /// Returns the text with each byte of its UTF-8 escaped that is not in `plain`.
    ///
    /// - Parameter keepsEscapes: Whether to keep a percent sign that starts an escape.
    package static func encoded(_ text: String, except plain: ByteSet, keepsEscapes: Bool = false) -> String {
        guard text.utf8.contains(where: { !plain.contains($0) }) else { return text }
        let bytes = Array(text.utf8)[...]
        return String(decoding: encoded(bytes.span, except: plain, keepsEscapes: keepsEscapes), as: UTF8.self)
    }

    /// Returns the text with its escapes decoded once. A percent sign that does not start an escape is kept.
    ///
    /// - Parameter plus: The replacement for a plus sign.
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

    /// Returns the text with its escapes decoded once. A percent sign that does not start an escape is kept.
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
