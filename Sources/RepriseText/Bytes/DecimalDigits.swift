// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends the decimal digits of a number, after as many zeros as it takes to reach `width` digits.
    @inlinable
    package mutating func append(decimal number: UInt64, width: Int = 1) {
        var length = 1
        var rest = number / 10
        while rest > 0 {
            length &+= 1
            rest /= 10
        }
        for _ in 0..<Swift.max(length, width) { append(UInt8(ascii: "0")) }
        var index = count
        rest = number
        while rest > 0 {
            index &-= 1
            self[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
