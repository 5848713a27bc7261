// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Span<UInt8> {
    /// Returns the index of the first byte at or after `start` that needs attention in a JSON string: a quote, a
    /// backslash, a control character, or a non-ASCII byte, and a slash if asked for. Returns the number of bytes if
    /// there is no such byte.
    @inline(__always)
    func endOfPlainRun(from start: Int, stoppingAtSlashes: Bool = false) -> Int {
        var index = start
        while index &+ 8 <= count {
            let word = word(at: index)
            // Sets the top bit of each byte that is not plain. Bits after the first set one may be wrong.
            let controls = word &- 0x2020_2020_2020_2020
            let quotes = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
            let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
            let slashes = stoppingAtSlashes ? (word ^ 0x2F2F_2F2F_2F2F_2F2F) &- 0x0101_0101_0101_0101 : 0
            let found = (word | controls | quotes | backslashes | slashes) & 0x8080_8080_8080_8080
            guard found == 0 else { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count {
            let byte = self[index]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            guard !stoppingAtSlashes || byte != UInt8(ascii: "/") else { break }
            index &+= 1
        }
        return index
    }

    /// Returns the index of the first quote or backslash at or after `start`. If there is none, returns the number of
    /// bytes, or `start` if that is greater.
    @usableFromInline
    package func endOfStringRun(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            let word = word(at: index)
            // Sets the top bit of each matching byte. Bits after the first one can be false positives, the first
            // cannot.
            let quotes = word ^ 0x2222_2222_2222_2222
            let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let found =
                ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes)
                & 0x8080_8080_8080_8080
            guard found == 0 else { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != UInt8(ascii: "\""), self[index] != UInt8(ascii: "\\") { index &+= 1 }
        return index
    }
}
