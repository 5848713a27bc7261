// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    private static let userOptions = ["-u", "--user", "-U", "--proxy-user"].map { Array($0.utf8) }
    private static let cookieOptions = ["-b", "--cookie"].map { Array($0.utf8) }

    /// Options that take a password or a token in some commands and have other meanings in others.
    private static let shortOptions = ["-p", "-P", "-t", "-k"].map { Array($0.utf8) }

    /// Looks for secrets in the argument of an option: `--password x`, `-u user:x`, `-H "Authorization: x"`.
    mutating func lookAtOption(_ text: Span<UInt8>, _ word: Range<Int>) {
        let option = text.extracting(word)
        if lookAtPassword(text, word) { return }
        guard word.count <= 64, let argument = ShellWord(text, from: word.upperBound) else { return }
        let label = Array(bytes: option)
        if Self.userOptions.contains(label) { return lookAtUser(text, argument.range) }
        if Self.cookieOptions.contains(label) { return lookAtCookies(text, argument.range) }
        if Self.shortOptions.contains(label), !argument.isQuoted {
            return visit(text, argument.range, Verdict(isLikely: true))
        }
        if label.count > 3, label[1] != UInt8(ascii: "-") { return lookAtWordOption(text, option, argument) }
        if label.count > 3, label[1] == UInt8(ascii: "-"),
            let verdict = verdict(on: option.extracting(2..<option.count)),
            text[argument.range.lowerBound] != UInt8(ascii: "-")
        {
            // `--reset-password` can be followed by a password or by anything else.
            guard OptionFlag.isFlag(option) else { return visit(text, argument.range, verdict) }
            _ = visitPassword(text, argument.range, verdict, kinds: 3)
            return
        }
        guard argument.isQuoted else { return }
        visit(text, argument.range, nil, escapes: argument.escapes)
    }

    private static let (passwordOption, passwordSource) = (Array("-pass".utf8), Array("pass:".utf8))

    /// Looks for a secret in the argument of an option that is a word after one hyphen: `-Password x` in PowerShell,
    /// `-storepass x` of Java's tools, `-passin pass:x` of OpenSSL.
    private mutating func lookAtWordOption(_ text: Span<UInt8>, _ option: Span<UInt8>, _ argument: ShellWord) {
        guard argument.canBePassword(text) else { return }
        let range = argument.range
        if option.hasWord(Self.passwordOption, at: 0), text.hasWord(Self.passwordSource, at: range.lowerBound) {
            return visit(text, range.dropFirst(Self.passwordSource.count), Verdict())
        }
        guard let verdict = verdict(on: option.extracting(1..<option.count)), verdict.isCertain,
            !ValueReference.isReference(text, range), !LiteralWord.isLiteral(text.extracting(range))
        else {
            guard argument.isQuoted else { return }
            return visit(text, range, nil, escapes: argument.escapes)
        }
        // In prose, a hyphen can stand before any word.
        let isCertain = argument.isQuoted || range.contains { isDigit(text[$0]) }
        visit(text, range, isCertain ? verdict : verdict.hinting, escapes: argument.escapes)
    }

    private static let (password, authentication) = (Array("-p".utf8), Array("-a".utf8))
    private static let longAuthentication = Array("--auth".utf8)

    /// Looks at the argument of an option that takes a password in this command: `sshpass -p x`, `mysql -px`. Returns
    /// `false` for other options.
    private mutating func lookAtPassword(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
        let option = text.extracting(word)
        guard 2...64 ~= word.count, option[1] == UInt8(ascii: "p") || option[1] == UInt8(ascii: "a") || word.count == 6
        else {
            return false
        }
        let command = ShellCommand(text, before: word.lowerBound)
        if word.count > 2, option[1] == UInt8(ascii: "p"), command.isDatabase {
            guard let value = ShellWord(text, from: word.lowerBound + 2), value.canBePassword(text) else {
                return false
            }
            visit(text, value.range, Verdict())
            return true
        }
        let label = Array(bytes: option)
        guard let argument = ShellWord(text, from: word.upperBound), argument.canBePassword(text) else { return false }
        if label == Self.password && command.isLogin || label == Self.authentication && command.isRedis {
            visit(text, argument.range, Verdict())
        } else if label == Self.authentication || label == Self.longAuthentication, command.isHTTP {
            lookAtUser(text, argument.range)
        } else {
            return false
        }
        return true
    }

    /// Looks at `user:password`. If there is no password, the user can be a token.
    private mutating func lookAtUser(_ text: Span<UInt8>, _ range: Range<Int>) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":"), in: range) else { return }
        let password = colon + 1..<range.upperBound
        // A URL.
        if password.count >= 2, text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/") { return }
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

