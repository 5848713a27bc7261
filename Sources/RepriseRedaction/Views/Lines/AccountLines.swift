// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    private static let command = Array("chpasswd".utf8)
    private static let authorityStart = Array("//".utf8)
    private static let random = Array("RANDOM".utf8)
    private static let accountBytes = ByteSet.word.union(ByteSet("-."))

    // MARK: Accounts

    /// Looks for `user:password` in the input of the command `chpasswd`: in a pipe, in the lines below the command, and
    /// in the list of that name in the configuration of cloud-init.
    mutating func lookAtAccounts(_ text: Span<UInt8>) {
        var index = 0
        while let command = text.firstIndex(of: Self.command, from: index) {
            index = command + Self.command.count
            lookAtPipe(text, before: command)
            var first = index
            while first < text.count, text[first] == 0x20 { first += 1 }
            guard first < text.count, text[first] == UInt8(ascii: ":") || text[first] == UInt8(ascii: "<") else {
                continue
            }
            let end = text.lineEnd(from: first)
            index = lookAtAccountLines(text, from: end + 1, below: text[first] == 0x3A ? column(text, command) : nil)
        }
    }

    /// Returns the number of spaces before an index.
    private func column(_ text: Span<UInt8>, _ index: Int) -> Int {
        var start = index
        while start > 0, index - start < 64, text[start - 1] == 0x20 { start -= 1 }
        return index - start
    }

    /// Looks at the lines that are indented further than a column or, if there is no column, at the lines up to the
    /// first one that is not an account. Returns the index after them.
    private mutating func lookAtAccountLines(_ text: Span<UInt8>, from start: Int, below column: Int?) -> Int {
        var index = start
        while index < text.count {
            let end = text.lineEnd(from: index)
            var first = index
            while first < end, text[first] == 0x20 || text[first] == UInt8(ascii: "-") { first += 1 }
            if first < end {
                if let column, first - index <= column { return index }
                let isAccount = lookAtAccount(text, first..<end)
                if column == nil, !isAccount { return end }
            }
            index = end + 1
        }
        return index
    }

    /// Looks at `echo "user:password" |`.
    private mutating func lookAtPipe(_ text: Span<UInt8>, before command: Int) {
        var end = command
        while end > 0, command - end < 64, text[end - 1] == 0x20 || isWordByte(text[end - 1]) { end -= 1 }
        guard end > 0, text[end - 1] == UInt8(ascii: "|") else { return }
        end -= 1
        while end > 0, text[end - 1] == 0x20 { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "\"") || text[end - 1] == UInt8(ascii: "'") { end -= 1 }
        if end > 1, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        var start = end
        while start > 0, end - start < 256, text[start - 1] > 0x20, !"\"'".utf8.contains(text[start - 1]) { start -= 1 }
        _ = lookAtAccount(text, start..<end)
    }

    /// Cuts the password in `user:password`. Returns `false` if the text is anything else.
    private mutating func lookAtAccount(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let range = text.trimmed(range)
        var colon = range.lowerBound
        while colon < range.upperBound, Self.accountBytes.contains(text[colon]) { colon += 1 }
        guard colon > range.lowerBound, colon + 1 < range.upperBound, text[colon] == UInt8(ascii: ":"),
            text[colon + 1] > 0x20
        else { return false }
        let password = colon + 1..<range.upperBound
        // A URL.
        if text.has(Self.authorityStart, at: password.lowerBound) { return false }
        // A variable is not secret, and a hash is found by its form.
        if !"$`%".utf8.contains(text[password.lowerBound]), !LiteralWord.isLiteral(text.extracting(password)),
            !isRandom(text, password)
        {
            visit(text, password, Verdict())
        }
        return true
    }

    /// Whether cloud-init generates the password: `root:RANDOM`, `root:R`.
    private func isRandom(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count == 1 || range.count == 6 && text.has(Self.random, at: range.lowerBound)
    }

    // MARK: Password files

    /// Looks for passwords in the lines of a PostgreSQL password file: `host:5432:database:user:password`.
    mutating func lookAtPasswordFile(_ text: Span<UInt8>) {
        var start = 0
        while start < text.count {
            let end = text.lineEnd(from: start)
            if let password = passwordOfLine(text, start..<end) { visit(text, password, Verdict()) }
            start = end + 1
        }
    }

    private func passwordOfLine(_ text: Span<UInt8>, _ line: Range<Int>) -> Range<Int>? {
        var index = line.lowerBound
        for field in 0..<4 {
            let start = index
            while index < line.upperBound, Self.accountBytes.contains(text[index]) || text[index] == UInt8(ascii: "*") {
                index += 1
            }
            guard index > start, index < line.upperBound, text[index] == UInt8(ascii: ":") else { return nil }
            // The second field is a port, and the others are names.
            if field == 1, text[start] != UInt8(ascii: "*") {
                guard 2...5 ~= index - start, (start..<index).allSatisfy({ isDigit(text[$0]) }) else { return nil }
            } else if field > 1, isDigit(text[start]) {
                return nil
            }
            index += 1
        }
        let password = index..<line.upperBound
        guard password.allSatisfy({ text[$0] > 0x20 }), PasswordForm.isLikely(text.extracting(password)) else {
            return nil
        }
        return password
    }
}
