// SPDX-License-Identifier: Apache-2.0

/// The layout of the entries in a cassette's file, so that new entries match it.
struct EntryStyle: Hashable {
    /// The whitespace between a comma and the next entry.
    var space: [UInt8]
    var unit: [UInt8]
    /// The line ending; `nil` if an entry is on one line.
    var newline: [UInt8]?

    /// The style of ``CassetteWriter``.
    static let standard = EntryStyle(space: Array("\n    ".utf8), unit: Array("  ".utf8), newline: [0x0A])

    /// The number of spaces before an entry in the standard style.
    private static let standardIndent = 4

    init(before space: [UInt8]) {
        self.space = space
        guard let lineFeed = space.lastIndex(of: 0x0A) else {
            unit = []
            newline = nil
            return
        }
        newline = lineFeed > 0 && space[lineFeed - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
        let indent = space[(lineFeed + 1)...]
        // An entry is two levels deep: in an array in an object.
        unit = indent.count > 0 && indent.count % 2 == 0 ? Array(indent.prefix(indent.count / 2)) : Array("  ".utf8)
    }

    private init(space: [UInt8], unit: [UInt8], newline: [UInt8]?) {
        self.space = space
        self.unit = unit
        self.newline = newline
    }

    var separator: [UInt8] { [UInt8(ascii: ",")] + space }

    /// Returns `text`, an entry or a part of one in the standard style, converted to this style.
    func applied(to text: [UInt8]) -> [UInt8] {
        guard let newline, self != .standard else { return text }
        let indent = space[((space.lastIndex(of: 0x0A) ?? -1) + 1)...]
        var styled: [UInt8] = []
        var index = 0
        while let lineFeed = text[index...].firstIndex(of: 0x0A) {
            // JSON strings contain no literal line feeds, so every line feed is a line ending.
            styled += text[index..<lineFeed]
            index = lineFeed + 1
            let spaces = text[index...].prefix { $0 == 0x20 }.count
            index += spaces
            styled += newline + indent
            for _ in 0..<max(0, spaces - Self.standardIndent) / 2 { styled += unit }
        }
        return styled + text[index...]
    }
}
