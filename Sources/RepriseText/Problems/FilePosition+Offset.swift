// SPDX-License-Identifier: Apache-2.0

extension FilePosition {
    /// The place of the byte at `offset` in `bytes`, which are UTF-8. A line ends with CRLF, CR or LF; a byte order
    /// mark at the start is no character.
    public init(offset: Int, in bytes: [UInt8]) {
        var place = JSONPlace(offset: min(max(offset, 0), bytes.count), line: 1, lineStart: 0)
        for index in 0..<place.offset {
            let byte = bytes[index]
            guard byte <= 0x0D, byte == 0x0A || byte == 0x0D else { continue }
            // The CR of a CRLF ends nothing: its LF does.
            if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            place.line += 1
            place.lineStart = index + 1
        }
        self.init(place, in: bytes)
    }

    /// `place` in `bytes`, in characters.
    package init(_ place: JSONPlace, in bytes: [UInt8]) {
        var cursor = LocationCursor()
        self = cursor.location(of: place, in: bytes)
    }
}

/// Tells places as characters, one after the other. It counts from the place before where that is in the same line: a
/// file of one line would otherwise be counted from its start for each of them.
package struct LocationCursor {
    private var last = JSONPlace(offset: 0, line: 0, lineStart: 0)
    private var column = 1

    package init() {}

    /// `place` in `bytes`, in characters.
    package mutating func location(of place: JSONPlace, in bytes: [UInt8]) -> FilePosition {
        let offset = min(max(place.offset, 0), bytes.count)
        if place.line != last.line {
            var start = min(max(place.lineStart, 0), offset)
            let slice = bytes[...]
            if start == 0, slice.span.startsWithByteOrderMark { start = min(3, offset) }
            last = JSONPlace(offset: start, line: place.line, lineStart: place.lineStart)
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

    /// Continuation bytes belong to the character before.
    private static func characters(_ bytes: ArraySlice<UInt8>) -> Int {
        var count = 0
        for byte in bytes where byte & 0xC0 != 0x80 { count &+= 1 }
        return count
    }
}

/// A place in a JSON text, as cheap to take as to keep.
public struct JSONPlace: Sendable, Hashable {
    /// The byte.
    public var offset: Int
    /// The line that it is in, counted from 1.
    public var line: Int
    /// The first byte of that line.
    public var lineStart: Int

    package init(offset: Int, line: Int, lineStart: Int) {
        self.offset = offset
        self.line = line
        self.lineStart = lineStart
    }
}

extension Span<UInt8> {
    /// Whether the bytes start with U+FEFF in UTF-8.
    package var startsWithByteOrderMark: Bool {
        count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    }
}
