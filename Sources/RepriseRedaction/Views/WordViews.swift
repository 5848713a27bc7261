// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ViewScan {
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

    private static let schemes = WordTable<Bool>([
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
        guard 3...16 ~= word.count, word.upperBound < text.count, text[word.upperBound] == 0x20 else { return }
        // The lines of a .netrc: `login x password y`.
        if word.count == 8, text.hasWord(Self.password, at: word.lowerBound), words.contains(Self.login, text) {
            return visit(text, Self.token(text, from: word.upperBound), Verdict())
        }
        // The word can follow a quote or a colon.
        var start = word.upperBound
        while start > word.lowerBound, Self.schemeBytes.contains(text[start - 1]) { start -= 1 }
        guard Self.schemes[text.extracting(start..<word.upperBound)] != nil else {
            return lookBehindWord(text, word, words)
        }
        let token = Self.token(text, from: word.upperBound)
        guard token.count >= 6 else { return }
        let value = text.extracting(token)
        let isBasic = text.hasWord(Self.basic, at: start) && EncodedText.isCredentials(value)
        visit(text, token, Verdict(isLikely: !isBasic))
    }

    private static let schemeBytes = ByteSet.letters.union(ByteSet("-_"))
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

    private static let code = Array("code".utf8)

    /// The words before `code` in a message to a user: `enter code 482913`. An `error code` is harmless.
    private static let codeVerbs = WordTable<Bool>([
        (["access", "enter", "login", "security", "sms", "use", "using", "verify", "your"], true)
    ])

    /// Whether a phrase names the code in a message to a user, `your code` or `Your Acme code`, and the value can be it.
    func isMessageCode(_ text: Span<UInt8>, _ value: Range<Int>, _ phrase: Range<Int>) -> Bool {
        var words: [Range<Int>] = []
        var start = phrase.lowerBound
        while start < phrase.upperBound {
            let end = text.firstIndex(of: 0x20, in: start..<phrase.upperBound) ?? phrase.upperBound
            if start < end { words.append(start..<end) }
            if words.last?.count == 4, text.hasWord(Self.code, at: start) { break }
            start = end + 1
        }
        guard words.count > 1, let last = words.popLast(), text.hasWord(Self.code, at: last.lowerBound),
            last.count == 4, 4...8 ~= value.count, value.allSatisfy({ isDigit(text[$0]) })
        else { return false }
        // A name can stand before the word. `Your code is 2000 lines long` is about a program.
        let hasName = words.last.map { text[$0.lowerBound] &- 0x41 < 26 } ?? false
        guard words.suffix(hasName ? 2 : 1).contains(where: { Self.codeVerbs[text.extracting($0)] != nil }) else {
            return false
        }
        return value.count >= 6 || value.upperBound == text.count
            || !isWordByte(text[value.upperBound])
                && (text[value.upperBound] != 0x20 || value.upperBound < phrase.lowerBound)
    }

    /// Looks at the value in `PASSWORD x`, `API key x`, and `enter code x`.
    private mutating func lookBehindWord(_ text: Span<UInt8>, _ word: Range<Int>, _ words: WordReader) {
        let token = Self.token(text, from: word.upperBound)
        guard token.count >= 4, token.contains(where: { isDigit(text[$0]) }) else { return }
        if isMessageCode(text, token, words.phrase(before: word).lowerBound..<word.upperBound) {
            return cut(token)
        }
        var verdict = verdict(on: text.extracting(word))
        if verdict == nil || verdict?.isLikely == true {
            verdict = self.verdict(on: text.extracting(words.pair(with: word)))
        }
        guard let verdict, !verdict.isLikely else { return }
        _ = visitPassword(text, token, verdict)
    }

    /// Cuts a value in running text if it looks like a secret, or like a password after a certain name.
    mutating func visitPassword(_ text: Span<UInt8>, _ value: Range<Int>, _ verdict: Verdict) -> Bool {
        let isCertain = (verdict.kind == .sure || verdict.kind == .sureUnlessDigit) && isPassword(text, value)
        let count = cuts.count
        visit(text, value, isCertain ? verdict : verdict.hinting)
        return cuts.count > count
    }

    /// Whether a value has the form that many sites demand of a password: letters in both cases, digits and another
    /// sign, in at least eight characters.
    private func isPassword(_ text: Span<UInt8>, _ value: Range<Int>) -> Bool {
        guard value.count >= 8 else { return false }
        var kinds: UInt8 = 0
        for index in value {
            let byte = text[index]
            if isDigit(byte) {
                kinds |= 1
            } else if (byte | 0x20) &- 0x61 < 26 {
                kinds |= byte & 0x20 == 0 ? 2 : 4
            } else if "!#$%&*+?@^~".utf8.contains(byte) {
                kinds |= 8
            } else if byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") || byte <= 0x20 {
                return false
            }
        }
        return kinds == 15
    }

    /// Looks at the value in `482913 is your login code`.
    private mutating func lookBeforeName(_ text: Span<UInt8>, _ words: WordReader, at end: Int) {
        guard let value = words.last, 4...16 ~= value.count, isDigit(text[value.upperBound - 1]) else { return }
        var stop = text.firstVisible(from: end)
        while stop < text.count, stop - end < 48, (text[stop] | 0x20) &- 0x61 < 26 || text[stop] == 0x20 { stop += 1 }
        let phrase = text.trimmed(end..<stop)
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
        _ = visitPassword(text, token, verdict)
    }

    // MARK: Options of commands

    private static let userOptions = ["-u", "--user", "-U", "--proxy-user"].map { Array($0.utf8) }
    private static let cookieOptions = ["-b", "--cookie"].map { Array($0.utf8) }

    /// Options that mean a password or token in some commands, and something else in others.
    private static let shortOptions = ["-p", "-P", "-t", "-k"].map { Array($0.utf8) }

    private mutating func lookAtOption(_ text: Span<UInt8>, _ word: Range<Int>) {
        let option = text.extracting(word)
        guard word.count <= 64, let argument = ShellWord(text, from: word.upperBound) else { return }
        let label = Array(bytes: option)
        if Self.userOptions.contains(label) { return lookAtUser(text, argument.range) }
        if Self.cookieOptions.contains(label) { return lookAtCookies(text, argument.range) }
        if Self.shortOptions.contains(label), !argument.isQuoted {
            return visit(text, argument.range, Verdict(isLikely: true))
        }
        if label.count > 3, label[1] == UInt8(ascii: "-"),
            let verdict = verdict(on: option.extracting(2..<option.count)),
            text[argument.range.lowerBound] != UInt8(ascii: "-")
        {
            return visit(text, argument.range, verdict)
        }
        guard argument.isQuoted else { return }
        visit(text, argument.range, nil, escapes: argument.escapes)
    }

    /// Looks at `user:password`. If there is no password, the user can be a token.
    private mutating func lookAtUser(_ text: Span<UInt8>, _ range: Range<Int>) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":"), in: range) else { return }
        let password = colon + 1..<range.upperBound
        guard password.isEmpty else {
            guard !LiteralWord.isLiteral(text.extracting(password)) else { return }
            return visit(text, password, Verdict())
        }
        visit(text, range.lowerBound..<colon, Verdict(isLikely: true))
    }

    private mutating func lookAtCookies(_ text: Span<UInt8>, _ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            var equals: Int?
            while end < range.upperBound, text[end] != UInt8(ascii: ";") {
                if equals == nil, text[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if let equals { visit(text, equals + 1..<end, Verdict()) }
            start = end + 1
        }
    }
}

