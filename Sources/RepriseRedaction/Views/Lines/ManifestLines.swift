// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the values of Kubernetes secrets in YAML: those below `data` and `stringData` in an object with
/// `kind: Secret`.
struct ManifestLines {
    /// An object, whose members start in the same column.
    private struct Object {
        var column: Int
        var isSecret = false
        /// Whether the last member is `data` or `stringData`.
        var isData = false
        /// The names and values in the data.
        var fields: [Field] = []
    }

    /// A member of the data.
    struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    private struct Line {
        var name: Range<Int>
        var value: Range<Int>
        var column: Int
        /// The column of the dash, if the line starts an item of a list.
        var dash: Int?
    }

    private static let (kind, kindField) = (Array("kind".utf8), Array("kind:".utf8))
    private static let documentStart = Array("---".utf8)
    private static let secret = Array("Secret".utf8)
    private static let contents = ["data", "stringData"].map { Array($0.utf8) }
    private static let nameEnds = ByteSet(": \t{}[],&*#|>\n\r")
    private static let maximumDepth = 32

    private var objects: [Object] = []
    private(set) var secrets: [Field] = []

    /// Whether the text can contain such an object.
    static func occurs(in text: Span<UInt8>) -> Bool {
        var index = 0
        while let kind = text.firstIndex(of: kindField, from: index) {
            index = kind + kindField.count
            var value = index
            while value < text.count, " \t\"'".utf8.contains(text[value]) { value += 1 }
            if text.has(secret, at: value) { return true }
        }
        return false
    }

    init(_ text: Span<UInt8>) {
        var start = 0
        while start < text.count {
            let end = text.lineEnd(from: start)
            if text[start] == UInt8(ascii: "-"), start + 3 <= end, text.has(Self.documentStart, at: start) {
                close(rightOf: -1)
            } else if let line = Self.line(text, start..<end) {
                start = take(line, text, next: end + 1)
                continue
            }
            start = end + 1
        }
        close(rightOf: -1)
    }

    /// Takes a line. Returns the start of the next line to read.
    private mutating func take(_ line: Line, _ text: Span<UInt8>, next: Int) -> Int {
        close(rightOf: line.dash ?? line.column)
        var next = next
        if objects.last?.column != line.column {
            if let last = objects.indices.last, objects[last].isData, line.dash == nil {
                var value = line.value
                if !value.isEmpty, text[value.lowerBound] == UInt8(ascii: "|") || text[value.lowerBound] == 0x3E {
                    value = Self.block(text, from: next, below: line.column)
                    next = max(next, value.upperBound)
                }
                if !value.isEmpty {
                    objects[last].fields.append(Field(name: line.name, value: Self.unquoted(value, text)))
                }
                return next
            }
            guard objects.count < Self.maximumDepth else { return next }
            objects.append(Object(column: line.column))
        }
        let last = objects.count - 1
        objects[last].isData = line.value.isEmpty && Self.contents.contains { Self.isSame(text, line.name, $0) }
        if Self.isSame(text, line.name, Self.kind), Self.isSame(text, Self.unquoted(line.value, text), Self.secret) {
            objects[last].isSecret = true
        }
        return next
    }

    /// Closes the objects whose members are further right than a column.
    private mutating func close(rightOf column: Int) {
        while let last = objects.last, last.column > column {
            if last.isSecret { secrets += last.fields }
            objects.removeLast()
        }
    }

    private static func isSame(_ text: Span<UInt8>, _ range: Range<Int>, _ word: [UInt8]) -> Bool {
        range.count == word.count && text.has(word, at: range.lowerBound)
    }

    private static func unquoted(_ range: Range<Int>, _ text: Span<UInt8>) -> Range<Int> {
        guard range.count >= 2, text[range.lowerBound] == text[range.upperBound - 1],
            text[range.lowerBound] == UInt8(ascii: "\"") || text[range.lowerBound] == UInt8(ascii: "'")
        else { return range }
        return range.lowerBound + 1..<range.upperBound - 1
    }

    /// Returns the range of the lines that are indented further than a column.
    private static func block(_ text: Span<UInt8>, from start: Int, below column: Int) -> Range<Int> {
        var (index, end) = (start, start)
        while index < text.count {
            var first = index
            while first < text.count, text[first] == 0x20 { first += 1 }
            let lineEnd = text.lineEnd(from: first)
            if lineEnd > first {
                guard first - index > column else { break }
                end = lineEnd
            }
            index = lineEnd + 1
        }
        return text.trimmed(min(start, end)..<end)
    }

    /// Reads a line with a name and a colon.
    private static func line(_ text: Span<UInt8>, _ range: Range<Int>) -> Line? {
        var index = range.lowerBound
        var dash: Int?
        while index < range.upperBound, text[index] == 0x20 || text[index] == UInt8(ascii: "-") {
            if text[index] == UInt8(ascii: "-") {
                guard index + 1 < range.upperBound, text[index + 1] == 0x20 else { break }
                dash = dash ?? index - range.lowerBound
            }
            index += 1
        }
        let start = index
        while index < range.upperBound, !nameEnds.contains(text[index]) { index += 1 }
        guard index > start, index < range.upperBound, text[index] == UInt8(ascii: ":"),
            index + 1 == range.upperBound || text[index + 1] == 0x20
        else { return nil }
        let value = text.trimmed(index + 1..<range.upperBound)
        return Line(name: start..<index, value: value, column: start - range.lowerBound, dash: dash)
    }
}

extension DecodedTextScanner {
    /// Looks for the values of Kubernetes secrets.
    mutating func lookAtManifests(_ text: Span<UInt8>) {
        guard ManifestLines.occurs(in: text), spend(text.count) else { return }
        for field in ManifestLines(text).secrets
        where rules.names.role(of: text.extracting(field.name), in: .json) != .descriptive {
            let value = text.extracting(field.value)
            if !LiteralWord.isLiteral(value), !PublicKeyText.isPublic(value) { visit(text, field.value, Verdict()) }
        }
    }
}
