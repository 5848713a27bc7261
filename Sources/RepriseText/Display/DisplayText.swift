// SPDX-License-Identifier: Apache-2.0

/// Makes text from requests and fixtures safe to display in terminals and logs.
package enum DisplayText {
    /// Returns `text` in a form that is safe to display. Invisible characters, terminal controls, characters that
    /// change the text direction, and bytes that are not UTF-8 are written as `\xNN`, byte by byte. Text longer than
    /// `limit` bytes is cut and ends with `…`.
    package static func escaped(_ text: ArraySlice<UInt8>, limit: Int = .max) -> String {
        ReportWriter.text { $0.append(value: text, limit: limit) }
    }

    /// Returns `text` in a form that is safe to display.
    package static func escaped(_ text: String, limit: Int = .max) -> String {
        // Nearly all texts are of visible ASCII characters.
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text }
        return escaped(Array(text.utf8)[...], limit: limit)
    }

    /// Returns `text`, which may have several lines, in a form that is safe to display.
    package static func escaped(lines text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(
            separator: "\n"
        )
    }

    /// Whether a character, given as at least two bytes of UTF-8, is invisible: U+0080 to U+009F, U+061C, U+200B to
    /// U+200F, U+2028 to U+202E, U+2060 to U+206F, or U+FEFF.
    static func isInvisible(_ character: ArraySlice<UInt8>) -> Bool {
        let start = character.startIndex
        switch (character[start], character[start + 1]) {
        case (0xC2, let second): return second < 0xA0
        case (0xD8, 0x9C): return true
        case (0xE2, 0x80):
            let third = character[start + 2]
            return (0x8B...0x8F).contains(third) || (0xA8...0xAE).contains(third)
        case (0xE2, 0x81): return (0xA0...0xAF).contains(character[start + 2])
        case (0xEF, 0xBB): return character[start + 2] == 0xBF
        default: return false
        }
    }

    /// Returns `text` as one shell word: unquoted if it has no special characters, otherwise in single quotes.
    package static func shellWord(_ text: String) -> String {
        let needsNoQuotes =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || "-._/:@%+=,".utf8.contains(byte)
            }
        return needsNoQuotes ? text : quotedWord(text)
    }

    /// Returns `text` in single quotes for a shell.
    package static func quotedWord(_ text: String) -> String {
        var quoted = "'"
        for character in text.unicodeScalars {
            if character == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(character) }
        }
        return quoted + "'"
    }

    /// Returns UTF-8 text as one word for a shell, without invisible characters. Returns `nil` for other bytes.
    package static func visibleWord(_ text: [UInt8]) -> String? {
        guard UTF8Sequence.isValid(text) else { return nil }
        let shown = escaped(text[...])
        return shown.utf8.elementsEqual(text) ? quotedWord(shown) : "\"$(\(printing(text)))\""
    }

    /// Returns the shell command that prints exactly these bytes. It is one line of visible characters.
    package static func printing(_ bytes: [UInt8]) -> String {
        var format = ""
        var index = 0
        while index < bytes.count {
            let length = UTF8Sequence.length(at: index, in: bytes.span)
            let character = bytes[index..<index + max(1, length)]
            switch bytes[index] {
            case UInt8(ascii: "%"): format += "%%"
            case UInt8(ascii: "\\"): format += #"\\"#
            case 0x0A: format += #"\n"#
            case let byte where length == 1 ? isPlain(byte, first: index == 0) : length > 1 && !isInvisible(character):
                format += String(decoding: character, as: UTF8.self)
            default: format += character.map { "\\\($0 >> 6)\($0 >> 3 & 7)\($0 & 7)" }.joined()
            }
            index += character.count
        }
        return "printf '\(format)'"
    }

    /// Whether an ASCII character can be itself in the format of `printf`. A hyphen at the start would begin an option.
    private static func isPlain(_ byte: UInt8, first: Bool) -> Bool {
        byte &- 0x20 < 0x5F && byte != UInt8(ascii: "'") && !(first && byte == UInt8(ascii: "-"))
    }
}

/// Returns `text`, shortened if it is too long for a message. The rest of the text is not examined.
package func clipped(_ text: String, to limit: Int = 60) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
        end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
}
