// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    private static let (set, environment) = (Array("set".utf8), Array("ENV".utf8))

    /// Looks at the value after a name in a command: `ENV DB_PASSWORD x` in a Dockerfile, `aws configure set
    /// aws_secret_access_key x`. Returns `false` for other words.
    mutating func lookAtSetting(_ text: Span<UInt8>, _ word: Range<Int>, _ words: WordReader) -> Bool {
        guard let last = words.last, last.count == 3, 3...64 ~= word.count, word.upperBound < text.count,
            text[word.upperBound] == 0x20
        else { return false }
        // In prose, no name has an underscore.
        let isVariable = text.firstIndex(of: UInt8(ascii: "_"), in: word) != nil
        guard
            text.has(Self.environment, at: last.lowerBound)
                || isVariable && text.hasWord(Self.set, at: last.lowerBound),
            let verdict = verdict(on: text.extracting(word)), verdict.isCertain,
            let value = ShellWord(text, from: word.upperBound), value.canBePassword(text),
            // A word without a digit can be anything.
            value.range.contains(where: { isDigit(text[$0]) }),
            !ValueReference.isReference(text, value.range), !LiteralWord.isLiteral(text.extracting(value.range))
        else { return false }
        visit(text, value.range, verdict, escapes: value.escapes)
        return true
    }

    // MARK: Devices in a network

    private static let communityOwner = Array("snmp-server".utf8)
    private static let keyOwner = Array("isakmp".utf8)
    private static let (community, key) = (Array("community".utf8), Array("key".utf8))
    private static let numbered = WordTable<Bool>([(["key", "password", "secret"], true)])
    private static let lineStarts = ["enable", "neighbor", "server", "username"].map { Array($0.utf8) }

    /// Looks at the secret in a line of a router's configuration: `username ada password 7 x`, `enable secret 9 x`,
    /// `snmp-server community x RO`, `crypto isakmp key x address …`. Returns `false` for other words.
    mutating func lookAtDevice(_ text: Span<UInt8>, _ word: Range<Int>, _ words: WordReader) -> Bool {
        guard 3...9 ~= word.count, word.upperBound + 2 < text.count, let last = words.last else { return false }
        var start = word.upperBound + 1
        let isOwned =
            word.count == Self.community.count && text.hasWord(Self.community, at: word.lowerBound)
            && last.count == Self.communityOwner.count && text.hasWord(Self.communityOwner, at: last.lowerBound)
            || word.count == 3 && text.hasWord(Self.key, at: word.lowerBound)
                && last.count == Self.keyOwner.count && text.hasWord(Self.keyOwner, at: last.lowerBound)
        if !isOwned {
            // The number of the encoding precedes the secret.
            guard isDigit(text[start]), text[start + 1] == 0x20, Self.numbered[text.extracting(word)] != nil,
                Self.lineStarts.contains(where: { words.contains($0, text) })
            else { return false }
            start += 2
        }
        guard let value = ShellWord(text, from: start), value.range.count >= 4,
            value.range.contains(where: { isDigit(text[$0]) })
        else { return false }
        visit(text, value.range, Verdict())
        return true
    }

    // MARK: Codes in languages other than English

    /// The words between a code and its name: `Ihr Code lautet 482913`.
    private static let codeVerbs = Set(words: ["es", "est", "e", "è", "é", "ist", "lautet"])
    /// The words that name a code, alone or at the end of a longer word.
    private static let codeWords = ["code", "kode", "código", "codigo", "codice"].map { Array($0.utf8) }
    /// The starts of words that say what a code is for.
    private static let codePurposes = [
        "acceso", "accès", "anmeld", "bestätigung", "bevestiging", "conferma", "confirma", "connexion", "einmal",
        "freischalt", "login", "seguran", "segurid", "sicherheit", "sicurezza", "sécurité", "verif", "vérif", "zugang",
        "zugriff",
    ].map { Array($0.utf8) }
    /// Words for the owner of a code: `Ihr Code lautet 482913`.
    private static let codeOwners = Set(words: ["dein", "ihr", "il", "seu", "su", "tu", "tuo", "votre", "uw"])

    /// Looks at the number in `Ihr Bestätigungscode lautet 482913`. Returns `false` for other words.
    mutating func lookAtCode(_ text: Span<UInt8>, _ word: Range<Int>, _ words: WordReader) -> Bool {
        guard 1...6 ~= word.count, words.last != nil else { return false }
        let start = text.firstVisible(from: word.upperBound)
        // Few words precede a number.
        guard start < text.count, isDigit(text[start]), Self.codeVerbs.contains(Array(bytes: text.extracting(word)))
        else { return false }
        var end = start
        while end < text.count, isDigit(text[end]) { end += 1 }
        guard 4...8 ~= end - start, end == text.count || !isWordByte(text[end]),
            namesCode(text, words.phrase(before: word))
        else { return false }
        cut(start..<end)
        return true
    }

    /// Whether a phrase names a code and shows what it is for (`Bestätigungscode`), or ends with an owner and a bare
    /// word for a code: `Ihr Code`.
    private func namesCode(_ text: Span<UInt8>, _ phrase: Range<Int>) -> Bool {
        var (isCode, isOwned, hasPurpose) = (false, false, false)
        var followsOwner = false
        var start = phrase.lowerBound
        while start < phrase.upperBound {
            let end = text.firstIndex(of: 0x20, in: start..<phrase.upperBound) ?? phrase.upperBound
            let word = start..<end
            if Self.codePurposes.contains(where: { text.hasWord($0, at: start) }) { hasPurpose = true }
            let name = Self.codeWords.first { word.count >= $0.count && text.hasWord($0, at: end - $0.count) }
            if let name {
                isCode = true
                // `Ihr Gutscheincode` and `il tuo codice cliente` are no codes for a login.
                isOwned = followsOwner && word.count == name.count && end == phrase.upperBound
            }
            followsOwner = Self.codeOwners.contains(Array(lowercasing: text.extracting(word)))
            start = end + 1
        }
        return isCode && (hasPurpose || isOwned)
    }

    /// Whether a run of ASCII letters can be the end of a word for a code (`código`), see ``lookAtCode(_:_:_:)``.
    static func endsLikeCode(_ word: Span<UInt8>) -> Bool {
        [digo, codeWords[0], codeWords[1], codeWords[4]].contains { word.hasWord($0, at: word.count - $0.count) }
    }

    private static let digo = Array("digo".utf8)
}
