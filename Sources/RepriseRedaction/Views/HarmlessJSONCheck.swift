// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// A quick check for JSON in which views find nothing that the scanner for JSON does not: its strings have no escapes,
/// no signs that separate names from values, and nothing that can be Base64, and its keys do not name other fields.
/// Most events of a stream pass it.
///
/// The text must also be scanned as JSON, which finds values by their keys.
struct HarmlessJSONCheck {
    private var roles: UInt8 = 0
    /// Whether there is a number in prose.
    private var hasNumber = false
    private var hasURL = false
    private var hasAt = false
    private var hasBracket = false

    /// Whether nothing in `text` is worth a view.
    ///
    /// - Parameter hasNumbers: Whether numbers in prose are allowed if no word in the text names a code.
    static func isPlain(_ text: Span<UInt8>, _ names: SecretNames, hasNumbers: Bool = true) -> Bool {
        guard text.count > 1, text[0] == UInt8(ascii: "{") || text[0] == UInt8(ascii: "[") else { return false }
        var object = HarmlessJSONCheck()
        let table = kinds[...]
        guard object.read(text, from: 0, table.span, names) else { return false }
        // A URL can contain a password before an `@`.
        guard !object.namesValue, !(object.hasURL && object.hasAt) else { return false }
        return !object.hasNumber || (hasNumbers && !object.namesCode(text, names))
    }

    /// Whether a plain text without numbers in prose stays plain if this string replaces the value of a key. If the
    /// value of that key can be a name, the caller must also check ``isName(_:at:_:)``.
    ///
    /// - Parameter string: The range of the value in `text`, between its quotes.
    static func isPlain(_ text: Span<UInt8>, string: Range<Int>, _ names: SecretNames) -> Bool {
        // A colon after a quote counts as the one after a name.
        if text[string.lowerBound] == UInt8(ascii: ":") { return false }
        var object = HarmlessJSONCheck()
        let table = kinds[...]
        let part = text.extracting(0..<string.upperBound + 1)
        return object.read(part, from: string.lowerBound - 1, table.span, names)
            && !object.hasURL && !object.hasAt && !object.hasNumber && !object.hasBracket
    }

    private enum Kind {
        static let other: UInt8 = 0
        static let letter: UInt8 = 1
        static let digit: UInt8 = 2
        /// Another character of Base64.
        static let sign: UInt8 = 4
        static let quote: UInt8 = 8
        static let colon: UInt8 = 16
        static let backslash: UInt8 = 32
        static let bracket: UInt8 = 64
        static let special: UInt8 = 128
    }

    private static let kinds: [UInt8] = {
        var kinds = [UInt8](repeating: Kind.other, count: 256)
        func set(_ text: String, _ kind: UInt8) { for byte in text.utf8 { kinds[Int(byte)] = kind } }
        set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", Kind.letter)
        set("0123456789", Kind.digit)
        set("+/-_", Kind.sign)
        set("\"", Kind.quote)
        set(":", Kind.colon)
        set("\\", Kind.backslash)
        set("[", Kind.bracket)
        set("%&<=`'@", Kind.special)
        return kinds
    }()

    private mutating func read(
        _ text: Span<UInt8>,
        from start: Int,
        _ table: Span<UInt8>,
        _ names: SecretNames
    ) -> Bool {
        var (key, quote) = (0, 0)
        var isInString = false
        // The range of the last key.
        var name = 0..<0
        var word = ProseWord()
        var isFirstLine = true
        var endOfLink = 0
        var index = start
        while index < text.count {
            let kind = table[Int(text[index])]
            if kind == Kind.other {
                index &+= 1
            } else if kind < Kind.quote {
                let start = index
                var found: UInt8 = 0
                while index < text.count {
                    let kind = table[Int(text[index])]
                    if kind == Kind.other || kind >= Kind.quote { break }
                    found |= kind
                    index &+= 1
                }
                if text[start] == UInt8(ascii: "-"), isOption(text, start..<index) { return false }
                word.add(start..<index, found, text)
                if word.mayBeSecret { return false }
                if index &- start >= 6, mayBeSecret(text, start..<index, found) { return false }
                if isInString, found & (Kind.letter | Kind.digit) == Kind.digit, isCode(text, start..<index) {
                    hasNumber = true
                }
            } else {
                switch kind {
                case Kind.quote:
                    (key, quote) = (quote, index)
                    isInString.toggle()
                    isFirstLine = true
                    if !isInString, isElement(text, key..<quote), names.mayContain(text.extracting(key &+ 1..<quote)) {
                        return false
                    }
                case Kind.colon:
                    guard !isInString, index > 0, text[index &- 1] == UInt8(ascii: "\"") else {
                        guard isURLOrTime(text, colon: index) else { return false }
                        // A link that contains another `://` is read only once.
                        if text[index &+ 1] == UInt8(ascii: "/"), index >= endOfLink {
                            let end = LinkSecrets.endOfPlainLink(in: text, at: index &+ 3, name: name, names)
                            guard let end else { return false }
                            endOfLink = end
                        }
                        index &+= 1
                        continue
                    }
                    name = key &+ 1..<max(key &+ 1, quote)
                    add(FieldRole(text.extracting(name)), text, valueAt: index &+ 1, names)
                case Kind.backslash:
                    guard index &+ 1 < text.count, isLineEscape(text[index &+ 1]) else { return false }
                    // The first line of a table can name its columns.
                    if isFirstLine, text[index &+ 1] != UInt8(ascii: "t") {
                        isFirstLine = false
                        guard !listsColumns(text, quote &+ 1..<index, names) else { return false }
                    }
                    index &+= 1
                case Kind.bracket:
                    hasBracket = true
                case Kind.special where text[index] == UInt8(ascii: "@"):
                    guard ConnectString(text, at: index) == nil else { return false }
                    hasAt = true
                default: return false
                }
                index &+= 1
            }
        }
        return true
    }

