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
        JSONEscaping.invisible.append(text, to: &self.text)
    }

    /// Writes a string. `utf8` must be valid. Characters that are invisible in a diff are escaped.
    package mutating func string(_ utf8: [UInt8]) {
        JSONEscaping.invisible.append(utf8, to: &text)
    }

    private mutating func begin(_ bracket: UInt8, _ close: UInt8, _ isOneLine: Bool) {
        text.append(bracket)
        open.append((close, isOneLine || open.last?.isOneLine == true, true))
    }

    private mutating func breakLine() {
        text.append(0x0A)
        text.append(contentsOf: repeatElement(0x20, count: indentation))
    }
}
