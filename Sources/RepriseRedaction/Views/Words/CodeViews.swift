// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    private static let code = Array("code".utf8)

    /// The words before `code` in a message to a user: `enter code 482913`. An `error code` is harmless.
    private static let codeVerbs = WordTable<Bool>([
        (["access", "enter", "login", "security", "sms", "use", "using", "verify", "your"], true)
    ])

    /// Whether a value can be the code that a phrase names in a message to a user: `your code`, `Your Acme code`.
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

    private static let useVerbs = WordTable<Bool>([(["enter", "type", "use"], true)])
    /// What users do with a code.
    static let purposes = WordTable<Bool>([
        (["authenticate", "confirm", "log", "login", "sign", "signin", "verify"], true)
    ])
    private static let (to, `as`) = (Array("to".utf8), Array("as".utf8))

    /// Whether a value after a word is the code in a message to a user: `Use 482913 to sign in`, `Enter 482913 as your
    /// Acme code`.
    func isCodeToUse(_ text: Span<UInt8>, _ word: Range<Int>, _ value: Range<Int>) -> Bool {
        guard Self.useVerbs[text.extracting(word)] != nil, 4...8 ~= value.count,
            value.allSatisfy({ isDigit(text[$0]) })
        else { return false }
        let phrase = self.phrase(text, behind: value.upperBound)
        guard phrase.count > 3, text[phrase.lowerBound + 2] == 0x20 else { return false }
        let rest = phrase.lowerBound + 3..<phrase.upperBound
        if text.hasWord(Self.as, at: phrase.lowerBound) { return isMessageCode(text, value, rest) }
        let end = text.firstIndex(of: 0x20, in: rest) ?? rest.upperBound
        return text.hasWord(Self.to, at: phrase.lowerBound)
            && Self.purposes[text.extracting(rest.lowerBound..<end)] != nil
    }

    private static let verbs = WordTable<Bool>([(["does", "has", "is", "was"], true)])
    private static let rejections = WordTable<Bool>([
        (["already", "expired", "incorrect", "invalid", "not", "wrong"], true)
    ])

    /// Whether a text starts with a code that was not accepted: `Code 482913 is not valid`.
    func isRejectedCode(_ text: Span<UInt8>, _ word: Range<Int>, _ value: Range<Int>) -> Bool {
        guard word.count == 4, text.hasWord(Self.code, at: word.lowerBound), 6...8 ~= value.count,
            value.allSatisfy({ isDigit(text[$0]) })
        else { return false }
        let phrase = self.phrase(text, behind: value.upperBound)
        let end = text.firstIndex(of: 0x20, in: phrase) ?? phrase.upperBound
        guard Self.verbs[text.extracting(phrase.lowerBound..<end)] != nil, end < phrase.upperBound else { return false }
        let rest = end + 1..<phrase.upperBound
        let next = text.firstIndex(of: 0x20, in: rest) ?? rest.upperBound
        return Self.rejections[text.extracting(rest.lowerBound..<next)] != nil
    }

    /// Returns the range of the words after `start`, up to another character or a length that is enough for a name.
    func phrase(_ text: Span<UInt8>, behind start: Int) -> Range<Int> {
        var end = text.firstVisible(from: start)
        while end < text.count, end - start < 48, (text[end] | 0x20) &- 0x61 < 26 || text[end] == 0x20 { end += 1 }
        return text.trimmed(start..<end)
    }
}