    /// A word in running text, such as a password with punctuation.
    private struct ProseWord {
        /// The minimum length of a secret in running text.
        private static let minimumLength = 4
        /// The minimum length of credentials after their scheme: `Bearer x`.
        private static let minimumCredentials = 6
        private static let ends = ByteSet(" \"<>\\,;)}]|").union(ByteSet(0...0x1F))

        private var range = 0..<0
        private var kinds: UInt8 = 0
        private var followsSpace = false
        /// Whether the word before is an authentication scheme.
        private var followsScheme = false

        /// Whether the word so far can be a secret.
        var mayBeSecret: Bool {
            guard followsSpace, range.count >= Self.minimumLength else { return false }
            return followsScheme && range.count >= Self.minimumCredentials
                || kinds & Kind.letter != 0 && kinds & Kind.digit != 0
        }

        /// Adds a run of letters, digits and signs, which can start a new word.
        mutating func add(_ run: Range<Int>, _ found: UInt8, _ text: Span<UInt8>) {
            var start = run.lowerBound
            while start > range.upperBound, !Self.ends.contains(text[start &- 1]) { start &-= 1 }
            if start == range.upperBound, !range.isEmpty {
                range = range.lowerBound..<run.upperBound
                kinds |= found
            } else {
                let last = range
                range = start..<run.upperBound
                kinds = found
                followsSpace = start > 0 && text[start &- 1] == 0x20
                followsScheme = followsSpace && last.upperBound == start &- 1 && Self.endsWithScheme(text, last)
            }
        }

        private static func endsWithScheme(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
            var start = word.upperBound
            while start > word.lowerBound, DecodedTextScanner.schemeBytes.contains(text[start &- 1]) { start &-= 1 }
            return 3...16 ~= word.upperBound &- start
                && DecodedTextScanner.schemesInProse[text.extracting(start..<word.upperBound)] != nil
        }
    }

    /// Whether a number in a string can be the code in a message to a user: `Your OTP is 482-913`.
    private func isCode(_ text: Span<UInt8>, _ run: Range<Int>) -> Bool {
        guard 4...16 ~= run.count, run.upperBound < text.count else { return false }
        switch text[run.lowerBound - 1] {
        case 0x20: return true
        case UInt8(ascii: "\""): return text[run.upperBound] == 0x20
        // A sign or a letter of another script: `認証コード：482913`.
        default: return (max(0, run.lowerBound - 3)..<run.lowerBound).contains { text[$0] >= 0x80 }
        }
    }

    /// Whether a word in prose can be the name of a code, or what it is for: `Your OTP is 482913`,
    /// `Use 482913 to log in`.
    private func namesCode(_ text: Span<UInt8>, _ names: SecretNames) -> Bool {
        var index = 1
        while index < text.count {
            var start = index
            while index < text.count, (text[index] | 0x20) &- 0x61 < 26 { index &+= 1 }
            // The letter of an escape is not part of the word.
            if text[start &- 1] == UInt8(ascii: "\\"), index > start { start &+= 1 }
            if 3...12 ~= index &- start, text[start &- 1] != UInt8(ascii: "-") {
                let word = text.extracting(start..<index)
                if DecodedTextScanner.purposes[word] != nil || index &- start <= 8 && names.mayContain(word)
                    || DecodedTextScanner.endsLikeCode(word)
                {
                    return true
                }
            }
            // A letter of another script.
            if index < text.count, text[index] >= 0xD0 { return true }
            index &+= 1
        }
        return false
    }

