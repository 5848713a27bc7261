// SPDX-License-Identifier: Apache-2.0

/// The text that replaces a secret: `[redacted]`, or a named marker such as `[redacted:alice]` if the rule has a
/// name. With a number, `[redacted~1]` or `[redacted:alice~2]`, a marker stands for one secret wherever it occurs.
///
/// In a URL, the brackets, the colon, and the tilde may be percent-encoded: `%5Bredacted%5D`,
/// `%5Bredacted%3Aalice%5D`. Any mix of both spellings, with hexadecimal digits in either case, has the same meaning.
/// The word `redacted` is always in lower case.
package enum RedactionMarker {
    /// The marker without a name.
    package static let plain = "[redacted]"

    /// The maximum length of a name, in characters.
    package static let maximumNameLength = 64
    /// The maximum number of digits of a number.
    package static let maximumDigitCount = 9
    /// The length of the longest marker in bytes, with every possible character percent-encoded.
    package static let maximumLength = 17 + maximumNameLength + 3 + maximumDigitCount

    /// Returns the marker called `name`. A name has 1 to 64 ASCII letters, digits, `-`, `_`, and `.`.
    ///
    /// - Returns: The marker, or `nil` if the name is invalid.
    package static func named(_ name: String) -> String? {
        guard 1...maximumNameLength ~= name.utf8.count, name.utf8.allSatisfy(isNameByte) else { return nil }
        return "[redacted:\(name)]"
    }

    /// Returns the marker with this number and, if it is not `nil`, this valid name.
    package static func numbered(_ number: Int, name: String? = nil) -> String {
        name.map { "[redacted:\($0)~\(number)]" } ?? "[redacted~\(number)]"
    }

    /// Whether `text` is a marker in the spelling without percent-encoding.
    package static func isMarker(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return !bytes.contains(UInt8(ascii: "%")) && end(at: 0, in: bytes.span) == bytes.count
    }

    /// Returns the number of a marker, or `nil` if `text` is not a marker with a number.
    package static func number(of text: String) -> Int? {
        guard isMarker(text), let tilde = text.utf8.lastIndex(of: UInt8(ascii: "~")) else { return nil }
        return Int(text[text.utf8.index(after: tilde)...].dropLast())
    }

    /// Returns a marker in any spelling without percent-encoding.
    package static func text(_ marker: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var index = marker.startIndex
        while index < marker.endIndex {
            let byte = PercentEscape.byte(at: index - marker.startIndex, in: marker.span)
            text.append(byte ?? marker[index])
            index += byte == nil ? 1 : 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    // The functions below find markers with and without numbers. In a cassette of format 1, a text with a number is not
    // a marker.

    /// Whether the bytes contain a marker in any spelling.
    package static func occurs(in bytes: Span<UInt8>, withNumbers: Bool = true) -> Bool {
        next(in: bytes, from: 0, withNumbers: withNumbers) != nil
    }

    /// Returns the ranges of all markers, in any spelling.
    package static func ranges(in bytes: Span<UInt8>, withNumbers: Bool = true) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while let range = next(in: bytes, from: start, withNumbers: withNumbers) {
            ranges.append(range)
            start = range.upperBound
        }
        return ranges
    }

    /// Returns the range of the first marker that starts at or after `start`, or `nil` if no marker follows. Does not
    /// allocate.
    package static func next(in bytes: Span<UInt8>, from start: Int, withNumbers: Bool = true) -> Range<Int>? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "[") || bytes[index] == UInt8(ascii: "%"),
                let end = end(at: index, in: bytes, withNumbers: withNumbers)
            {
                return index..<end
            }
            index += 1
        }
        return nil
    }

    /// Returns the end of the marker that starts at `start`, or `nil` if no marker starts there.
    package static func end(at start: Int, in bytes: Span<UInt8>, withNumbers: Bool = true) -> Int? {
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
        if withNumbers, let digits = end(of: UInt8(ascii: "~"), at: index, in: bytes) {
            index = digits
            while index < bytes.count, index - digits <= maximumDigitCount, isDigit(bytes[index]) { index += 1 }
            guard 1...maximumDigitCount ~= index - digits else { return nil }
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
        isWordByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
