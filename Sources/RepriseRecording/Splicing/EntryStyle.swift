// SPDX-License-Identifier: Apache-2.0

/// How the entries of a cassette are laid out in its file, so that others can be put beside them.
struct EntryStyle: Hashable {
    /// What stands between a comma and the entry after it.
    var space: [UInt8]
    /// What one level is indented by.
    var unit: [UInt8]
    /// What ends a line; `nil` if an entry is on one line.
    var newline: [UInt8]?

    /// As ``CassetteWriter`` does it.
    static let standard = EntryStyle(space: Array("\n    ".utf8), unit: Array("  ".utf8), newline: [0x0A])

    /// How many spaces an entry is indented by as it is written.
    private static let standardIndent = 4

    /// The style of the entry before which `space` stands.
    init(before space: [UInt8]) {
        self.space = space
        guard let lineFeed = space.lastIndex(of: 0x0A) else {
            unit = []
            newline = nil
            return
        }
        newline = lineFeed > 0 && space[lineFeed - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
        let indent = space[(lineFeed + 1)...]
        // An entry is in an array in an object.
        unit = indent.count > 0 && indent.count % 2 == 0 ? Array(indent.prefix(indent.count / 2)) : Array("  ".utf8)
    }

    private init(space: [UInt8], unit: [UInt8], newline: [UInt8]?) {
        self.space = space
        self.unit = unit
        self.newline = newline
    }

    /// What stands between two entries.
    var separator: [UInt8] { [UInt8(ascii: ",")] + space }

    /// `text`, an entry or a part of one as it is written in the standard style, in this one.
    func applied(to text: [UInt8]) -> [UInt8] {
        guard let newline, self != .standard else { return text }
        let indent = space[((space.lastIndex(of: 0x0A) ?? -1) + 1)...]
        var styled: [UInt8] = []
        var index = 0
        while let lineFeed = text[index...].firstIndex(of: 0x0A) {
            // A line feed that is not between tokens is escaped: these are all line ends.
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
