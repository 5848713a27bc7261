// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The form in which JSON bodies are compared. Equal values have equal bytes.
///
/// The form has no whitespace. Members are sorted by name, and only the last of several with the same name is kept.
/// Strings have only the escapes that they need, and numbers are written by their exact decimal value. The order of
/// array elements is significant.
enum CanonicalJSON {
    /// The maximum nesting depth of arrays and objects that are compared by value.
    static let maximumDepth = 128

    /// Returns the canonical form of `text`, or `nil` if it is not valid JSON or nested too deeply. The caller then
    /// compares the bytes.
    static func canonical(_ text: Span<UInt8>) -> [UInt8]? {
        guard let narrow = narrowed(text) else { return canonical(narrow: text) }
        let slice = narrow[...]
        return canonical(narrow: slice.span)
    }

    /// Returns a text in UTF-16 as UTF-8, or `nil` for any other. JSON starts with an ASCII character.
    private static func narrowed(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count >= 4, text.count % 2 == 0 else { return nil }
        let start: Int
        let isLittleEndian: Bool
        switch (text[0], text[1]) {
        case (0xFF, 0xFE): (start, isLittleEndian) = (2, true)
        case (0xFE, 0xFF): (start, isLittleEndian) = (2, false)
        case (1..., 0) where text[2] != 0: (start, isLittleEndian) = (0, true)
        case (0, 1...): (start, isLittleEndian) = (0, false)
        default: return nil
        }
        let units = stride(from: start, to: text.count, by: 2).map { index in
            let (low, high) = isLittleEndian ? (text[index], text[index + 1]) : (text[index + 1], text[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func canonical(narrow text: Span<UInt8>) -> [UInt8]? {
        var scanner = JSONScanner()
        var writer = CanonicalJSONWriter(capacity: text.count)
        while let token = try? scanner.next(in: text), scanner.depth <= maximumDepth {
            if token == .end { return writer.bytes }
            writer.append(token, of: text)
        }
        return nil
    }

    /// Whether `text` starts like an object or an array.
    static func looksStructured(_ text: Span<UInt8>) -> Bool {
        var index = text.startsWithByteOrderMark ? 3 : 0
        while index < text.count, text[index] <= 0x20 { index += 1 }
        return index < text.count && (text[index] == UInt8(ascii: "{") || text[index] == UInt8(ascii: "["))
    }
}

/// Writes tokens in canonical form.
private struct CanonicalJSONWriter {
    var bytes: [UInt8] = []
    private var open: [Container] = []
    private var members: [Member] = []
    private var isAfterKey = false

    private struct Container {
        var isObject: Bool
        /// The index of the opening bracket.
        var start: Int
        /// The index of the first member in `members`.
        var firstMember: Int
    }

    private struct Member {
        var start: Int
        var keyEnd: Int
    }

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func append(_ token: JSONToken, of text: Span<UInt8>) {
        switch token {
        case .beginObject: begin(isObject: true)
        case .beginArray: begin(isObject: false)
        case .endObject: endObject()
        case .endArray:
            open.removeLast()
            bytes.append(UInt8(ascii: "]"))
        case .key(let range): appendKey(range, of: text)
        case .string(let range):
            separate()
            CanonicalString.append(text.extracting(range), to: &bytes)
        case .number(let range):
            separate()
            CanonicalNumber.append(text.extracting(range), to: &bytes)
        case .true: appendWord("true")
        case .false: appendWord("false")
        case .null: appendWord("null")
        case .end: break
        }
    }

    private mutating func begin(isObject: Bool) {
        separate()
        open.append(Container(isObject: isObject, start: bytes.count, firstMember: members.count))
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
    }

    private mutating func appendWord(_ word: StaticString) {
        separate()
        bytes.append(contentsOf: String(describing: word).utf8)
    }

    private mutating func appendKey(_ range: Range<Int>, of text: Span<UInt8>) {
        separate()
        let start = bytes.count
        CanonicalString.append(text.extracting(range), to: &bytes)
        members.append(Member(start: start, keyEnd: bytes.count))
        bytes.append(UInt8(ascii: ":"))
        isAfterKey = true
    }

    /// Writes a comma between elements and between members.
    private mutating func separate() {
        if isAfterKey {
            isAfterKey = false
        } else if let container = open.last, bytes.count > container.start + 1 {
            bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func endObject() {
        guard let container = open.popLast() else { return }
        if !Self.isOrdered(members, from: container.firstMember, in: bytes) {
            let ordered = Self.ordered(members, from: container.firstMember, in: bytes)
            bytes.removeLast(bytes.count - container.start - 1)
            bytes.append(contentsOf: ordered)
        }
        members.removeLast(members.count - container.firstMember)
        bytes.append(UInt8(ascii: "}"))
    }

    private static func isOrdered(_ members: [Member], from first: Int, in bytes: [UInt8]) -> Bool {
        var index = first + 1
        while index < members.count {
            let (key, next) = (bytes[keyRange(members[index - 1])], bytes[keyRange(members[index])])
            guard key.lexicographicallyPrecedes(next) else { return false }
            index += 1
        }
        return true
    }

    /// Returns the members sorted by name, keeping only the last with each name.
    private static func ordered(_ members: [Member], from first: Int, in bytes: [UInt8]) -> [UInt8] {
        let sorted = members.indices[first...].sorted { one, other in
            let (key, otherKey) = (bytes[keyRange(members[one])], bytes[keyRange(members[other])])
            if key.lexicographicallyPrecedes(otherKey) { return true }
            return one < other && key == otherKey
        }
        var ordered: [UInt8] = []
        for (position, index) in sorted.enumerated() {
            let key = bytes[keyRange(members[index])]
            if position + 1 < sorted.count, bytes[keyRange(members[sorted[position + 1]])] == key { continue }
            let end = index + 1 < members.count ? members[index + 1].start - 1 : bytes.count
            if !ordered.isEmpty { ordered.append(UInt8(ascii: ",")) }
            ordered.append(contentsOf: bytes[members[index].start..<end])
        }
        return ordered
    }

    private static func keyRange(_ member: Member) -> Range<Int> {
        member.start..<member.keyEnd
    }
}

/// JSON strings with only the escapes that they need.
enum CanonicalString {
    /// Appends a string with its quotes. `content` is the text between the quotes as written.
    static func append(_ content: Span<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var index = 0
        while index < content.count {
            let byte = content[index]
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                index += 1
                continue
            }
            switch JSONEscape(in: content, at: &index) {
            case .byte(let byte): append(character: byte, to: &bytes)
            case .scalar(let scalar):
                if scalar.isASCII {
                    append(character: UInt8(truncatingIfNeeded: scalar.value), to: &bytes)
                } else {
                    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                }
            case .surrogate(let unit): append(unit: unit, to: &bytes)
            // The scanner has validated the digits.
            case .invalid: break
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends one byte of a string's content, which is UTF-8 without escapes.
    static func append(character byte: UInt8, to bytes: inout [UInt8]) {
        guard byte >= 0x20 else { return append(unit: UInt16(byte), to: &bytes) }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
    }

    /// Appends a control character or a lone surrogate as its number.
    private static func append(unit: UInt16, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\\u\(hexadecimal(UInt64(unit), digits: 4))".utf8)
    }
}
