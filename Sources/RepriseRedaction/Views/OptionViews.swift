// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ViewScan {
    private static let userOptions = ["-u", "--user", "-U", "--proxy-user", "--auth"].map { Array($0.utf8) }
    private static let cookieOptions = ["-b", "--cookie"].map { Array($0.utf8) }

    /// Options that take a password or a token in some commands and have other meanings in others.
    private static let shortOptions = ["-p", "-P", "-t", "-k"].map { Array($0.utf8) }

    /// Looks for secrets in the argument of an option: `--password x`, `-u user:x`, `-H "Authorization: x"`.
    mutating func lookAtOption(_ text: Span<UInt8>, _ word: Range<Int>) {
        let option = text.extracting(word)
        // `mysql -pX`.
        if word.count > 2, text[word.lowerBound + 1] == UInt8(ascii: "p"), follows(Self.databases, text, word) {
            return visit(text, word.lowerBound + 2..<word.upperBound, Verdict())
        }
        guard word.count <= 64, let argument = ShellWord(text, from: word.upperBound) else { return }
        let label = Array(bytes: option)
        if Self.userOptions.contains(label) { return lookAtUser(text, argument.range) }
        if Self.cookieOptions.contains(label) { return lookAtCookies(text, argument.range) }
        if label == Self.password || label == Self.authentication, follows(Self.logins, text, word),
            !LiteralWord.isLiteral(text.extracting(argument.range))
        {
            return visit(text, argument.range, Verdict())
        }
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

    private static let (password, authentication) = (Array("-p".utf8), Array("-a".utf8))
    /// The commands that take a password after `-p` or `-a`.
    private static let logins = WordTable<Bool>([(["login", "mongo", "mongosh", "redis-cli", "sshpass"], true)])

    private static let databases = WordTable<Bool>([
        (["mariadb", "mysql", "mysqladmin", "mysqldump", "mysqlimport"], true)
    ])

    /// Whether one of the words precedes an option in its line.
    private func follows(_ words: WordTable<Bool>, _ text: Span<UInt8>, _ option: Range<Int>) -> Bool {
        var end = option.lowerBound
        while end > 0, option.lowerBound - end < 256, text[end - 1] != 0x0A {
            var start = end
            while start > 0, text[start - 1] > 0x20 { start -= 1 }
            if start < end, words[text.extracting(start..<end)] != nil { return true }
            end = start
            while end > 0, text[end - 1] == 0x20 { end -= 1 }
        }
        return false
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
