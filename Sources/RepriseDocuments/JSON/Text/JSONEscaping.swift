// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The characters that are escaped in a JSON string in addition to those that must be (RFC 8259 section 7).
enum JSONEscaping: Sendable {
    /// None.
    case required
    /// Slashes.
    case slashes
    /// Characters that are invisible in a diff.
    case invisible

    /// Appends a string with its quotes.
    func append(_ string: String, to text: inout [UInt8]) {
        let start = text.count
        text.append(UInt8(ascii: "\""))
        text.append(contentsOf: string.utf8)
        if indexOfSpecial(text.span, from: start + 1) < text.count {
            text.removeSubrange(start...)
            append(Array(string.utf8), to: &text)
        } else {
            text.append(UInt8(ascii: "\""))
        }
    }

    /// Appends a string with its quotes. `utf8` must be valid.
    func append(_ utf8: [UInt8], to text: inout [UInt8]) {
        let slice = utf8[...]
        text.append(UInt8(ascii: "\""))
        var kept = 0
        var index = 0
        while case let start = indexOfSpecial(slice.span, from: index), start < utf8.count {
            let byte = utf8[start]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/") {
                text.append(contentsOf: utf8[kept..<start])
                text.append(UInt8(ascii: "\\"))
                (kept, index) = (start, start + 1)
                continue
            }
            index = start + max(1, UTF8Sequence.length(at: start, in: slice.span))
            if let escape = escape(utf8[start..<index]) {
                text.append(contentsOf: utf8[kept..<start])
                text.append(contentsOf: escape.utf8)
                kept = index
            }
        }
        text.append(contentsOf: utf8[kept...])
        text.append(UInt8(ascii: "\""))
    }

    /// Returns the index of the first byte at or after `start` that may have to be escaped, or the number of bytes.
    @inline(__always)
    private func indexOfSpecial(_ text: Span<UInt8>, from start: Int) -> Int {
        var index = text.endOfPlainRun(from: start, stoppingAtSlashes: self == .slashes)
        while self != .invisible, index < text.count, text[index] >= 0x80 {
            index = text.endOfPlainRun(from: index + 1, stoppingAtSlashes: self == .slashes)
        }
        return index
    }

    /// Returns the escape of a control character or a non-ASCII character, or `nil` if it needs none.
    private func escape(_ character: ArraySlice<UInt8>) -> String? {
        var value = UInt32(character.first ?? 0)
        if value >= 0x80 {
            value = String(decoding: character, as: UTF8.self).unicodeScalars.first?.value ?? 0
        }
        switch value {
        case 0x08: return "\\b"
        case 0x09: return "\\t"
        case 0x0A: return "\\n"
        case 0x0C: return "\\f"
        case 0x0D: return "\\r"
        // Controls, line and paragraph separators, characters that change the text direction, and the byte order mark.
        case 0..<0x20, 0x80..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
            return "\\u" + hexadecimal(UInt64(value), digits: 4)
        default: return nil
        }
    }
}
