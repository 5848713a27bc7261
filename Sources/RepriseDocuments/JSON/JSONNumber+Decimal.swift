// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONNumber {
    /// Whether both numbers have the same value, exactly and regardless of their spelling: `1` and `1.0`, but not `0.1`
    /// and `0.10000000000000000001`.
    public func isEqual(to other: JSONNumber) -> Bool {
        if double != other.double { return false }
        return spelling == other.spelling || decimal == other.decimal
    }

    /// Whether the number is less than `other`, exactly.
    public func isLess(than other: JSONNumber) -> Bool {
        // Rounding to a double keeps the order, so only equal doubles need their digits compared.
        if double != other.double { return double < other.double }
        if spelling == other.spelling { return false }
        return decimal < other.decimal
    }

    /// Whether the number is a multiple of `divisor`, exactly, or `nil` if `divisor` is 0 or has more than 18 digits.
    public func isMultiple(of divisor: JSONNumber) -> Bool? {
        decimal.isMultiple(of: divisor.decimal)
    }

    /// The number without an exponent. Call this only for numbers of a double, because it writes all zeros.
    package var positional: String { decimal.positional }

    private var decimal: JSONDecimal { JSONDecimal(spelling) }

    /// Whether the number has no fractional part: `2`, `2.0`, and `20e-1`.
    public var isInteger: Bool {
        if !spelling.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) { return true }
        return decimal.exponent >= 0
    }
}
