// SPDX-License-Identifier: Apache-2.0

/// What stands in the place of a secret: `[redacted]`, or `[redacted:alice]` where a rule named it.
///
/// A URL may have its brackets and its colon percent-encoded: `%5Bredacted%5D`, `%5Bredacted%3Aalice%5D`. Both spellings
/// mean the same, so does a mix of them, and so do hexadecimal digits in lower case; the word is in lower case always.
package enum RedactionMarker {
    /// The marker without a name.
    package static let plain = "[redacted]"
    /// The marker without a name, for a URL that a client is going to read.
    static let percentEncoded = "%5Bredacted%5D"

    /// How many characters a name may have.
    package static let maximumNameLength = 64
    /// How many bytes the longest marker has, with all that can be percent-encoded.
    package static let maximumLength = 17 + maximumNameLength

    /// The marker called `name`: of letters and digits of ASCII, `-`, `_` and `.`, 1 to 64 of them.
    ///
    /// - Returns: `nil` for anything else.
    package static func named(_ name: String) -> String? {
        guard 1...maximumNameLength ~= name.utf8.count, name.utf8.allSatisfy(isNameByte) else { return nil }
        return "[redacted:\(name)]"
    }

    /// Whether the bytes hold a marker in any spelling.
    package static func isIn(_ bytes: Span<UInt8>) -> Bool {
        next(in: bytes, from: 0) != nil
    }

    /// Where the markers are, in any spelling.
    package static func ranges(in bytes: Span<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while let range = next(in: bytes, from: start) {
            ranges.append(range)
            start = range.upperBound
        }
        return ranges
    }

    /// The first marker that starts at `start` or later; `nil` if there is none. It allocates nothing.
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

    /// Where the marker ends that starts at `start`; `nil` if none does.
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

    /// The index after `byte`, which stands at `index` as itself or percent-encoded (RFC 3986 section 2.1).
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
