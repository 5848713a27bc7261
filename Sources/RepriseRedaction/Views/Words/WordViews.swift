// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    /// Looks for secrets after certain words: `Bearer x`, `the password is x`, `--password x`, `-u user:x`.
    mutating func lookAtWords(_ text: Span<UInt8>) {
        var words = WordReader()
        while let word = words.next(text) {
            switch text[word.lowerBound] {
            case UInt8(ascii: "-"): lookAtOption(text, word)
            case UInt8(ascii: "i"), UInt8(ascii: "I"):
                if 2...3 ~= word.count, text[word.lowerBound + 1] | 0x20 == UInt8(ascii: "s"),
                    word.count == 2 || text[word.lowerBound + 2] == UInt8(ascii: ":")
                {
                    lookBeforeName(text, words, at: word.upperBound)
                    lookBehindName(text, words.phrase(before: word), at: word.upperBound)
                }
            default: lookAtWord(text, word, words)
            }
        }
    }

    // MARK: Credentials after their scheme

    static let schemesInProse = WordTable<Bool>([
        (
            [
                "bearer", "basic", "token", "apikey", "api-key", "negotiate", "ntlm", "bot", "ssws", "splunk", "dpop",
                "jwt", "genie-key", "zoho-oauthtoken",
            ], true
        )
    ])
    private static let basic = Array("basic".utf8)
    private static let password = Array("password".utf8)
    private static let login = Array("login".utf8)

    private mutating func lookAtWord(_ text: Span<UInt8>, _ word: Range<Int>, _ words: WordReader) {
        // A comparison in OData and SCIM: `ApiKey eq 'x'`.
        if word.count == 2, text.hasWord(Self.equals, at: word.lowerBound), let name = words.last, name.count <= 64,
            let verdict = verdict(on: text.extracting(name)),
            let value = AssignmentValue.quoted(text, from: word.upperBound)
        {
            return visit(text, value, verdict)
        }
        if lookAtSetting(text, word, words) || lookAtDevice(text, word, words) || lookAtCode(text, word, words) {
            return
        }
        guard word.upperBound < text.count, text[word.upperBound] == 0x20 else { return }
        // A command of PowerShell: `(ConvertTo-SecureString "x" -AsPlainText -Force)`.
        if 22...24 ~= word.count, text.hasWord(Self.secureString, at: word.upperBound - 22) {
            guard let value = AssignmentValue.quoted(text, from: word.upperBound) else { return }
            return visit(text, value, Verdict())
        }
        guard 2...16 ~= word.count else { return }
        // The lines of a .netrc: `login x password y`.
        if word.count == 8, text.hasWord(Self.password, at: word.lowerBound),
            words.contains(Self.login, text) || words.last == nil && followsLogin(text, word)
        {
            return visit(text, Self.token(text, from: word.upperBound), Verdict())
        }
        // The login of a mail client: `AUTH PLAIN x`.
        if word.count == 5, text.hasWord(Self.plain, at: word.lowerBound), let last = words.last,
            Self.authentications.contains(where: { last.count == $0.count && text.hasWord($0, at: last.lowerBound) })
        {
            // The user's name and the password follow zero bytes (RFC 4616 section 2).
            let token = Self.token(text, from: word.upperBound)
            let decoded = Base64.decodeLeniently(Array(bytes: text.extracting(token))[...])
            if decoded?.contains(0) == true { visit(text, token, Verdict()) }
            return
        }
        // The word can follow a quote or a colon.
        var start = word.upperBound
        while start > word.lowerBound, Self.schemeBytes.contains(text[start - 1]) { start -= 1 }
        guard Self.schemesInProse[text.extracting(start..<word.upperBound)] != nil else {
            return lookBehindWord(text, word, words)
        }
        let token = Self.token(text, from: word.upperBound)
        guard token.count >= 6 else { return }
        let value = text.extracting(token)
        let isBasic = text.hasWord(Self.basic, at: start) && EncodedText.isCredentials(value)
        visit(text, token, Verdict(isLikely: !isBasic))
    }

    private static let equals = Array("eq".utf8)
    private static let secureString = Array("convertto-securestring".utf8)
    private static let plain = Array("plain".utf8)
    private static let authentications = ["auth", "authenticate"].map { Array($0.utf8) }
    private static let machine = Array("machine ".utf8)
    private static let loginLine = Array("login ".utf8)

    /// Whether the two lines above a word contain a machine and a login, as in a `.netrc` file.
    private func followsLogin(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
        var end = word.lowerBound
        for name in [Self.loginLine, Self.machine] {
            while end > 0, text[end - 1] <= 0x20 { end -= 1 }
            while end > 0, text[end - 1] != 0x0A { end -= 1 }
            guard text.hasWord(name, at: text.firstVisible(from: end)) else { return false }
        }
        return true
    }

    static let schemeBytes = ByteSet.letters.union(ByteSet("-_"))
    private static let tokenEnds: ByteSet = {
        var set = ByteSet(" \"'<>\\`,;)}]|")
        for byte in UInt8(0)..<0x20 { set.insert(byte) }
        return set
    }()

    /// Returns the characters after spaces and a quote, up to the next space, quote or separator.
    private static func token(_ text: Span<UInt8>, from start: Int) -> Range<Int> {
        var lower = start
        while lower < text.count, text[lower] == 0x20 || text[lower] == 0x09 { lower += 1 }
        if lower < text.count, "\"'`:".utf8.contains(text[lower]) { lower += 1 }
        if RedactionMarker.end(at: min(lower, max(0, text.count - 1)), in: text) != nil { return lower..<lower }
        var upper = lower
        while upper < text.count, !tokenEnds.contains(text[upper]) {
            // A marker contains a bracket that ends other tokens.
            let marker = text[upper] == UInt8(ascii: "[") ? RedactionMarker.end(at: upper, in: text) : nil
            upper = marker ?? upper + 1
        }
        // A sentence ends with a period.
        if upper > lower, text[upper - 1] == UInt8(ascii: ".") || text[upper - 1] == UInt8(ascii: ":") { upper -= 1 }
        return lower..<upper
    }

    private static let identified = Array("identified".utf8)
    private static let with = Array("with".utf8)
    private static let (passwordOfRole, by) = (Array("PASSWORD".utf8), Array("by".utf8))
    private static let statements = ["alter", "create", "grant", "set"].map { Array($0.utf8) }

    /// Whether a word precedes a password in SQL: `ALTER ROLE a PASSWORD 'x'`, `CREATE USER a IDENTIFIED BY 'x'`.
    private func isStatement(_ text: Span<UInt8>, _ word: Range<Int>, _ words: WordReader) -> Bool {
        guard word.upperBound + 1 < text.count, text[word.upperBound + 1] == UInt8(ascii: "'") else { return false }
        if word.count == 2 {
            guard text.hasWord(Self.by, at: word.lowerBound), let last = words.last,
                last.count == Self.identified.count && text.hasWord(Self.identified, at: last.lowerBound)
                    || words.contains(Self.identified, text) && words.contains(Self.with, text)
            else { return false }
        } else {
            guard word.count == 8, text.has(Self.passwordOfRole, at: word.lowerBound) else { return false }
        }
        return Self.statements.contains { words.contains($0, text) }
    }

    /// Looks at the value in `PASSWORD x`, `API key x`, and `enter code x`.
    private mutating func lookBehindWord(_ text: Span<UInt8>, _ word: Range<Int>, _ words: WordReader) {
        let token = Self.token(text, from: word.upperBound)
        let isQuoted = token.lowerBound > word.upperBound && "\"'`".utf8.contains(text[token.lowerBound - 1])
        guard token.count >= 4, isQuoted || token.contains(where: { isDigit(text[$0]) }) else { return }
        if isCodeToUse(text, word, token) || words.last == nil && isRejectedCode(text, word, token)
            || isMessageCode(text, token, words.phrase(before: word).lowerBound..<word.upperBound)
        {
            return cut(token)
        }
        if isQuoted, isStatement(text, word, words), let value = AssignmentValue.quoted(text, from: word.upperBound) {
            return visit(text, value, Verdict())
        }
        var verdict = verdict(on: text.extracting(word))
        if verdict == nil || verdict?.isLikely == true {
            let pair = text.extracting(words.pair(with: word))
            verdict = rules.names.allows(pair, in: .json) ? nil : self.verdict(on: pair)
        }
        guard let verdict, !verdict.isLikely else { return }
        // A capital starts the label of a field, which can be followed by anything.
        let isLabel = text[word.lowerBound] &- 0x41 < 26
        _ = visitPassword(text, token, verdict, kinds: isLabel ? 4 : 3)
    }

    /// Cuts a value in running text if it looks like a secret, or like a password after a certain name.
    ///
    /// - Parameter kinds: The number of kinds of characters in a password, see ``PasswordForm``. The default is 4, as
    ///   many sites require. If the name and the value are fields of their own, 2 are enough.
    mutating func visitPassword(
        _ text: Span<UInt8>,
        _ value: Range<Int>,
        _ verdict: Verdict,
        kinds: Int = 4
    ) -> Bool {
        let word = text.extracting(value)
        let isPassword =
            PasswordForm.isDemanded(word)
            || PasswordForm.isPlausible(word, kinds: kinds) && self.verdict(on: word) == nil
        let isCertain = verdict.isCertain && isPassword
        let count = cuts.count
        visit(text, value, isCertain ? verdict : verdict.hinting)
        return cuts.count > count
    }

    /// Looks at the value in `482913 is your login code`.
    private mutating func lookBeforeName(_ text: Span<UInt8>, _ words: WordReader, at end: Int) {
        guard let value = words.last, 4...16 ~= value.count, isDigit(text[value.upperBound - 1]) else { return }
        let phrase = phrase(text, behind: end)
        guard !phrase.isEmpty else { return }
        if isMessageCode(text, value, phrase) { return cut(value) }
        guard let verdict = verdict(on: text.extracting(phrase)) else { return }
        visit(text, value, verdict.hinting)
    }

    /// Looks at the value in `the password is x`.
    private mutating func lookBehindName(_ text: Span<UInt8>, _ phrase: Range<Int>, at end: Int) {
        guard !phrase.isEmpty, phrase.count <= 64 else { return }
        var start = end
        while start < text.count, text[start] == 0x20 || text[start] == UInt8(ascii: ":") { start += 1 }
        let token = Self.token(text, from: start)
        if isMessageCode(text, token, phrase) { return cut(token) }
        guard let verdict = verdict(on: text.extracting(phrase)) else { return }
        // `Your one-time passcode is 482913`.
        if verdict.kind == .sure, CodeValue.isNumericCode(text.extracting(token)) { return cut(token, verdict) }
        _ = visitPassword(text, token, verdict, kinds: 3)
    }
}
