// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What a backslash in a JSON string (RFC 8259 section 7) and the characters after it stand for.
package enum JSONEscape: Sendable, Hashable {
    /// A control character, or the byte after an unnecessary backslash.
    case byte(UInt8)
    /// The character of a `\u`, or of two that are a surrogate pair.
    case scalar(Unicode.Scalar)
    /// Half of a surrogate pair, which is no character.
    case surrogate(UInt16)
    /// A `\u` without four hexadecimal digits.
    case invalid

    /// Reads the escape at `index` and moves the index past it: past the digits that are present, even if there are
    /// fewer than four. A byte must follow the backslash.
    package init(in text: Span<UInt8>, at index: inout Int) {
        let letter = text[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "b"): self = .byte(0x08)
        case UInt8(ascii: "f"): self = .byte(0x0C)
        case UInt8(ascii: "n"): self = .byte(0x0A)
        case UInt8(ascii: "r"): self = .byte(0x0D)
        case UInt8(ascii: "t"): self = .byte(0x09)
        case UInt8(ascii: "u"): self.init(digitsOf: text, at: &index)
        default: self = .byte(letter)
        }
    }

    private init(digitsOf text: Span<UInt8>, at index: inout Int) {
        guard let unit = Self.unit(in: text, at: &index) else {
            self = .invalid
            return
        }
        var end = index + 2
        if let scalar = Unicode.Scalar(unit) {
            self = .scalar(scalar)
        } else if unit < 0xDC00, end <= text.count, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"), let low = Self.unit(in: text, at: &end), low & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
        {
            self = .scalar(scalar)
            index = end
        } else {
            self = .surrogate(unit)
        }
    }

    private static func unit(in text: Span<UInt8>, at index: inout Int) -> UInt16? {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard index < text.count, let digit = hexadecimalValue(text[index]) else { return nil }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }
}

/// Decodes the escapes of a JSON string.
package enum JSONEscapes {
    /// Returns the text with its escapes replaced. An unnecessary backslash is dropped.
    ///
    /// - Parameter replacement: What a lone surrogate, or a `\u` without four hexadecimal digits, becomes.
    package static func decoded(_ text: Span<UInt8>, replacement: Unicode.Scalar = "?") -> [UInt8] {
        var decoded: [UInt8] = []
        _ = append(text, to: &decoded, surrogates: replacement, invalid: replacement)
        return decoded
    }

    /// Appends the text with its escapes replaced.
    ///
    /// - Parameters:
    ///   - surrogates: What a lone surrogate becomes. Without it, the first one ends the text.
    ///   - invalid: What a `\u` without four hexadecimal digits becomes. Without it, the first one ends the text.
    /// - Returns: The index of the escape that ends the text.
    static func append(
        _ text: Span<UInt8>,
        to decoded: inout [UInt8],
        surrogates: Unicode.Scalar? = nil,
        invalid: Unicode.Scalar? = nil
    ) -> Int? {
        decoded.reserveCapacity(decoded.count + text.count)
        var index = 0
        var plain = 0
        while case let start = text.endOfStringRun(from: index), start + 1 < text.count {
            index = start
            guard text[start] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            decoded.append(bytes: text.extracting(plain..<start))
            let escape = JSONEscape(in: text, at: &index)
            switch escape {
            case .byte(let byte): decoded.append(byte)
            case .scalar(let scalar): decoded.append(contentsOf: String(scalar).utf8)
            case .surrogate, .invalid:
                guard let replacement = escape == .invalid ? invalid : surrogates else { return start }
                decoded.append(contentsOf: String(replacement).utf8)
            }
            plain = index
        }
        decoded.append(bytes: text.extracting(plain..<text.count))
        return nil
    }
}
