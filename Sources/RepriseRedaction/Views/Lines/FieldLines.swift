// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A line with a name and a value: `name: API_KEY`.
struct FieldLine {
    let name: Range<Int>
    /// The value, without quotes.
    let value: Range<Int>
    /// The number of characters before the name.
    let column: Int
    /// Whether the line starts an item of a list.
    let isItem: Bool

    init?(_ text: Span<UInt8>, _ line: Range<Int>) {
        var index = line.lowerBound
        var isItem = false
        while index < line.upperBound, text[index] == 0x20 || text[index] == 0x09 || text[index] == UInt8(ascii: "-") {
            if text[index] == UInt8(ascii: "-") { isItem = true }
            index += 1
        }
        let start = index
        while index < line.upperBound, isWordByte(text[index]) { index += 1 }
        guard index > start else { return nil }
        name = start..<index
        while index < line.upperBound, text[index] == 0x20 { index += 1 }
        guard index < line.upperBound, text[index] == UInt8(ascii: ":") || text[index] == UInt8(ascii: "=") else {
            return nil
        }
        var value = text.trimmed(index + 1..<line.upperBound)
        if value.count >= 2, text[value.lowerBound] == text[value.upperBound - 1],
            text[value.lowerBound] == UInt8(ascii: "\"") || text[value.lowerBound] == UInt8(ascii: "'")
        {
            value = value.lowerBound + 1..<value.upperBound - 1
        }
        self.value = value
        self.isItem = isItem
        column = start - line.lowerBound
    }
}

/// A line of a table with separators between its cells, such as commas (RFC 4180).
struct TableLine {
    private(set) var cells: [Range<Int>] = []

    init(_ text: Span<UInt8>, _ line: Range<Int>, separator: UInt8) {
        var index = line.lowerBound
        guard line.count <= 16 << 10 else { return }
        while index <= line.upperBound, cells.count <= 64 {
            if index < line.upperBound, text[index] == UInt8(ascii: "\"") {
                let start = index + 1
                index = start
                while index < line.upperBound {
                    if text[index] == UInt8(ascii: "\"") {
                        guard index + 1 < line.upperBound, text[index + 1] == UInt8(ascii: "\"") else { break }
                        index += 1
                    }
                    index += 1
                }
                cells.append(start..<min(index, line.upperBound))
                index = min(index + 1, line.upperBound)
            } else {
                let start = index
                while index < line.upperBound, text[index] != separator { index += 1 }
                cells.append(text.trimmed(start..<index))
            }
            while index < line.upperBound, text[index] != separator { index += 1 }
            index += 1
        }
    }
}
