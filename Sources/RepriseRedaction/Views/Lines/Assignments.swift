// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The sign between a name and a value: `=`, `:`, `=>` or `:=`.
struct AssignmentSign {
    let start: Int
    let end: Int
    let isColon: Bool

    /// Reads the sign at `index`. Returns `nil` if it is a part of another: `==`, `::`, `://`.
    init?(_ text: Span<UInt8>, at index: Int) {
        let next = index + 1 < text.count ? text[index + 1] : 0
        let previous = index > 0 ? text[index - 1] : 0
        isColon = text[index] == UInt8(ascii: ":")
        start = index
        if isColon {
            if next == UInt8(ascii: "/"), index + 2 < text.count, text[index + 2] == UInt8(ascii: "/") { return nil }
            guard next != UInt8(ascii: ":"), previous != UInt8(ascii: ":") else { return nil }
            end = next == UInt8(ascii: "=") ? index + 2 : index + 1
        } else {
            guard next != UInt8(ascii: "="), !"=!<>~".utf8.contains(previous) else { return nil }
            end = next == UInt8(ascii: ">") ? index + 2 : index + 1
        }
    }
}

/// Two quoted strings with a comma or a semicolon between them: a name and its value.
struct QuotedPair {
    let name: Range<Int>
    let value: Range<Int>

    /// Reads the strings around the comma at `comma`.
    init?(_ text: Span<UInt8>, at comma: Int) {
        guard let name = Self.string(text, before: comma),
            let value = AssignmentValue.quoted(text, from: comma + 1)
        else { return nil }
        self.name = name
        self.value = value
    }

    /// Reads the strings around a semicolon in a value that PHP has serialized: `s:4:"pass";s:12:"x"`.
    init?(_ text: Span<UInt8>, serializedAt semicolon: Int) {
        guard semicolon + 5 < text.count, text[semicolon + 1] == UInt8(ascii: "s"),
            text[semicolon + 2] == UInt8(ascii: ":"), let name = Self.string(text, before: semicolon)
        else { return nil }
        var start = semicolon + 3
        var count = 0
        while start < text.count, isDigit(text[start]), count < 10_000 {
            count = count * 10 + Int(text[start] & 0x0F)
            start += 1
        }
        let end = start + 2 + count
        guard end < text.count, text[start] == UInt8(ascii: ":"), text[start + 1] == UInt8(ascii: "\""),
            text[end] == UInt8(ascii: "\"")
        else { return nil }
        self.name = name
        value = start + 2..<end
    }

    /// Returns the content of the string in quotes that ends before `end`.
    private static func string(_ text: Span<UInt8>, before end: Int) -> Range<Int>? {
        guard end > 1, text[end - 1] == UInt8(ascii: "\"") || text[end - 1] == UInt8(ascii: "'") else { return nil }
        let quote = text[end - 1]
        var start = end - 1
        while start > 0, end - start < 64, text[start - 1] != quote { start -= 1 }
        guard start > 0, text[start - 1] == quote, start < end - 1 else { return nil }
        return start..<end - 1
    }
}

/// The name before an ``AssignmentSign``.
struct AssignmentName {
    private static let bytes = ByteSet.word.union(ByteSet("-.[]$@*"))
    private static let maximumLength = 128

    /// The range of the name, without quotes.
    let range: Range<Int>
    /// The range of the name and up to three words before it.
    let phrase: Range<Int>
    /// Whether only indentation, a bullet or a keyword precedes it in its line.
    let startsLine: Bool
    /// Whether the phrase starts its line.
    let startsPhrase: Bool
    /// Whether it is the name of a URL's parameter.
    let isParameter: Bool
    /// The number of characters before it in its line.
    let column: Int

    init?(_ text: Span<UInt8>, before sign: AssignmentSign) {
        var end = sign.start
        while end > 0, sign.start - end < 8, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
        var quote: UInt8?
        if end > 0, text[end - 1] == UInt8(ascii: "\"") || text[end - 1] == UInt8(ascii: "'") {
            quote = text[end - 1]
            end -= 1
        }
        var start = end
        let low = max(0, end - Self.maximumLength)
        while start > low, Self.bytes.contains(text[start - 1]) || text[start - 1] >= 0x80 { start -= 1 }
        guard start < end, start > low || low == 0 else { return nil }
        range = start..<end
        if let quote, start > 0, text[start - 1] == quote {
            phrase = range
            (startsLine, column) = Self.lineStart(text, start - 1)
            (startsPhrase, isParameter) = (startsLine, false)
            return
        }
        phrase = Self.phrase(text, range)
        (startsLine, column) = Self.lineStart(text, start)
        startsPhrase = startsLine || Self.lineStart(text, phrase.lowerBound).isStart
        let before = start > 0 ? text[start - 1] : 0
        let isDirect = !sign.isColon && end == sign.start
        isParameter = isDirect && (before == UInt8(ascii: "?") || before == UInt8(ascii: "&"))
    }

