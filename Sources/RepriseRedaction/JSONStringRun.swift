// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Span<UInt8> {
    /// The first quote or backslash from `start` on; the number of bytes, or more if `start` is, if there is none.
    @inline(__always)
    func endOfStringRun(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            let word = word(at: index)
            // The top bit of each byte that is found; one that follows the first may be wrong, the first is not.
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
