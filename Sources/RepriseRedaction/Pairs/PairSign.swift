// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The sign between a name and its value: `=` or `:`, as it is, percent-encoded (`%3D`, `%253D`) or as JSON may spell it
/// (`\u003d`).
struct PairSign: Sendable, Hashable {
    /// The longest spelling.
    static let maximumLength = 9

    var isColon: Bool
    /// How many bytes it has.
    var length: Int
    /// How often it was percent-encoded, beyond the first time; `nil` if it was not.
    var percents: Int?

    private static let escape = Array("u003".utf8)

    /// The sign that starts at `index`; `nil` if none does.
    init?(in bytes: Span<UInt8>, at index: Int) {
        switch bytes[index] {
        case UInt8(ascii: ":"): self.init(isColon: true, length: 1)
        case UInt8(ascii: "="): self.init(isColon: false, length: 1)
        case UInt8(ascii: "%"):
            guard let level = PercentEscape.level(at: index, in: bytes),
                let byte = PercentEscape.nested(at: index, level, in: bytes), byte == 0x3A || byte == 0x3D
            else { return nil }
            self.init(isColon: byte == 0x3A, length: 3 + 2 * level, percents: level)
        default:
            guard index + 5 < bytes.count, bytes.has(Self.escape, at: index + 1) else { return nil }
            switch bytes[index + 5] | 0x20 {
            case UInt8(ascii: "a"): self.init(isColon: true, length: 6)
            case UInt8(ascii: "d"): self.init(isColon: false, length: 6)
            default: return nil
            }
        }
    }

    private init(isColon: Bool, length: Int, percents: Int? = nil) {
        self.isColon = isColon
        self.length = length
        self.percents = percents
    }

    /// The first index from `start` on at which one may start; the number of bytes if there is none.
    ///
    /// - Parameter isJSON: whether a colon behind a key of JSON is none.
    static func candidate(in bytes: Span<UInt8>, from start: Int, isJSON: Bool) -> Int {
        var index = start
        while index &+ 8 <= bytes.count {
            var found = found(bytes.word(at: index))
            while found != 0 {
                let place = index &+ found.trailingZeroBitCount / 8
                if mayStart(bytes, at: place, isJSON) { return place }
                found &= found &- 1
            }
            index &+= 8
        }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: "\\"):
                if mayStart(bytes, at: index, isJSON) { return index }
            default: break
            }
            index &+= 1
        }
        return index
    }

    /// The top bit of each byte that is a sign or starts one; of one that follows the first, perhaps wrongly.
    @inline(__always)
    private static func found(_ word: UInt64) -> UInt64 {
        let colons = word ^ 0x3A3A_3A3A_3A3A_3A3A
        let equals = word ^ 0x3D3D_3D3D_3D3D_3D3D
        let percents = word ^ 0x2525_2525_2525_2525
        let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let ones: UInt64 = 0x0101_0101_0101_0101
        let found =
            (colons &- ones) & ~colons | (equals &- ones) & ~equals | (percents &- ones) & ~percents
            | (backslashes &- ones) & ~backslashes
        return found & 0x8080_8080_8080_8080
    }

    @inline(__always)
    private static func mayStart(_ bytes: Span<UInt8>, at index: Int, _ isJSON: Bool) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: ":"):
            guard isJSON, index > 1, bytes[index &- 1] == UInt8(ascii: "\"") else { return true }
            return bytes[index &- 2] == UInt8(ascii: "\\")
        case UInt8(ascii: "="): return true
        case UInt8(ascii: "%"): return index &+ 1 == bytes.count || bytes[index &+ 1] &- 0x32 < 2
        case UInt8(ascii: "\\"): return index &+ 1 == bytes.count || bytes[index &+ 1] == UInt8(ascii: "u")
        default: return false
        }
    }
}