    private static func phrase(_ text: Span<UInt8>, _ name: Range<Int>) -> Range<Int> {
        var start = name.lowerBound
        for _ in 0..<3 {
            guard start > 1, text[start - 1] == 0x20 else { break }
            var word = start - 1
            while word > 0, start - word < 24, (text[word - 1] | 0x20) &- 0x61 < 26 { word -= 1 }
            guard word < start - 1 else { break }
            start = word
        }
        return start..<name.upperBound
    }

    private static let keywords = Set(
        [
            "export", "set", "setx", "env", "arg", "const", "let", "var", "declare", "local", "readonly", "x", "e",
            "static", "final", "public", "private", "string", "def", "val", "global",
        ].map { Array($0.utf8) }
    )

    /// Whether only indentation, bullets and keywords precede `start` in its line, and its column.
    private static func lineStart(_ text: Span<UInt8>, _ start: Int) -> (isStart: Bool, column: Int) {
        var index = start
        var words = 0
        while index > 0, start - index < 64 {
            let byte = text[index - 1]
            if byte == 0x0A || byte == 0x0D { return (true, start - index) }
            if byte <= 0x20 || "-*#>/;|$+\u{22}'".utf8.contains(byte) {
                index -= 1
            } else if (byte | 0x20) &- 0x61 < 26, words < 3 {
                let end = index
                while index > 0, (text[index - 1] | 0x20) &- 0x61 < 26, end - index < 12 { index -= 1 }
                guard keywords.contains(Array(lowercasing: text.extracting(index..<end))) else { return (false, 0) }
                words += 1
            } else {
                return (false, 0)
            }
        }
        return (index == 0, start - index)
    }
}

/// The value after an ``AssignmentSign``.
enum AssignmentValue {
    private static let delimiters: ByteSet = {
        var set = ByteSet("&;# \"'<>\\`")
        for byte in UInt8(0)..<0x20 { set.insert(byte) }
        return set
    }()

    /// The value of a URL's parameter.
    static func parameter(_ text: Span<UInt8>, from start: Int) -> Range<Int> {
        var end = start
        while end < text.count, !delimiters.contains(text[end]) { end += 1 }
        return start..<end
    }

    private static func firstInLine(_ text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < text.count, index - start < 64, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
        return index
    }

