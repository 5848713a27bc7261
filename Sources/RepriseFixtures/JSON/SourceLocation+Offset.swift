// SPDX-License-Identifier: Apache-2.0

extension SourceLocation {
    /// The place of the byte at `offset` in `bytes`, which are UTF-8. A line ends with CRLF, CR or LF; a byte order
    /// mark at the start is no character.
    public init(offset: Int, in bytes: [UInt8]) {
        var counter = LineCounter()
        self = counter.location(of: offset, in: bytes.span)
    }
}

/// Turns offsets into places. Going forward through a text, it looks at each byte once.
struct LineCounter {
    private var line = 1
    private var lineStart = 0
    private var position = 0

    /// The place of the byte at `offset`, which may be the end of `bytes`.
    mutating func location(of offset: Int, in bytes: Span<UInt8>) -> SourceLocation {
        let offset = min(max(offset, 0), bytes.count)
        if offset < position { self = LineCounter() }
        advance(to: offset, in: bytes)
        var column = 1
        var index = lineStart
        if index == 0, bytes.startsWithByteOrderMark { index = min(3, offset) }
        while index < offset {
            // Continuation bytes belong to the character before.
            if bytes[index] & 0xC0 != 0x80 { column += 1 }
            index += 1
        }
        return SourceLocation(line: line, column: column)
    }

    private mutating func advance(to offset: Int, in bytes: Span<UInt8>) {
        var index = position
        while index < offset {
            let byte = bytes[index]
            index += 1
            guard byte <= 0x0D, byte == 0x0A || byte == 0x0D else { continue }
            // The CR of a CRLF ends nothing: its LF does.
            if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { continue }
            line += 1
            lineStart = index
        }
        position = offset
    }
}

extension Span<UInt8> {
    /// Whether the bytes start with U+FEFF in UTF-8.
    var startsWithByteOrderMark: Bool {
        count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    }
}
