// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The sign between a name and its value: a `=` or `:` that is literal, percent-encoded (`%3D`, `%253D`) or escaped
/// in JSON (`\u003d`).
struct PairSign: Sendable, Hashable {
    /// The length of the longest spelling.
    static let maximumLength = 9

    var isColon: Bool
    /// The number of bytes in the sign.
    var length: Int
    /// The number of times that it was percent-encoded again after the first time; `nil` if it is not
    /// percent-encoded.
    var percents: Int?

    private static let escape = Array("u003".utf8)

    /// Reads the sign that starts at `index`. Returns `nil` if there is no sign.
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

    /// Returns the first index at or after `start` at which a sign can start, or the number of bytes if there is no
    /// such index.
    ///
    /// - Parameter isJSON: Whether to ignore the colon after a JSON key.
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

    /// Sets the top bit of each byte that is a sign or starts one. Bits after the first one can be false positives.
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
