// SPDX-License-Identifier: Apache-2.0

/// A piece of a date format of Java, such as `yyyy-MM-dd'T'HH:mm:ss`.
package enum DatePiece: Sendable, Hashable {
    /// Text that stands for itself.
    case text(String)
    /// A run of the same letter.
    case field(Character, Int)

    /// A letter or another character that a format cannot have.
    package struct Invalid: Error, Hashable {
        package let letter: Character
    }

    /// Returns the pieces of a format. Text in single quotation marks stands for itself. Two marks in a row, inside or
    /// alone, are one: `'o''clock'`, `''`.
    ///
    /// - Parameters:
    ///   - letters: The letters that have a meaning.
    ///   - longest: The longest run of a letter.
    ///   - reserved: Other characters that are not allowed without quotation marks.
    ///   - closesQuotes: Whether a quotation mark without a second one is invalid. Otherwise, it ends with the format.
    package static func pieces(
        of format: String,
        letters: String,
        longest: Int = .max,
        reserved: String = "",
        closesQuotes: Bool
    ) throws(Invalid) -> [DatePiece] {
        var pieces: [DatePiece] = []
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            if character == "'" {
                guard takeQuoted(from: &rest, to: &text) || !closesQuotes else { throw Invalid(letter: character) }
            } else if character.isASCII, character.isLetter {
                let count = 1 + rest.prefix { $0 == character }.count
                guard letters.contains(character), count <= longest else { throw Invalid(letter: character) }
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(.field(character, count))
                rest = rest.dropFirst(count - 1)
            } else {
                guard !reserved.contains(character) else { throw Invalid(letter: character) }
                text.append(character)
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        return pieces
    }

    /// Takes the text after a quotation mark. Returns `false` if no other mark ends it.
    private static func takeQuoted(from rest: inout Substring, to text: inout String) -> Bool {
        var isEmpty = true
        while let character = rest.popFirst() {
            if character == "'" {
                guard rest.first == "'" else {
                    if isEmpty { text.append(character) }
                    return true
                }
                rest.removeFirst()
            }
            text.append(character)
            isEmpty = false
        }
        if isEmpty { text.append("'") }
        return false
    }
}