    /// The content of a string in any quotes, or `nil` if there is none.
    static func quoted(_ text: Span<UInt8>, from start: Int) -> Range<Int>? {
        var index = firstInLine(text, from: start)
        guard index < text.count else { return nil }
        index = endOfWrapper(text, from: index) ?? index
        // `b"…"`, `@"…"`.
        if index + 1 < text.count, (text[index] | 0x20) &- 0x61 < 26 || text[index] == UInt8(ascii: "@"),
            text[index + 1] == UInt8(ascii: "\"") || text[index + 1] == UInt8(ascii: "'")
        {
            index += 1
        }
        let quote = text[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") || quote == UInt8(ascii: "`") else {
            return nil
        }
        var count = 1
        while count < 3, index + count < text.count, text[index + count] == quote { count += 1 }
        if count == 2 { return index + 1..<index + 1 }
        let first = index + count
        guard let end = endOfQuoted(text, from: first, quote, count: count) else { return nil }
        // In TOML and Python, text in three quotation marks often starts on the next line.
        return count == 3 ? text.trimmed(first..<end) : first..<end
    }

    /// Types whose description contains that of another value: `Optional("x")` in Swift, `Some("x")` in Rust.
    private static let wrappers = ["optional", "some", "just"].map { Array($0.utf8) }

    /// Returns the index after the parenthesis of a type in ``wrappers``, if a quote follows.
    private static func endOfWrapper(_ text: Span<UInt8>, from start: Int) -> Int? {
        guard let wrapper = wrappers.first(where: { text.hasWord($0, at: start) }) else { return nil }
        var end = start + wrapper.count
        guard end + 1 < text.count, text[end] == UInt8(ascii: "(") || text[end] == 0x20 else { return nil }
        end += 1
        return text[end] == UInt8(ascii: "\"") ? end : nil
    }

    private static func endOfQuoted(_ text: Span<UInt8>, from start: Int, _ quote: UInt8, count: Int) -> Int? {
        let closing = [UInt8](repeating: quote, count: count)
        var index = start
        while index < text.count {
            let byte = text[index]
            if byte == quote, text.has(closing, at: index) { return index }
            if count == 1, quote != UInt8(ascii: "`"), byte == 0x0A || byte == 0x0D { return nil }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// Whether the value is a YAML map, or the first line of one: `{type: string}`.
    static func startsMap(_ text: Span<UInt8>, from start: Int) -> Bool {
        let first = firstInLine(text, from: start)
        guard first < text.count, text[first] == UInt8(ascii: "{") else { return false }
        var hasColon = false
        var index = first + 1
        while index < text.count, index - first < maximumList, text[index] >= 0x20 {
            if text[index] == UInt8(ascii: ":") { hasColon = true }
            index += 1
        }
        return index == first + 1 || hasColon && text[index - 1] == UInt8(ascii: "}")
    }

    /// The maximum length of a list or a map, in bytes.
    private static let maximumList = 4096

    /// The content of a list in brackets, or `nil` if there is none in this line.
    static func list(_ text: Span<UInt8>, from start: Int) -> Range<Int>? {
        let first = firstInLine(text, from: start)
        guard first < text.count, text[first] == UInt8(ascii: "["), RedactionMarker.end(at: first, in: text) == nil
        else { return nil }
        var index = first + 1
        while index < text.count, index - first < maximumList, text[index] >= 0x20 {
            if text[index] == UInt8(ascii: "]") {
                // A password can also start with a bracket.
                let next = index + 1
                let isEnd = next == text.count || text[next] < 0x20 || ",})".utf8.contains(text[next])
                return isEnd ? first + 1..<index : nil
            }
            let marker = text[index] == UInt8(ascii: "[") ? RedactionMarker.end(at: index, in: text) : nil
            index = marker ?? index + 1
        }
        return nil
    }

    /// The text of a YAML block after `|` or `>`, or `nil` if there is none.
    static func block(_ text: Span<UInt8>, _ name: AssignmentName, from start: Int) -> Range<Int>? {
        let index = firstInLine(text, from: start)
        guard index < text.count, text[index] == UInt8(ascii: "|") || text[index] == UInt8(ascii: ">") else {
            return nil
        }
        var line = text.lineEnd(from: index)
        guard line - index <= 4 else { return nil }
        var range: Range<Int>?
        while line < text.count {
            while line < text.count, text[line] == 0x0A || text[line] == 0x0D { line += 1 }
            let first = firstInLine(text, from: line)
            guard first < text.count, first - line > name.column else { break }
            let end = text.lineEnd(from: first)
            range = (range?.lowerBound ?? first)..<end
            line = end
        }
        return range
    }

    /// A value without quotes: the rest of the line, or up to a delimiter.
    ///
    /// - Parameter lineEnd: The last line end that was found. If this value is on a later line, it is set to the end of
    ///   that line.
    static func bare(
        _ text: Span<UInt8>,
        _ name: AssignmentName,
        _ sign: AssignmentSign,
        _ lineEnd: inout Int
    ) -> Range<Int> {
        let start = firstInLine(text, from: sign.end)
        if start > lineEnd { lineEnd = text.lineEnd(from: start) }
        let line = start..<max(start, lineEnd)
        let isList = inList(text, name, line)
        var end = start
        while end < line.upperBound {
            let byte = text[end]
            if byte == UInt8(ascii: "["), let marker = RedactionMarker.end(at: end, in: text) {
                end = min(marker, line.upperBound)
                continue
            }
            if isList {
                if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\"") { break }
            } else if name.startsLine {
                if byte == 0x20, endsBeforeComment(text, end, line.upperBound) { break }
                if byte == 0x20, !sign.isColon, hasPair(text, end..<line.upperBound) { break }
            } else if byte <= 0x20 || "&;\"'<>)}]|`".utf8.contains(byte) {
                break
            } else if byte == UInt8(ascii: ","), end + 1 == line.upperBound || text[end + 1] <= 0x20 {
                break
            } else if byte == UInt8(ascii: ","), !sign.isColon, hasPair(text, end..<line.upperBound) {
                break
            }
            end += 1
        }
        var range = text.trimmed(start..<end)
        // The end of a statement, or of a sentence.
        while let last = range.last, ";,".utf8.contains(text[last]) || (!name.startsLine && text[last] == 0x2E) {
            range = range.lowerBound..<last
        }
        return range
    }

    /// Whether the pair is one of a list with semicolons: `Server=a;Password=b`.
    private static func inList(_ text: Span<UInt8>, _ name: AssignmentName, _ line: Range<Int>) -> Bool {
        var before = name.phrase.lowerBound
        while before > 0, text[before - 1] == 0x20 { before -= 1 }
        if before > 0, text[before - 1] == UInt8(ascii: ";") { return true }
        let near = line.clamped(to: line.lowerBound..<line.lowerBound + 256)
        guard let semicolon = text.firstIndex(of: UInt8(ascii: ";"), in: near) else { return false }
        let next = (semicolon..<line.upperBound).clamped(to: semicolon..<semicolon + 64)
        return text.firstIndex(of: UInt8(ascii: "="), in: next) != nil
    }

    private static func endsBeforeComment(_ text: Span<UInt8>, _ index: Int, _ end: Int) -> Bool {
        guard index + 1 < end else { return true }
        return text[index + 1] == UInt8(ascii: "#")
    }

    /// Whether the next word is a name with `=`.
    private static func hasPair(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound + 1
        let start = index
        while index < range.upperBound, isWordByte(text[index]) || text[index] == UInt8(ascii: "-") { index += 1 }
        return index > start && index < range.upperBound && text[index] == UInt8(ascii: "=")
    }
}
