// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
    /// Returns the index of the first line feed or `other` byte, such as a carriage return, at or after `start`, or the
    /// number of bytes if there is none.
    func endOfLine(from start: Int, or other: UInt8 = 0x0D) -> Int {
        let others = UInt64(other) &* 0x0101_0101_0101_0101
        var index = start
        // No early exit within a block, so that the compiler can compare it with a few vector instructions.
        while index &+ 32 <= count {
            let block = extracting(index..<index &+ 32)
            var ends: UInt8 = 0
            for offset in 0..<32 {
                ends |= (block[offset] == 0x0A ? 1 : 0) | (block[offset] == other ? 1 : 0)
            }
            if ends != 0 { break }
            index &+= 32
        }
        while index &+ 8 <= count {
            let word = word(at: index)
            // The top bit of each byte that became zero. Bits above the first one can be wrong, but the first one is
            // right.
            let lineFeeds = word ^ 0x0A0A_0A0A_0A0A_0A0A
            let returns = word ^ others
            let found =
                (lineFeeds &- 0x0101_0101_0101_0101) & ~lineFeeds | (returns &- 0x0101_0101_0101_0101) & ~returns
            let marks = found & 0x8080_8080_8080_8080
            guard marks == 0 else { return index &+ marks.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != 0x0A, self[index] != other { index &+= 1 }
        return index
    }

    /// Returns the eight bytes at `index`, which must exist, with the first one lowest. The compiler turns this into
    /// a single load.
    @inline(__always)
    private func word(at index: Int) -> UInt64 {
        let part = extracting(index..<index &+ 8)
        let low = UInt64(part[0]) | UInt64(part[1]) << 8 | UInt64(part[2]) << 16 | UInt64(part[3]) << 24
        let high = UInt64(part[4]) << 32 | UInt64(part[5]) << 40 | UInt64(part[6]) << 48 | UInt64(part[7]) << 56
        return low | high
    }
}
