// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// JSON in the strings of successive texts of a stream, as language models send the arguments of a tool:
/// `{"arguments":"{\"pass"}`, `{"arguments":"word\":\"Co"}`, `{"arguments":"met\"}"}`.
///
/// Reads the strings as one text and finds the string values whose names are those of secrets, wherever the text is
/// split. Values in lists and in groups such as `credentials` are found only if they have such a name themselves.
struct SplitObject: Sendable {
    /// The maximum length of a key, and the number of bytes of a value after which it is judged.
    private static let (longestKey, longestValue) = (64, 4096)

    private enum Place {
        /// Outside strings.
        case structure
        /// In a string that can be a key.
        case key
        /// After a string that can be a key.
        case keyEnd
        /// Between the colon and the value.
        case colon
        /// In a string value.
        case value
    }

    private var place = Place.structure
    private var depth = 0
    /// Whether the last byte was a backslash in a string.
    private var isEscaped = false
    private var key: [UInt8] = []
    /// The index of the text in which the key started.
    private var keyText = 0
    private var verdict: SecretNames.Verdict?
    /// The bytes of the value so far, if its name has a verdict, and their ranges in the body.
    private var value: [UInt8] = []
    private var parts: [Range<Int>] = []
    /// The number of texts so far.
    private var texts = 0

    /// Whether the text is no longer JSON, or complete.
    private(set) var hasEnded = false
    /// The offset in the body of the end of the last text.
    private(set) var position = 0

    /// The offset that must be recent for the object to continue. A value that is spread over a long part of the body
    /// is decided before it is complete.
    var oldest: Int { parts.first?.lowerBound ?? position }

    /// The offset before which no value is undecided.
    var decided: Int { parts.first?.lowerBound ?? .max }

    /// Whether a string can be the start of an object or an array.
    static func canStart(_ content: Span<UInt8>) -> Bool {
        var index = 0
        while index < content.count, content[index] == 0x20 { index += 1 }
        return index < content.count && (content[index] == UInt8(ascii: "{") || content[index] == UInt8(ascii: "["))
    }

    /// Reads the next text, which starts at `offset` in the body.
    mutating func read(_ content: Span<UInt8>, at offset: Int, _ names: SecretNames, _ cuts: inout [Cut]) {
        texts += 1
        position = offset + content.count
        var index = 0
        while index < content.count, !hasEnded {
            let (byte, end) = Self.decoded(content, at: index)
            take(byte, offset + index..<offset + end, names, &cuts)
            index = end
        }
    }

    /// Ends the object, and decides its last value if that is incomplete.
    mutating func end(_ cuts: inout [Cut]) {
        endValue(&cuts)
        hasEnded = true
    }

    /// Returns the character at `index` of a JSON string, and its end. A character that is not ASCII becomes a letter.
    private static func decoded(_ content: Span<UInt8>, at index: Int) -> (UInt8, end: Int) {
        guard content[index] == UInt8(ascii: "\\"), index + 1 < content.count else {
            return (content[index], index + 1)
        }
        var end = index
        switch JSONEscape(in: content, at: &end) {
        case .byte(0x0D): return (0x0A, end)
        case .byte(0x08), .byte(0x0C): return (0x20, end)
        case .byte(let byte): return (byte, end)
        case .scalar(let scalar): return (scalar.isASCII ? UInt8(scalar.value) : UInt8(ascii: "x"), end)
        case .surrogate, .invalid: return (UInt8(ascii: "x"), end)
        }
    }

    private mutating func take(_ byte: UInt8, _ range: Range<Int>, _ names: SecretNames, _ cuts: inout [Cut]) {
        switch place {
        case .key where !endsString(byte):
            if key.count <= Self.longestKey { key.append(byte) }
        case .key: place = .keyEnd
        case .value where !endsString(byte):
            if verdict != nil { add(byte, range, &cuts) }
        case .value:
            endValue(&cuts)
            place = .structure
        case .keyEnd where byte == UInt8(ascii: ":"):
            let key = key[...]
            verdict = key.count <= Self.longestKey ? names.verdict(of: key.span, in: .json) : nil
            place = .colon
        case .colon where byte == UInt8(ascii: "\""): place = .value
        case .structure, .keyEnd, .colon: readStructure(byte)
        }
    }

    /// Whether a byte in a string is the quote that ends it.
    private mutating func endsString(_ byte: UInt8) -> Bool {
        guard !isEscaped else {
            isEscaped = false
            return false
        }
        isEscaped = byte == UInt8(ascii: "\\")
        return byte == UInt8(ascii: "\"")
    }

    private mutating func readStructure(_ byte: UInt8) {
        switch byte {
        case 0x20, 0x09, 0x0A: return
        case UInt8(ascii: "\""):
            place = .key
            key.removeAll(keepingCapacity: true)
            keyText = texts
            return
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth <= 0 { hasEnded = true }
        case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): break
        default: if !isAlphanumeric(byte) { hasEnded = true }
        }
        place = .structure
    }

    // MARK: Values

    private mutating func add(_ byte: UInt8, _ range: Range<Int>, _ cuts: inout [Cut]) {
        if let last = parts.last, last.upperBound == range.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<range.upperBound
        } else {
            parts.append(range)
        }
        value.append(byte)
        guard value.count >= Self.longestValue else { return }
        // The rest of a long value is judged like its start.
        endValue(&cuts)
    }

    private mutating func endValue(_ cuts: inout [Cut]) {
        defer {
            self.value.removeAll(keepingCapacity: true)
            parts.removeAll(keepingCapacity: true)
        }
        let value = value[...]
        // A field that is within one text is found by the views instead.
        guard let verdict, !parts.isEmpty, parts.count > 1 || keyText < texts,
            !LiteralWord.isLiteral(value.span), NamedValue.isSecret(value.span, verdict, isText: true)
        else { return }
        cuts += parts.map { Cut(range: $0, replacement: .marker(verdict.marker)) }
    }
}
