// SPDX-License-Identifier: Apache-2.0

extension FilePosition {
    /// Creates the position of the byte at `offset` in `bytes`, which must be UTF-8. A line ends with CRLF, CR, or
    /// LF. A byte order mark at the start does not count as a character.
    package init(offset: Int, in bytes: [UInt8]) {
        var places = TextPlaces(bytes)
        self = places.position(of: offset)
    }
}

/// Converts places to positions one after the other. If the previous place is in the same line, counting continues
/// from there, because counting from the start of the line each time would be slow for a one-line file.
package struct LocationCursor {
    private var last = TextPlace(offset: 0, line: 0, lineStart: 0)
    private var column = 1

    package init() {}

    /// Returns the position of `place` in `bytes`, with a column in characters.
    package mutating func location(of place: TextPlace, in bytes: [UInt8]) -> FilePosition {
        let offset = min(max(place.offset, 0), bytes.count)
        if place.line != last.line {
            var start = min(max(place.lineStart, 0), offset)
            let slice = bytes[...]
            if start == 0, slice.span.startsWithByteOrderMark { start = min(3, offset) }
            last = TextPlace(offset: start, line: place.line, lineStart: place.lineStart)
            column = 1
        }
        if offset >= last.offset {
            column += Self.characters(bytes[last.offset..<offset])
        } else {
            column = max(1, column - Self.characters(bytes[offset..<last.offset]))
        }
        last.offset = offset
        return FilePosition(line: place.line, column: column)
    }

    /// Counts characters. Continuation bytes belong to the previous character.
    private static func characters(_ bytes: ArraySlice<UInt8>) -> Int {
        var count = 0
        for byte in bytes where byte & 0xC0 != 0x80 { count &+= 1 }
        return count
    }
}

/// A place in a text that is cheap to create and to store.
public struct TextPlace: Sendable, Hashable {
    /// The offset of the byte.
    public var offset: Int
    /// The line number, starting at 1.
    public var line: Int
    /// The offset of the first byte of the line.
    public var lineStart: Int

    package init(offset: Int, line: Int, lineStart: Int) {
        self.offset = offset
        self.line = line
        self.lineStart = lineStart
    }
}

extension Span<UInt8> {
    /// Whether the bytes start with a UTF-8 byte order mark (U+FEFF).
    package var startsWithByteOrderMark: Bool {
        count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    }
}
