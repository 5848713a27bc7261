// SPDX-License-Identifier: Apache-2.0

/// A text as a key of a dictionary or a member of a set. Two texts are the same if their bytes are.
///
/// Swift compares texts by what they look like: `ä` equals `a` with U+0308. JSON (RFC 8259, section 8.3), XML, and URLs
/// compare code points, as all other implementations do. Therefore a dictionary that is keyed by a text of a document
/// has this type as its key, and ``Swift/String/==(_:_:)`` of this module replaces the standard library's.
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
        let (left, right) = (left.utf8, right.utf8)
        guard left.count == right.count else { return false }
        // One call for the whole text is much faster than one for each byte.
        let result = unsafe left.withContiguousStorageIfAvailable { left in
            unsafe right.withContiguousStorageIfAvailable { unsafe left.elementsEqual($0) }
        }
        return (result ?? nil) ?? left.elementsEqual(right)
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
