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
        switch ValueMask(value, isWhole: isWhole).judgment {
        case .message: return .message
        case .undecided where !isEnough: return .undecided
        case .undecided, .value: break
        }
        if openers.contains(value[0]) {
            guard isEnough else { return .undecided }
            return isWhole && isPlaceholder(value) ? .message : .value
        }
        if value[0] == UInt8(ascii: "-") { return judgeBlock(value, isEnough: isEnough) }
        var end = 0
        while end < value.count, isWordByte(value[end]) { end += 1 }
        // A message starts with a word, and a word is not long.
        guard end <= 20 else { return .value }
        if end == value.count {
            guard isEnough else { return .undecided }
            return isWhole && isKeyword(value) ? .message : .value
        }
        guard end > 0 else { return .value }
        switch value[end] {
        case 0x20, UInt8(ascii: ","):
            guard isEnough else { return .undecided }
            return isMessage(value) ? .message : .value
        case UInt8(ascii: "|"): return isKeyword(value.extracting(0..<end)) ? .message : .value
        case UInt8(ascii: "_"), UInt8(ascii: "-"):
            guard isEnough else { return .undecided }
            if PublicKeyText.isLine(value) { return .message }
            return isWhole && isPlaceholderName(value, firstWord: end) ? .message : .value
        default: return .value
        }
    }

    /// Decides on the start of a value that can be a certificate or a public key in PEM (RFC 7468).
    private static func judgeBlock(_ value: Span<UInt8>, isEnough: Bool) -> Judgment {
        let start = Array("-----BEGIN ".utf8)
        for index in 0..<min(start.count, value.count) where value[index] != start[index] { return .value }
        guard isEnough else { return .undecided }
        var label: [UInt8] = []
        var index = start.count
        while index < value.count, value[index] != UInt8(ascii: "-") {
            label.append(value[index])
            index += 1
        }
        let words = label.split(separator: 0x20)
        return words.contains { publicBlocks.contains(Array($0)) } ? .message : .value
    }

    /// The words in the first line of a certificate or a public key in PEM.
    private static let publicBlocks: Set<[UInt8]> = Set(["CERTIFICATE", "PUBLIC"].map { Array($0.utf8) })

    private static let openers = ByteSet("*<{$%([#")

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
            // `$encrypted$`.
            if last == UInt8(ascii: "$") { return value.count > 4 && isKeyword(value.extracting(1..<value.count - 1)) }
            return value.count > 3 && (value[1] == UInt8(ascii: "{") || value[1] == UInt8(ascii: "("))
                && (last == UInt8(ascii: "}") || last == UInt8(ascii: ")"))
        case UInt8(ascii: "["): return isCapitals(value)
        case UInt8(ascii: "#"): return value.count > 2 && value[1] == UInt8(ascii: "/")
        case UInt8(ascii: "%"): return value.count == 2 || last == UInt8(ascii: "%")
        default: return last == UInt8(ascii: ")")
        }
    }

    /// Whether the value is an uppercase word in brackets: `[FILTERED]`.
    private static func isCapitals(_ value: Span<UInt8>) -> Bool {
        guard value.count > 4, value[value.count - 1] == UInt8(ascii: "]") else { return false }
        for index in 1..<value.count - 1 where value[index] &- 0x41 >= 26 { return false }
        return true
    }

    /// Whether the value is a name for something to fill in, such as `YOUR_API_KEY`, or a keyword with hyphens.
    private static func isPlaceholderName(_ value: Span<UInt8>, firstWord end: Int) -> Bool {
        for index in value.indices {
            let byte = value[index]
            guard isWordByte(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") else { return false }
        }
        return fillers.contains(lowercased(value.extracting(0..<end))) || keywords.contains(lowercased(value))
            || isLabel(value)
    }

    private static func lowercased(_ value: Span<UInt8>) -> [UInt8] {
        var word: [UInt8] = []
        for index in value.indices { word.append(value[index].asciiLowercased) }
        return word
    }

    private static func isKeyword(_ value: Span<UInt8>) -> Bool {
        let word = lowercased(value)
        if isLabel(value) { return true }
        return keywords.contains(word) || (word.count >= 4 && word.allSatisfy { $0 == UInt8(ascii: "x") })
    }

    /// Whether a word that starts with an uppercase letter is the label of a field, also in a compound:
    /// `Zugriffstoken`, `API-Schlüssel`.
    private static func isLabel(_ value: Span<UInt8>) -> Bool {
        guard value[0] &- 0x41 < 26 else { return false }
        let word = lowercased(value)
        if labels.contains(word) { return true }
        guard value.count <= 32, let end = compounds.first(where: { word.suffix($0.count).elementsEqual($0) }) else {
            return false
        }
        return compoundStarts.contains(Array(word.dropLast(end.count)))
    }

    /// Whether several words are a message and not a passphrase: they contain a word that is typical of messages about
    /// fields, or form a sentence. A passphrase that has such a word, or that ends like a sentence, is mistaken for a
    /// message.
    private static func isMessage(_ value: Span<UInt8>) -> Bool {
        var word: [UInt8] = []
        var (words, common, hasForeign) = (0, 0, false)
        for index in 0...value.count {
            if index < value.count, isWordByte(value[index]) {
                word.append(value[index].asciiLowercased)
                continue
            }
            guard !word.isEmpty else { continue }
            words += 1
            if typicalWords.contains(word) { return true }
            if commonWords.contains(word) { common += 1 }
            if foreignWords.contains(word) { hasForeign = true }
            word.removeAll(keepingCapacity: true)
        }
        let isMarked = common > 0 || hasForeign || ".?!:".utf8.contains(value[value.count - 1])
        return value[0] &- 0x41 < 26 && (words >= 4 && common >= 2 || isMarked && isSentence(value))
    }

    /// Whether the value consists of several words without digits, and only the first one starts with an uppercase
    /// letter.
    private static func isSentence(_ value: Span<UInt8>) -> Bool {
        var end = 0
        while end < value.count, isWordByte(value[end]) { end += 1 }
        // Credentials after their scheme: `Bearer abc`.
        if schemes.contains(lowercased(value.extracting(0..<end))) { return false }
        for index in 1..<value.count {
            let byte = value[index]
            if byte &- 0x41 < 26, value[index - 1] == 0x20 { return false }
            guard isWordByte(byte) || " ,.?!:".utf8.contains(byte) else { return false }
        }
        return true
    }

    private static func set(_ words: String) -> Set<[UInt8]> {
        Set(words.split(separator: " ").map { Array($0.utf8) })
    }

    /// Values that are types in a schema or that say whether there is a value.
    private static let keywords = set(
        "always any apikey app auto basic bearer boolean default digest disabled email enabled encrypted essential false "
            + "filtered hidden include inherit integer masked necessary never none not_applicable not_available not_set not_supported "
            + "null nullable number object off omit on optional "
            + "read redacted required same-origin secretstr sms sometimes string str text totp true undefined unset write"
    )

    /// Labels of fields, which start with an uppercase letter.
    private static let labels = set(
        "contraseña hasło kennwort lösenord passcode passphrase password passwort pin secret senha token wachtwoord"
    )

    /// The last parts of labels in languages that write several words as one.
    private static let compounds = Array(
        set("geheimnis kennwort lösenord nyckel passord passwort schlüssel sleutel token wachtwoord")
    )

    /// The first parts of such labels.
    private static let compoundStarts = set(
        "aktivierungs anmelde api- app- benutzer client- geräte lizenz sicherheits sitzungs zugangs zugriffs åtkomst- "
            + "åtkomst adgangs api app toegangs"
    )

    private static let schemes = set("apikey basic bearer digest hmac key token")

    /// The first words of names for something to fill in.
    private static let fillers = set("changeme dummy enter example insert my placeholder replace sample todo your")

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

    /// Common words of other languages.
    private static let foreignWords = set(
        "clave clé contraseña das de del der des die du el ist jeton kennwort la le les passwort schlüssel senha un una und "
            + "une"
    )
}
