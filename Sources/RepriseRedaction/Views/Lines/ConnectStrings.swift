// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A connect string of Oracle's databases, which has no names: `user/password@//host:1521/service`.
///
/// `actions/checkout@v4` and `users/alice@example.com` have the same form, so something else must say that it is one:
/// what follows the `@`, what precedes the user name, or the password itself.
struct ConnectString {
    let user: Range<Int>
    let password: Range<Int>
    /// The index of the `@`.
    private var at: Int { password.upperBound }

    private static let maximumLength = 128
    private static let userBytes = ByteSet.word.union(ByteSet("$#.-"))
    private static let hostBytes = ByteSet.word.union(ByteSet(".-"))
    private static let quotes = ByteSet("\"'<>\\`")
    private static let openers = ByteSet("\"'`=:(,[{;>|")

    /// Reads the text before the `@` at `at`.
    init?(_ text: Span<UInt8>, at: Int) {
        let low = max(0, at - Self.maximumLength)
        var slash = at - 1
        while slash > low, text[slash] > 0x20, text[slash] != UInt8(ascii: "/"), !Self.quotes.contains(text[slash]) {
            slash -= 1
        }
        guard slash > low, text[slash] == UInt8(ascii: "/"), slash + 1 < at else { return nil }
        var start = slash
        while start > 0, slash - start < Self.maximumLength, Self.userBytes.contains(text[start - 1]) { start -= 1 }
        guard start < slash, !isDigit(text[start]), start == 0 || Self.isOpener(text[start - 1]) else { return nil }
        (user, password) = (start..<slash, slash + 1..<at)
    }

    private static func isOpener(_ byte: UInt8) -> Bool { byte <= 0x20 || openers.contains(byte) }

    /// Whether the address of a database follows: `//host`, `host:1521`, or a description in parentheses.
    func hasAddress(_ text: Span<UInt8>) -> Bool {
        var index = at + 1
        guard index + 1 < text.count else { return false }
        if text[index] == UInt8(ascii: "(") { return (text[index + 1] | 0x20) &- 0x61 < 26 }
        if text[index] == UInt8(ascii: "/") {
            return text[index + 1] == UInt8(ascii: "/") && index + 2 < text.count && isAlphanumeric(text[index + 2])
        }
        let host = index
        var letters = 0
        while index < text.count, Self.hostBytes.contains(text[index]) {
            if !isDigit(text[index]) { letters += 1 }
            index += 1
        }
        // `10:30` is a time.
        guard index > host, letters > 0, index < text.count, text[index] == UInt8(ascii: ":") else { return false }
        let port = index + 1
        index = port
        while index < text.count, isDigit(text[index]) { index += 1 }
        return 2...5 ~= index - port && (index == text.count || !isWordByte(text[index]))
    }

    /// Whether the URL of a JDBC driver starts before the user name: `jdbc:oracle:thin:scott/tiger@xe`.
    func isInDriverURL(_ text: Span<UInt8>) -> Bool {
        var start = user.lowerBound
        while start > 0, user.lowerBound - start < 64,
            isWordByte(text[start - 1]) || text[start - 1] == UInt8(ascii: ":")
        {
            start -= 1
        }
        return text.hasWord(Self.driver, at: start)
    }

    /// Whether a command that connects to a database precedes the user name, or only its options are in between.
    func isArgument(_ text: Span<UInt8>) -> Bool {
        var end = user.lowerBound
        for _ in 0..<4 {
            guard end > 1, text[end - 1] == 0x20 else { return false }
            end -= 1
            var start = end
            while start > 0, end - start < 16, isWordByte(text[start - 1]) || text[start - 1] == UInt8(ascii: "-") {
                start -= 1
            }
            if Self.commands[text.extracting(start..<end)] != nil { return true }
            guard start < end, text[start] == UInt8(ascii: "-") else { return false }
            end = start
        }
        return false
    }

    private static let driver = Array("jdbc:".utf8)
    private static let commands = WordTable<Bool>([
        (["conn", "connect", "expdp", "impdp", "rman", "sqlcl", "sqlldr", "sqlplus"], true)
    ])
}

extension DecodedTextScanner {
    /// Looks for the passwords in connect strings.
    mutating func lookAtConnectStrings(_ text: Span<UInt8>) {
        for at in text.indices where text[at] == UInt8(ascii: "@") && at > 2 {
            guard let string = ConnectString(text, at: at) else { continue }
            let password = text.extracting(string.password)
            guard
                isConnection || PasswordForm.isDemanded(password) || string.hasAddress(text)
                    || string.isInDriverURL(text) || string.isArgument(text)
            else { continue }
            if !LiteralWord.isLiteral(password) { visit(text, string.password, Verdict()) }
        }
    }
}
