// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Builds readable JSON text: one line per member, indented by two spaces per level, or a whole object or array on
/// one line.
package struct JSONTextBuilder {
    @usableFromInline
    package private(set) var text: [UInt8] = []
    private var open: [(close: UInt8, isOneLine: Bool, isEmpty: Bool)] = []

    /// Creates a builder for text inside `depth` open objects and arrays.
    ///
    /// - Parameter isOneLine: Whether to write everything on one line.
    package init(depth: Int = 0, isOneLine: Bool = false) {
        // The maximum depth inside an exchange.
        open.reserveCapacity(depth + 6)
        for _ in 0..<depth { open.append((close: 0, isOneLine: isOneLine, isEmpty: true)) }
    }

    /// The number of spaces before a line of the open object or array.
    package var indentation: Int { 2 * open.count }

    package mutating func beginObject(onOneLine: Bool = false) {
        begin(UInt8(ascii: "{"), UInt8(ascii: "}"), onOneLine)
    }

    package mutating func beginArray(onOneLine: Bool = false) {
        begin(UInt8(ascii: "["), UInt8(ascii: "]"), onOneLine)
    }

    /// Ends the innermost open object or array.
    package mutating func end() {
        let (close, isOneLine, isEmpty) = open.removeLast()
        if !isOneLine, !isEmpty { breakLine() }
        text.append(close)
    }

    /// Reserves space for `count` more bytes.
    package mutating func reserveCapacity(_ count: Int) {
        text.reserveCapacity(text.count + count)
    }

    /// Starts a member of an object. `name` must need no escaping.
    package mutating func key(_ name: String) {
        element()
        text.append(UInt8(ascii: "\""))
        text.append(contentsOf: name.utf8)
        text.append(UInt8(ascii: "\""))
        text.append(UInt8(ascii: ":"))
        text.append(0x20)
    }

    /// Starts a member of an object. `name` is a string token as written, with its colon and the following space.
    package mutating func key(spelled name: [UInt8]) {
        element()
        text.append(contentsOf: name)
    }

    /// Starts an element of an array.
    package mutating func element() {
        guard let last = open.indices.last else { return }
        if !open[last].isEmpty { text.append(UInt8(ascii: ",")) }
        if !open[last].isOneLine {
            breakLine()
        } else if !open[last].isEmpty {
            text.append(0x20)
        }
        open[last].isEmpty = false
    }

    /// Writes `json`, a value, as it is.
    package mutating func raw(_ json: [UInt8]) {
        text.append(contentsOf: json)
    }

    /// Writes a value with a function that appends its JSON.
    package mutating func raw(_ append: (inout [UInt8]) -> Void) {
        append(&text)
    }

    /// Writes a string.
    package mutating func string(_ text: String) {
        string(Array(text.utf8))
    }

    /// Writes a string. `utf8` must be valid. Characters that are invisible in a diff are escaped.
    package mutating func string(_ utf8: [UInt8]) {
        let slice = utf8[...]
        text.append(UInt8(ascii: "\""))
        var kept = 0
        var index = 0
        while true {
            index = slice.span.endOfPlainRun(from: index)
            guard index < utf8.count else { break }
            if utf8[index] == UInt8(ascii: "\"") {
                text.append(contentsOf: utf8[kept..<index])
                text.append(UInt8(ascii: "\\"))
                kept = index
                index += 1
                continue
            }
            let length = max(1, UTF8Sequence.length(at: index, in: slice.span))
            if let escape = Self.escape(utf8[index..<min(index + length, utf8.count)]) {
                text.append(contentsOf: utf8[kept..<index])
                text.append(contentsOf: escape.utf8)
                kept = index + length
            }
            index += length
        }
        text.append(contentsOf: utf8[kept...])
        text.append(UInt8(ascii: "\""))
    }

    private mutating func begin(_ bracket: UInt8, _ close: UInt8, _ isOneLine: Bool) {
        text.append(bracket)
        open.append((close, isOneLine || open.last?.isOneLine == true, true))
    }

    private mutating func breakLine() {
        text.append(0x0A)
        text.append(contentsOf: repeatElement(0x20, count: indentation))
    }

    /// Returns the escape of `character`, or `nil` if it needs none.
    private static func escape(_ character: ArraySlice<UInt8>) -> String? {
        switch character.first {
        case UInt8(ascii: "\""): return "\\\""
        case UInt8(ascii: "\\"): return "\\\\"
        case 0x0A: return "\\n"
        case 0x0D: return "\\r"
        case 0x09: return "\\t"
        case 0x08: return "\\b"
        case 0x0C: return "\\f"
        default:
            guard let scalar = String(decoding: character, as: UTF8.self).unicodeScalars.first else { return nil }
            return isInvisible(scalar.value) ? "\\u" + hexadecimal(UInt64(scalar.value), digits: 4) : nil
        }
    }

    /// Whether the character is a control, a line or paragraph separator, a byte order mark, or changes the text
    /// direction.
    private static func isInvisible(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x80..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