    /// Whether a word can be an option of a command that takes a password.
    private func isOption(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
        guard word.count > 1 else { return false }
        let second = text[word.lowerBound + 1]
        if second == UInt8(ascii: "-") { return word.count > 2 && (text[word.lowerBound + 2] | 0x20) &- 0x61 < 26 }
        return second == UInt8(ascii: "p") || second == UInt8(ascii: "a")
            || word.count > 4 && (second | 0x20) &- 0x61 < 26
    }

    /// Whether a line can be the first one of a table and name a secret.
    private func listsColumns(_ text: Span<UInt8>, _ line: Range<Int>, _ names: SecretNames) -> Bool {
        var (start, index) = (line.lowerBound, line.lowerBound)
        var hasSeparator = false
        while index <= line.upperBound {
            guard index == line.upperBound || ",;|\\".utf8.contains(text[index]) else {
                index += 1
                continue
            }
            let cell = text.trimmed(start..<index)
            if index < line.upperBound { hasSeparator = true }
            if hasSeparator, !cell.isEmpty, cell.count <= 64, names.mayContain(text.extracting(cell)) { return true }
            index += index < line.upperBound && text[index] == UInt8(ascii: "\\") ? 2 : 1
            start = index
        }
        return false
    }

    /// Whether a colon is that of a URL or between the digits of a time.
    private mutating func isURLOrTime(_ text: Span<UInt8>, colon: Int) -> Bool {
        guard colon >= 3, colon + 2 < text.count else { return false }
        if text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/") {
            hasURL = true
            return true
        }
        guard isDigit(text[colon - 1]), isDigit(text[colon - 2]), isDigit(text[colon + 1]), isDigit(text[colon + 2])
        else { return false }
        let before = text[colon - 3]
        return before == UInt8(ascii: "T") || before == UInt8(ascii: ":") || before == 0x20
            || before == UInt8(ascii: "\"")
    }

    /// Whether a string is an element of a list, which can consist of names and values.
    private func isElement(_ text: Span<UInt8>, _ quotes: Range<Int>) -> Bool {
        var before = quotes.lowerBound &- 1
        while before > 0, text[before] <= 0x20 { before &-= 1 }
        guard before >= 0, text[before] == UInt8(ascii: "[") || text[before] == UInt8(ascii: ",") else { return false }
        let next = text.firstVisible(from: quotes.upperBound &+ 1)
        return next >= text.count || text[next] != UInt8(ascii: ":")
    }

    private func isLineEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "n") || byte == UInt8(ascii: "r") || byte == UInt8(ascii: "t")
    }

    /// Whether a run of characters can be Base64, or a secret after a word such as `Bearer`.
    private func mayBeSecret(_ text: Span<UInt8>, _ run: Range<Int>, _ kinds: UInt8) -> Bool {
        let hasLetter = kinds & Kind.letter != 0
        if run.lowerBound > 0, text[run.lowerBound - 1] == 0x20, hasLetter {
            if kinds & Kind.digit != 0 || run.count >= TextSigns.minimumToken { return true }
        }
        guard hasLetter else { return false }
        // Base64 can follow a slash.
        var start = run.lowerBound
        while run.upperBound - start >= TextSigns.minimumToken {
            if EncodedText.mayEncodeText(text, start..<run.upperBound) { return true }
            guard let slash = text.firstIndex(of: UInt8(ascii: "/"), in: start..<run.upperBound) else { return false }
            start = slash + 1
        }
        return false
    }

    // MARK: Roles

    private mutating func add(
        _ role: FieldRole?,
        _ text: Span<UInt8>,
        valueAt index: Int,
        _ names: SecretNames
    ) {
        switch role {
        case .name, .hint: if Self.isName(text, at: index, names) { roles |= 1 }
        case .value, .text: roles |= 2
        case nil: return
        }
    }

    /// Whether the value at `index` is the name of a secret.
    static func isName(_ text: Span<UInt8>, at index: Int, _ names: SecretNames) -> Bool {
        let start = text.firstVisible(from: index)
        guard start < text.count, text[start] == UInt8(ascii: "\"") else { return false }
        let end = text.endOfStringRun(from: start + 1)
        return end <= text.count && end - start <= 128 && names.mayContain(text.extracting(start + 1..<end))
    }

    private var namesValue: Bool { roles == 3 }
}
