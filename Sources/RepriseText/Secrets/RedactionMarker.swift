// SPDX-License-Identifier: Apache-2.0

/// The text that replaces a secret: `[redacted]`, or a named marker such as `[redacted:alice]` if the rule has a
/// name.
///
/// In a URL, the brackets and the colon may be percent-encoded: `%5Bredacted%5D`, `%5Bredacted%3Aalice%5D`. Any mix
/// of both spellings, with hexadecimal digits in either case, has the same meaning. The word `redacted` is always in
/// lower case.
package enum RedactionMarker {
    /// The marker without a name.
    package static let plain = "[redacted]"
    /// The marker without a name, percent-encoded for a URL that a client parses.
    static let percentEncoded = "%5Bredacted%5D"

    /// The maximum length of a name, in characters.
    package static let maximumNameLength = 64
    /// The length of the longest marker in bytes, with every possible character percent-encoded.
    package static let maximumLength = 17 + maximumNameLength

    /// Returns the marker called `name`. A name has 1 to 64 ASCII letters, digits, `-`, `_`, and `.`.
    ///
    /// - Returns: The marker, or `nil` if the name is invalid.
    package static func named(_ name: String) -> String? {
        guard 1...maximumNameLength ~= name.utf8.count, name.utf8.allSatisfy(isNameByte) else { return nil }
        return "[redacted:\(name)]"
    }

    /// Whether the bytes contain a marker in any spelling.
    package static func occurs(in bytes: Span<UInt8>) -> Bool {
        next(in: bytes, from: 0) != nil
    }

    /// Returns the ranges of all markers, in any spelling.
    package static func ranges(in bytes: Span<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while let range = next(in: bytes, from: start) {
            ranges.append(range)
            start = range.upperBound
        }
        return ranges
    }

    /// Returns the range of the first marker that starts at or after `start`, or `nil` if no marker follows. Does not
    /// allocate.
    package static func next(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "[") || bytes[index] == UInt8(ascii: "%"),
                let end = end(at: index, in: bytes)
            {
                return index..<end
            }
            index += 1
        }
        return nil
    }

    /// Returns the end of the marker that starts at `start`, or `nil` if no marker starts there.
    package static func end(at start: Int, in bytes: Span<UInt8>) -> Int? {
        guard var index = end(of: UInt8(ascii: "["), at: start, in: bytes) else { return nil }
        for expected in "redacted".utf8 {
            guard index < bytes.count, bytes[index] == expected else { return nil }
            index += 1
        }
        if let nameStart = end(of: UInt8(ascii: ":"), at: index, in: bytes) {
            index = nameStart
            while index < bytes.count, index - nameStart <= maximumNameLength, isNameByte(bytes[index]) { index += 1 }
            guard 1...maximumNameLength ~= index - nameStart else { return nil }
        }
        return end(of: UInt8(ascii: "]"), at: index, in: bytes)
    }

    /// Returns the index after `byte` at `index`, either literal or percent-encoded (RFC 3986 section 2.1).
    private static func end(of byte: UInt8, at index: Int, in bytes: Span<UInt8>) -> Int? {
        guard index < bytes.count else { return nil }
        if bytes[index] == byte { return index + 1 }
        return PercentEscape.byte(at: index, in: bytes) == byte ? index + 3 : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: ".")
    }
}
