// SPDX-License-Identifier: Apache-2.0

extension SourceLocation {
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
    public init(_ place: JSONPlace, in bytes: [UInt8]) {
        let end = min(max(place.offset, 0), bytes.count)
        var start = min(max(place.lineStart, 0), end)
        if start == 0, bytes.span.startsWithByteOrderMark { start = min(3, end) }
        // Continuation bytes belong to the character before.
        let characters = bytes[start..<end].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        self.init(line: place.line, column: characters + 1)
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
}

extension Span<UInt8> {
    /// Whether the bytes start with U+FEFF in UTF-8.
    var startsWithByteOrderMark: Bool {
        count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    }
}
