// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONNumber {
    /// Whether both numbers have the same value, exactly and regardless of their spelling: `1` and `1.0`, but not `0.1`
    /// and `0.10000000000000000001`.
    public func isEqual(to other: JSONNumber) -> Bool {
        if double != other.double { return false }
        return spelling == other.spelling || JSONDecimal(self) == JSONDecimal(other)
    }

    /// Whether the number is less than `other`, exactly.
    public func isLess(than other: JSONNumber) -> Bool {
        // Rounding to a double keeps the order, so only equal doubles need their digits compared.
        if double != other.double { return double < other.double }
        if spelling == other.spelling { return false }
        return JSONDecimal(self) < JSONDecimal(other)
    }

    /// Whether the number is a multiple of `divisor`, exactly, or `nil` if `divisor` is 0 or has more than 18 digits.
    public func isMultiple(of divisor: JSONNumber) -> Bool? {
        JSONDecimal(self).isMultiple(of: JSONDecimal(divisor))
    }

    /// The number without an exponent. Call this only for numbers of a double, because it writes all zeros.
    package var positional: String {
        let decimal = JSONDecimal(self)
        var text = decimal.digits.map { $0 + 0x30 } + Array(repeating: 0x30, count: max(0, decimal.exponent))
        if decimal.exponent < 0 {
            text.insert(contentsOf: repeatElement(0x30, count: max(0, 1 - decimal.exponent - text.count)), at: 0)
            text.insert(UInt8(ascii: "."), at: text.count + decimal.exponent)
        }
        return (decimal.isNegative ? "-" : "") + (text.isEmpty ? "0" : String(decoding: text, as: UTF8.self))
    }

    /// Whether the number has no fractional part: `2`, `2.0`, and `20e-1`.
    public var isInteger: Bool {
        if !spelling.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) { return true }
        return JSONDecimal(self).exponent >= 0
    }
}

/// The value of a JSON number: `digits` × 10^`exponent`, without zeros at either end of the digits.
///
/// It is never expanded, so `1e999999999` costs nothing.
private struct JSONDecimal: Equatable, Comparable {
    let isNegative: Bool
    /// From the most significant to the least significant, each 0 to 9; empty for 0.
    let digits: ArraySlice<UInt8>
    let exponent: Int

    init(_ number: JSONNumber) {
        var digits: [UInt8] = []
        var fraction = 0
        var seenPoint = false
        var exponent = 0
        var rest = number.spelling.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits.append(byte &- 0x30)
                if seenPoint { fraction += 1 }
            case UInt8(ascii: "."): seenPoint = true
            default:
                exponent = Self.exponent(rest)
                rest = rest.suffix(0)
            }
        }
        var significant = digits[...]
        while significant.first == 0 { significant.removeFirst() }
        exponent -= fraction
        while significant.last == 0 {
            significant.removeLast()
            exponent += 1
        }
        self.isNegative = isNegative && !significant.isEmpty
        self.digits = significant
        self.exponent = significant.isEmpty ? 0 : exponent
    }

    /// Reads the digits after `e`. Huge exponents are limited to a value that cannot overflow.
    private static func exponent(_ text: Substring.UTF8View) -> Int {
        var value = 0
        for byte in text where byte >= 0x30 && byte <= 0x39 {
            value = min(value * 10 + Int(byte &- 0x30), 1 << 40)
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }

    static func == (left: JSONDecimal, right: JSONDecimal) -> Bool {
        left.isNegative == right.isNegative && left.exponent == right.exponent && left.digits == right.digits
    }

    static func < (left: JSONDecimal, right: JSONDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private func isCloserToZero(than other: JSONDecimal) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        let magnitude = digits.count + exponent
        let otherMagnitude = other.digits.count + other.exponent
        if magnitude != otherMagnitude { return magnitude < otherMagnitude }
        return digits.lexicographicallyPrecedes(other.digits)
    }

    func isMultiple(of divisor: JSONDecimal) -> Bool? {
        guard !divisor.digits.isEmpty, divisor.digits.count <= 18 else { return nil }
        if digits.isEmpty { return true }
        // The digits do not end in 0, so no multiple of a larger power of ten is left.
        guard exponent >= divisor.exponent else { return false }
        let modulus = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
        func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
            modulus.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
        }
        var remainder = digits.reduce(UInt64(0)) { (product($0, 10) + UInt64($1)) % modulus }
        var power = 10 % modulus
        var shift = exponent - divisor.exponent
        while shift > 0, remainder != 0 {
            if shift & 1 == 1 { remainder = product(remainder, power) }
            power = product(power, power)
            shift >>= 1
        }
        return remainder == 0
    }
}
