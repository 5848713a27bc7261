// SPDX-License-Identifier: Apache-2.0

/// Text of requests and fixtures, made fit for terminals and logs.
package enum DisplayText {
    /// `text` as it may be shown: what is invisible, what controls a terminal or turns the direction of text is spelled
    /// `\xNN`, byte by byte, and so is what is not UTF-8; what is longer than `limit` bytes is cut and ends with `…`.
    package static func escaped(_ text: ArraySlice<UInt8>, limit: Int = .max) -> String {
        ReportWriter.text { $0.append(value: text, limit: limit) }
    }

    /// `text` as it may be shown.
    package static func escaped(_ text: String, limit: Int = .max) -> String {
        escaped(Array(text.utf8)[...], limit: limit)
    }

    /// Whether a character, given as at least two bytes of UTF-8, is one that no reader sees: U+0080 to U+009F and
    /// U+061C, U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F, U+FEFF.
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

    /// `text` as one word for a shell: bare if nothing in it means anything to one, or else in single quotes.
    package static func shellWord(_ text: String) -> String {
        let isBare =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || "-._/".utf8.contains(byte)
            }
        return isBare ? text : quotedWord(text)
    }

    /// `text` in single quotes, for a shell.
    package static func quotedWord(_ text: String) -> String {
        var quoted = "'"
        for character in text.unicodeScalars {
            if character == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(character) }
        }
        return quoted + "'"
    }
}
