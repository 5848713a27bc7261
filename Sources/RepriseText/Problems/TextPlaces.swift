// SPDX-License-Identifier: Apache-2.0

/// Converts offsets in a text to positions. The starts of the lines are found once.
package struct TextPlaces {
    private let bytes: [UInt8]
    private let lineStarts: [Int]
    private var cursor = LocationCursor()

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
            // In a CRLF, the LF ends the line.
            if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            starts.append(index + 1)
        }
        lineStarts = starts
    }

    /// Returns the offset of the first byte of a line, which is counted from 1; `nil` if there is no such line.
    package func start(ofLine line: Int) -> Int? { lineStarts.indices.contains(line - 1) ? lineStarts[line - 1] : nil }

    /// Returns the position of the byte at `offset`.
    package mutating func position(of offset: Int) -> FilePosition {
        let offset = min(max(offset, 0), bytes.count)
        var low = 0
        var high = lineStarts.count
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return cursor.location(of: TextPlace(offset: offset, line: low, lineStart: lineStarts[low - 1]), in: bytes)
    }
}