/// Reads the words of a text, separated by whitespace.
struct WordReader {
    private var index = 0
    /// The words before the current one in its line, the last of them last.
    private var before: [Range<Int>] = []

    mutating func next(_ text: Span<UInt8>) -> Range<Int>? {
        if let last = current { before.append(last) }
        if before.count > 8 { before.removeFirst(4) }
        while index < text.count, text[index] <= 0x20 {
            if text[index] == 0x0A { before.removeAll(keepingCapacity: true) }
            index += 1
        }
        guard index < text.count else { return nil }
        let start = index
        while index < text.count, text[index] > 0x20 { index += 1 }
        current = start..<index
        return current
    }

    private var current: Range<Int>?

    /// The range of up to three words before a word.
    func phrase(before word: Range<Int>) -> Range<Int> {
        guard let first = before.suffix(3).first else { return word.lowerBound..<word.lowerBound }
        return first.lowerBound..<max(first.lowerBound, word.lowerBound - 1)
    }

    /// The word before the current one in its line.
    var last: Range<Int>? { before.last }

    /// The range of a word and the one before it.
    func pair(with word: Range<Int>) -> Range<Int> {
        guard let last = before.last, last.upperBound + 1 == word.lowerBound else { return word }
        return last.lowerBound..<word.upperBound
    }

    /// Whether a word precedes the current one in its line.
    func contains(_ word: [UInt8], _ text: Span<UInt8>) -> Bool {
        before.contains { $0.count == word.count && text.hasWord(word, at: $0.lowerBound) }
    }
}

/// An argument of a command.
struct ShellWord {
    /// The range without quotes.
    let range: Range<Int>
    let isQuoted: Bool
    let escapes: TextEscapes

    /// Reads the word after spaces. Returns `nil` at the end of the line.
    init?(_ text: Span<UInt8>, from start: Int) {
        var index = start
        while index < text.count, text[index] == 0x20 { index += 1 }
        // A line can continue after a backslash.
        guard index < text.count, text[index] > 0x20 else { return nil }
        if text[index] == UInt8(ascii: "$"), index + 1 < text.count, text[index + 1] == UInt8(ascii: "'") { index += 1 }
        let quote = text[index]
        guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
            let first = index
            while index < text.count, text[index] > 0x20, text[index] != UInt8(ascii: "\"") { index += 1 }
            guard index > first else { return nil }
            (range, isQuoted, escapes) = (first..<index, false, .none)
            return
        }
        let first = index + 1
        index = first
        while index < text.count, text[index] != quote {
            index += text[index] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
        }
        guard index < text.count, index > first else { return nil }
        (range, isQuoted, escapes) = (first..<index, true, quote == UInt8(ascii: "\"") ? .backslash : .none)
    }
}