/// Options that are named after a secret but don't take one: `--disabled-password`, `--no-password`,
/// `--ask-become-pass`.
enum OptionFlag {
    /// The first words of these options.
    private static let verbs = Set(words: [
        "allow", "ask", "delete", "disable", "disabled", "empty", "enable", "expire", "force", "generate", "hide",
        "ignore", "lock", "no", "permit", "prompt", "require", "reset", "revoke", "rotate", "show", "skip", "unlock",
        "without",
    ])

    /// Whether the first word of an option says what to do with a secret.
    static func isFlag(_ option: Span<UInt8>) -> Bool {
        guard option.count > 6, option[0] == UInt8(ascii: "-") else { return false }
        let words = NameWords(option)
        guard words.starts.count > 1 else { return false }
        return verbs.contains(Array(words.letters[..<words.starts[1]]))
    }
}

/// An argument of a command.
struct ShellWord {
    /// The range without quotes.
    let range: Range<Int>
    let isQuoted: Bool
    let escapes: TextEscapes

    /// Whether the word can be a password, and is not another option, a variable, or a port: `$PASSWORD`, `8080:80`.
    func canBePassword(_ text: Span<UInt8>) -> Bool {
        guard let first = range.first, !"-$%".utf8.contains(text[first]) else { return false }
        return !range.allSatisfy { isDigit(text[$0]) || text[$0] == UInt8(ascii: ":") || text[$0] == UInt8(ascii: ".") }
    }

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

/// The command to which an option belongs.
struct ShellCommand {
    /// The name of the command, without its path, in lowercase letters.
    private var name: [UInt8] = []
    /// The number of words before the option.
    private var wordCount = 0
    /// Whether the command has an option for a password.
    private var isKnown = false
    /// Whether the word `login` follows the name: `docker login`.
    private var hasLogin = false

    private static let maximumLength = 256
    /// The characters before a command.
    private static let ends = ByteSet("\n\r|;&")
    private static let times = ByteSet.digits.union(ByteSet("*/,-"))
    /// Prompts, words of logs, and commands that run another command.
    private static let prompts = Set(words: [
        "+", "$", "#", ">", "exec", "executing", "nohup", "ran", "run", "running", "sudo", "time",
    ])
    private static let databases = Set(words: ["mariadb", "mysql", "mysqladmin", "mysqldump", "mysqlimport"])
    private static let http = Set(words: ["http", "https", "xh"])
    private static let registries = Set(words: [
        "az", "buildah", "docker", "helm", "nerdctl", "oras", "podman", "skopeo",
    ])
    private static let mongo = Set(words: ["mongo", "mongosh"])
    private static let (redis, sshpass, login) = (Array("redis-cli".utf8), Array("sshpass".utf8), Array("login".utf8))

    /// Reads the words between the start of a command and an option.
    init(_ text: Span<UInt8>, before end: Int) {
        var start = end
        while start > 0, !Self.ends.contains(text[start - 1]) {
            start -= 1
            guard end - start < Self.maximumLength else { return }
        }
        while start < end {
            var stop = start
            while stop < end, text[stop] > 0x20 { stop += 1 }
            if stop > start { add(text, start..<stop) }
            start = stop + 1
        }
    }

    private mutating func add(_ text: Span<UInt8>, _ word: Range<Int>) {
        var word = word
        if !isKnown {
            // A command can follow a label or a quotation mark: `ran: mysql`, `sh -c "mysql`.
            if text[word.upperBound - 1] == UInt8(ascii: ":") {
                wordCount = 0
                return
            }
            if word.count > 1, "\"'`".utf8.contains(text[word.lowerBound]) {
                word = word.lowerBound + 1..<word.upperBound
                wordCount = 0
            }
        }
        // The times in a line of a crontab: `30 4 * * 1`.
        if wordCount == 0, word.allSatisfy({ Self.times.contains(text[$0]) }) { return }
        guard wordCount == 0 else {
            wordCount += 1
            if word.count == Self.login.count, text.hasWord(Self.login, at: word.lowerBound) { hasLogin = true }
            return
        }
        let first = word.last { text[$0] == UInt8(ascii: "/") }.map { $0 + 1 } ?? word.lowerBound
        name = (first..<word.upperBound).map { text[$0].asciiLowercased }
        wordCount = Self.prompts.contains(name) ? 0 : 1
        isKnown =
            wordCount > 0
            && (isDatabase || isRedis || isHTTP || name == Self.sshpass || Self.mongo.contains(name)
                || Self.registries.contains(name))
    }

    /// Whether `-p` is followed by a password.
    var isLogin: Bool {
        name == Self.sshpass && wordCount == 1 || Self.mongo.contains(name)
            || Self.registries.contains(name) && hasLogin
    }

    /// Whether a password follows `-p` without a space.
    var isDatabase: Bool { Self.databases.contains(name) }

    /// Whether `-a` is followed by a password.
    var isRedis: Bool { name == Self.redis }

    /// Whether `--auth` is followed by a user and a password.
    var isHTTP: Bool { Self.http.contains(name) }
}
