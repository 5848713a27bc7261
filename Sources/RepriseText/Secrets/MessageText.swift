// SPDX-License-Identifier: Apache-2.0

/// Recognizes values that describe a secret instead of being one: messages (`This field is required`), types in a
/// schema (`string`), placeholders (`<token>`, `${TOKEN}`), and masks (`********`).
package enum MessageText {
    /// Whether a value describes a secret.
    package enum Judgment: Hashable {
        case message
        case value
        /// More of the value is needed.
        case undecided
    }

    /// The number of bytes at the start of a value that are judged.
    package static var judgedLength: Int { 64 }

    /// Decides on the start of a value.
    ///
    /// - Parameters:
    ///   - value: Up to ``judgedLength`` bytes of the value.
    ///   - isWhole: Whether the value ends after these bytes.
    package static func judge(_ value: Span<UInt8>, isWhole: Bool) -> Judgment {
        guard !value.isEmpty else { return isWhole ? .value : .undecided }
        let isEnough = isWhole || value.count >= judgedLength
        if openers.contains(value[0]) {
            guard isEnough else { return .undecided }
            return isWhole && isPlaceholder(value) ? .message : .value
        }
        var end = 0
        while end < value.count, isWordByte(value[end]) { end += 1 }
        // A message starts with a word, and a word is not long.
        guard end <= 20 else { return .value }
        if end == value.count {
            guard isEnough else { return .undecided }
            return isWhole && isKeyword(value) ? .message : .value
        }
        guard value[end] == 0x20 || value[end] == UInt8(ascii: ","), end > 0 else { return .value }
        guard isEnough else { return .undecided }
        return isMessage(value) ? .message : .value
    }

    private static let openers = ByteSet("*<{$%(")

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "'") || byte >= 0x80
    }

    /// Whether the value is a mask, or a name in the brackets of a template.
    private static func isPlaceholder(_ value: Span<UInt8>) -> Bool {
        let last = value[value.count - 1]
        switch value[0] {
        case UInt8(ascii: "*"):
            var stars = 0
            for index in value.indices where value[index] == UInt8(ascii: "*") { stars += 1 }
            return stars >= 3 && stars * 2 >= value.count
        case UInt8(ascii: "<"): return value.count > 2 && last == UInt8(ascii: ">")
        case UInt8(ascii: "{"): return value.count > 4 && value[1] == UInt8(ascii: "{") && last == UInt8(ascii: "}")
        case UInt8(ascii: "$"):
            return value.count > 3 && (value[1] == UInt8(ascii: "{") || value[1] == UInt8(ascii: "("))
                && (last == UInt8(ascii: "}") || last == UInt8(ascii: ")"))
        case UInt8(ascii: "%"): return value.count == 2 || last == UInt8(ascii: "%")
        default: return last == UInt8(ascii: ")")
        }
    }

    private static func isKeyword(_ value: Span<UInt8>) -> Bool {
        var word: [UInt8] = []
        for index in value.indices { word.append(value[index].asciiLowercased) }
        return keywords.contains(word) || (word.count >= 4 && word.allSatisfy { $0 == UInt8(ascii: "x") })
            || isMask(value)
    }

    /// Whether the value consists of bullets (U+2022).
    private static func isMask(_ value: Span<UInt8>) -> Bool {
        guard value.count >= 9, value.count % 3 == 0 else { return false }
        for index in value.indices where value[index] != bullet[index % 3] { return false }
        return true
    }

    private static let bullet: [UInt8] = [0xE2, 0x80, 0xA2]

    /// Whether several words are a sentence or a part of one, as opposed to a passphrase: they contain a word that is
    /// typical of messages about fields.
    private static func isMessage(_ value: Span<UInt8>) -> Bool {
        var word: [UInt8] = []
        var (words, common) = (0, 0)
        for index in 0...value.count {
            if index < value.count, isWordByte(value[index]) {
                word.append(value[index].asciiLowercased)
                continue
            }
            guard !word.isEmpty else { continue }
            words += 1
            if typicalWords.contains(word) { return true }
            if commonWords.contains(word) { common += 1 }
            word.removeAll(keepingCapacity: true)
        }
        return words >= 4 && common >= 2 && value[0] &- 0x41 < 26
    }

    private static func set(_ words: String) -> Set<[UInt8]> {
        Set(words.split(separator: " ").map { Array($0.utf8) })
    }

    /// Values that are types in a schema or that say whether there is a value.
    private static let keywords = set(
        "any boolean false filtered hidden integer masked none null number object optional redacted required secretstr "
            + "string str text true undefined unset"
    )

    private static let typicalWords = set(
        "allowed already blank can't cannot change changed character characters common contain contains denied digits "
            + "doesn't empty enter error expired failed field forgot forgotten incorrect invalid isn't least long match "
            + "matches minimum missing must needs please provide provided required reset should unknown updated valid weak "
            + "wrong"
    )

    private static let commonWords = set(
        "a account an and are as at be been by for from has have in is it key not of on or password secret that the this "
            + "to token use used user was will with you your"
    )
}
