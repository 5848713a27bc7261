// SPDX-License-Identifier: Apache-2.0

/// A string as a key of a dictionary or a member of a set. Two strings are equal if their bytes are.
///
/// Swift compares strings by canonical equivalence: `ä` equals `a` with U+0308. JSON (RFC 8259, section 8.3), XML, and
/// URLs compare code points, as all other implementations do. Therefore a dictionary that is keyed by a string of a
/// document has this type as its key, and ``Swift/String/==(_:_:)`` of this module replaces the standard library's.
package struct ExactText: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
    /// The text.
    package let text: String

    /// Creates a key.
    package init(_ text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text == right.text }

    package static func < (left: ExactText, right: ExactText) -> Bool { left.text < right.text }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.utf8.count)
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Dictionary where Key == ExactText {
    /// Returns the value of a text.
    package subscript(text: String) -> Value? {
        get { self[ExactText(text)] }
        set { self[ExactText(text)] = newValue }
    }

    /// Returns the value of a text, or else the default.
    package subscript(text: String, default standard: @autoclosure () -> Value) -> Value {
        get { self[ExactText(text), default: standard()] }
        _modify { yield &self[ExactText(text), default: standard()] }
    }
}

extension Set<ExactText> {
    /// Whether the set contains a text.
    package func contains(_ text: String) -> Bool { contains(ExactText(text)) }
}

// MARK: - Comparing texts

// The declarations below replace the standard library's in files that import this module. `.ci/texts` checks that the
// files of the rooms that compare documents do. Generic code, such as `elementsEqual(_:)` and `==` of an array literal,
// still compares as the standard library does.

extension String {
    /// Whether both texts have the same bytes.
    @inlinable
    package static func == (left: String, right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        // The standard library compares short texts fastest, and never calls the same bytes different. A text of ASCII
        // looks like no other text of the same length.
        guard left.utf8.count > 15 || looksLike(left, right) else { return false }
        return (left.utf8.count < 16 && left.utf16.count == left.utf8.count) || hasSameBytes(left, right)
    }

    /// The standard library's comparison.
    @inlinable
    static func looksLike<Text: Equatable>(_ left: Text, _ right: Text) -> Bool { left == right }

    /// Compares texts of the same length, eight bytes at a time.
    @inlinable
    static func hasSameBytes(_ left: String, _ right: String) -> Bool {
        let result = unsafe left.utf8.withContiguousStorageIfAvailable { left in
            unsafe right.utf8.withContiguousStorageIfAvailable { right in
                let (left, right) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
                var index = 0
                while index + 8 <= left.count {
                    let word = unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    guard unsafe word == right.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
                        return false
                    }
                    index += 8
                }
                return unsafe left[index...].elementsEqual(right[index...])
            }
        }
        return (result ?? nil) ?? left.utf8.elementsEqual(right.utf8)
    }

    @inlinable
    package static func != (left: String, right: String) -> Bool { !(left == right) }

    /// Whether the bytes of `left` are ordered before those of `right`, which is the order of their code points.
    package static func < (left: String, right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    /// Whether the bytes of the text start with those of `prefix`.
    package func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Whether the bytes of the text end with those of `suffix`.
    package func hasSuffix(_ suffix: String) -> Bool { self[...].hasSuffix(suffix) }

    /// Whether the bytes of the text contain those of `part`.
    package func contains(_ part: String) -> Bool { self[...].contains(part) }
}

extension Substring {
    package static func == (left: Substring, right: Substring) -> Bool { left.utf8.elementsEqual(right.utf8) }

    package static func != (left: Substring, right: Substring) -> Bool { !(left == right) }

    package func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    package func hasSuffix(_ suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

    package func contains(_ part: String) -> Bool {
        ByteSearch.firstIndex(of: Array(part.utf8), in: Array(utf8)[...]) != nil
    }
}

extension StringProtocol {
    package static func == (left: Self, right: some StringProtocol) -> Bool { left.utf8.elementsEqual(right.utf8) }

    package static func != (left: Self, right: some StringProtocol) -> Bool { !left.utf8.elementsEqual(right.utf8) }
}

extension String? {
    @inlinable
    package static func == (left: String?, right: String?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): left == right
        case (nil, nil): true
        default: false
        }
    }

    @inlinable
    package static func != (left: String?, right: String?) -> Bool { !(left == right) }
}

extension [String] {
    package static func == (left: [String], right: [String]) -> Bool {
        left.count == right.count && left.elementsEqual(right) { $0 == $1 }
    }

    package static func != (left: [String], right: [String]) -> Bool { !(left == right) }

    package func contains(_ text: String) -> Bool { contains { $0 == text } }

    package func firstIndex(of text: String) -> Int? { firstIndex { $0 == text } }
}

/// Whether a case of a `switch` has the same bytes as the text.
package func ~= (pattern: String, text: String) -> Bool { pattern == text }
