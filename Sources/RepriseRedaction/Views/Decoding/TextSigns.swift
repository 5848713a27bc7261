// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The characters of a text that decide which views of it are worthwhile. Most texts need none.
struct TextSigns {
    private var found: UInt16 = 0
    private var longestToken = 0

    /// The minimum length of a Base64 text that is decoded.
    static let minimumToken = 12

    enum Sign: UInt16 {
        case percent = 1
        case backslash = 2
        case ampersand = 4
        case lessThan = 8
        case equals = 16
        case colon = 32
        /// `{` or `[`.
        case bracket = 64
        case space = 128
        case line = 256
        case semicolon = 512
        case digit = 1024
        case at = 2048
        /// A character of Base64.
        case token = 4096
        /// A comma or a vertical bar, which separates table cells.
        case cellSeparator = 8192
        case slash = 16384
        /// The first byte of a letter that is not Latin or Greek.
        case otherScript = 32768
    }

    private static let table: [UInt16] = {
        var table = [UInt16](repeating: 0, count: 256)
        func set(_ text: String, _ sign: Sign) { for byte in text.utf8 { table[Int(byte)] |= sign.rawValue } }
        set("%", .percent)
        set("\\", .backslash)
        set("&", .ampersand)
        set("<", .lessThan)
        set("=", .equals)
        set(":", .colon)
        set("{[", .bracket)
        set(" \t", .space)
        set("\n\r", .line)
        set(";", .semicolon)
        set("0123456789", .digit)
        set("@", .at)
        set(",|", .cellSeparator)
        set("/", .slash)
        for byte in 0xD0...0xFF { table[byte] |= Sign.otherScript.rawValue }
        set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_", .token)
        return table
    }()

    init(_ text: Span<UInt8>) {
        let table = Self.table[...]
        self.init(text, table.span)
    }

    private init(_ text: Span<UInt8>, _ table: Span<UInt16>) {
        var run = 0
        for index in text.indices {
            let signs = table[Int(text[index])]
            found |= signs
            run = signs & Sign.token.rawValue == 0 ? 0 : run &+ 1
            longestToken = max(longestToken, run)
        }
    }

    func contains(_ sign: Sign) -> Bool { found & sign.rawValue != 0 }

    /// Whether the text has a run of characters that can be Base64.
    var hasLongToken: Bool { longestToken >= Self.minimumToken }

    /// Whether the text can contain a secret that only views find: with a name or a scheme, with escapes, or encoded.
    var mayHideSecret: Bool {
        // The first seven signs.
        if found & 127 & ~Sign.backslash.rawValue != 0 || hasLongToken { return true }
        // Escapes such as `\u003d` have digits.
        if contains(.backslash), contains(.digit) || !contains(.space) { return true }
        // A connect string: `user/password@host`.
        if contains(.at), contains(.slash) { return true }
        // A code: `認証コード：482913`.
        if contains(.otherScript), contains(.digit), longestToken >= 4 { return true }
        // A table, or words such as `Bearer` and `password` before a value.
        return (contains(.cellSeparator) || contains(.semicolon)) && contains(.line)
            || contains(.space) && contains(.digit) && longestToken >= 4
    }
}

extension Span<UInt8> {
    /// Returns the first index at or after `start` that is not whitespace or part of a byte order mark.
    func firstVisible(from start: Int) -> Int {
        var index = start
        while index < count, self[index] <= 0x20 || (index < 3 && [0xEF, 0xBB, 0xBF].contains(self[index])) {
            index += 1
        }
        return index
    }

    /// Returns the end of the line that contains `start`.
    func lineEnd(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            let word = word(at: index)
            // Sets the top bit of each LF and CR. Bits after the first one can be false positives.
            let feeds = word ^ 0x0A0A_0A0A_0A0A_0A0A
            let returns = word ^ 0x0D0D_0D0D_0D0D_0D0D
            let found =
                ((feeds &- 0x0101_0101_0101_0101) & ~feeds | (returns &- 0x0101_0101_0101_0101) & ~returns)
                & 0x8080_8080_8080_8080
            guard found == 0 else { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != 0x0A, self[index] != 0x0D { index &+= 1 }
        return index
    }

    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        for index in range where self[index] == byte { return index }
        return nil
    }

    /// Returns the first index at or after `start` at which `text` stands.
    func firstIndex(of text: [UInt8], from start: Int) -> Int? {
        guard let first = text.first, count >= text.count else { return nil }
        var index = start
        while index <= count - text.count {
            if self[index] == first, has(text, at: index) { return index }
            index += 1
        }
        return nil
    }

    /// Returns the range without the whitespace at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, self[lower] <= 0x20 { lower += 1 }
        while upper > lower, self[upper - 1] <= 0x20 { upper -= 1 }
        return lower..<upper
    }

    /// Whether `text`, which is in lower case, is at `index` in any case.
    func hasWord(_ text: [UInt8], at index: Int) -> Bool {
        guard index >= 0, index + text.count <= count else { return false }
        for offset in text.indices where self[index + offset].asciiLowercased != text[offset] { return false }
        return true
    }
}
