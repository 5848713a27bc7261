// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends the decimal digits of a number, after as many zeros as it takes to reach `width` digits.
    @inlinable
    package mutating func append(decimal number: UInt64, width: Int = 1) {
        guard number < 100_000_000 else {
            append(decimal: number / 100_000_000, width: width &- 8)
            return append(decimal: number % 100_000_000, width: 8)
        }
        // The first digit is in the lowest byte.
        var digits: UInt64 = 0
        var length = 0
        var rest = number
        repeat {
            digits = digits &<< 8 | (UInt64(UInt8(ascii: "0")) &+ rest % 10)
            rest /= 10
            length &+= 1
        } while rest > 0
        for _ in 0..<Swift.max(0, width &- length) { append(UInt8(ascii: "0")) }
        for _ in 0..<length {
            append(UInt8(truncatingIfNeeded: digits))
            digits &>>= 8
        }
    }
}
