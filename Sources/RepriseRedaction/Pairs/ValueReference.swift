// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Recognizes values without quotes that refer to a secret instead of being one: `$API_KEY`, `req.body.password`,
/// `$(cat /run/secrets/pw)`, `!Ref Key`, `(sensitive value)`.
///
/// A password can also contain periods. In `a.b.c`, one part must therefore be a common container of values, such as
/// `settings`, or the last part must be the name of a secret.
enum ValueReference {
    /// The maximum distance of a closing parenthesis.
    private static let maximumLength = 128
    private static let parts = Set(words: [
        "args", "body", "cfg", "conf", "config", "configuration", "env", "environ", "environment", "local", "locals",
        "options", "opts", "params", "process", "props", "query", "req", "request", "secrets", "self", "settings",
        "this", "values", "var", "vars",
    ])

    /// What surrounds a value.
    enum Place {
        case text
        /// The value is in a file such as `.env`, in which names of a program have no meaning.
        case environment
    }

    /// Whether the text in `range` is a reference, or the first word of one: `!Ref Key`.
    static func isReference(_ text: Span<UInt8>, _ range: Range<Int>, in place: Place = .text) -> Bool {
        guard let first = range.first, range.count > 1 else { return false }
        switch text[first] {
        case UInt8(ascii: "$"):
            return text[first + 1] == UInt8(ascii: "(")
                ? isClosed(text, from: first + 2, inWords: false) : isVariable(text, first + 1..<range.upperBound)
        case UInt8(ascii: "("): return isClosed(text, from: first + 1, inWords: true)
        case UInt8(ascii: "!"): return place != .environment && isTag(text, from: first + 1)
        default: return isPath(text, range, in: place)
        }
    }

    /// Whether a closing parenthesis follows on the same line. If `inWords` is `true`, it must end the line, and only
    /// letters and spaces may come before it.
    private static func isClosed(_ text: Span<UInt8>, from start: Int, inWords: Bool) -> Bool {
        var index = start
        while index < text.count, index - start < maximumLength, text[index] >= 0x20 {
            if text[index] == UInt8(ascii: ")") { return index > start && (!inWords || endsLine(text, index + 1)) }
            if inWords, text[index] != 0x20, (text[index] | 0x20) &- 0x61 >= 26 { return false }
            index += 1
        }
        return false
    }

    private static func endsLine(_ text: Span<UInt8>, _ index: Int) -> Bool {
        index == text.count || text[index] == 0x0A || text[index] == 0x0D
    }

    /// Whether the text is the name of a variable: all in capitals, and with an underscore or the name of a secret.
    private static func isVariable(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var hasUnderscore = false
        for index in range {
            if text[index] == UInt8(ascii: "_") { hasUnderscore = true }
            guard text[index] &- 0x41 < 26 || isDigit(text[index]) || text[index] == UInt8(ascii: "_") else {
                return false
            }
        }
        return hasUnderscore || isSecretName(text.extracting(range))
    }

    private static func isSecretName(_ name: Span<UInt8>) -> Bool {
        SecretNames.standard.verdict(of: name, in: .json)?.isCertain == true
    }

    /// The tags of CloudFormation and other tools for a value from elsewhere.
    private static let tags = Set(words: [
        "env", "findinmap", "getatt", "import", "importvalue", "include", "join", "ref", "reference", "secret", "sub",
        "vault",
    ])

    /// Whether a tag of YAML is at `start`, with its argument: `!Ref Key`.
    private static func isTag(_ text: Span<UInt8>, from start: Int) -> Bool {
        var index = start
        while index < text.count, index - start < 16, (text[index] | 0x20) &- 0x61 < 26 { index += 1 }
        return index - start >= 3 && index + 1 < text.count && text[index] == 0x20 && text[index + 1] > 0x20
            && tags.contains(Array(lowercasing: text.extracting(start..<index)))
    }

    private static let environments = ["os.environ", "process.env."].map { Array($0.utf8) }

    /// Whether the text consists of names with periods between them: `settings.SECRET_KEY`, `os.environ[`.
    private static func isPath(_ text: Span<UInt8>, _ range: Range<Int>, in place: Place) -> Bool {
        if place == .environment, !environments.contains(where: { text.has($0, at: range.lowerBound) }) { return false }
        var start = range.lowerBound
        var index = start
        var (names, isKnown) = (0, false)
        while index <= range.upperBound {
            if index < range.upperBound, isWordByte(text[index]) {
                index += 1
                continue
            }
            guard index > start, !isDigit(text[start]), !RandomValue.looksRandom(text.extracting(start..<index)) else {
                return false
            }
            names += 1
            if parts.contains(Array(lowercasing: text.extracting(start..<index))) { isKnown = true }
            guard index < range.upperBound, text[index] == UInt8(ascii: ".") else { break }
            index += 1
            start = index
        }
        // A name in a program rarely ends with digits, except in capitals, and a password often does.
        let last = text.extracting(start..<index)
        let mayBePassword = isDigit(last[last.count - 1]) && last[0] & 0x20 != 0
        guard names > 1, isSecretName(last) || isKnown && !mayBePassword else { return false }
        return index == range.upperBound || "[;,)}!".utf8.contains(text[index])
    }
}
