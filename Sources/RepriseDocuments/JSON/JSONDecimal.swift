// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The value of a JSON number: `digits` × 10^`exponent`, without zeros at either end of the digits. Equal numbers have
/// equal values.
///
/// It is never expanded, so `1e999999999` costs nothing.
package struct JSONDecimal: Sendable, Hashable, Comparable {
    let isNegative: Bool
    /// In ASCII, from the most significant to the least significant; empty for 0.
    package let digits: [UInt8]
    /// The exponent. It is 2^60 or −2^60 if it has more than 18 digits.
    package let exponent: Int
    /// The digits of the exponent if it has more than 18.
    private let hugeExponent: [UInt8]?

    private static let limit = 1_000_000_000_000_000_000

    /// Reads a number, which must be valid (RFC 8259 section 6).
    init(_ number: String) {
        let bytes = Array(number.utf8)
        self.init(bytes.span)
    }

    /// Reads a number, which must be valid (RFC 8259 section 6).
    package init(_ number: Span<UInt8>) {
        var digits: [UInt8] = []
        digits.reserveCapacity(number.count)
        var exponent = 0
        var isFraction = false
        var index = 0
        while index < number.count, number[index] | 0x20 != UInt8(ascii: "e") {
            let byte = number[index]
            if isDigit(byte) {
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
                if isFraction { exponent -= 1 }
            } else if byte == UInt8(ascii: ".") {
                isFraction = true
            }
            index += 1
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        self.digits = digits
        isNegative = number[0] == UInt8(ascii: "-") && !digits.isEmpty
        guard !digits.isEmpty, index < number.count else {
            self.exponent = digits.isEmpty ? 0 : exponent
            hugeExponent = nil
            return
        }
        let power = number.extracting((index + 1)...)
        let isMinus = power[0] == UInt8(ascii: "-")
        if let magnitude = Self.integer(power),
            case let total = exponent + (isMinus ? -magnitude : magnitude), total.magnitude < Self.limit
        {
            self.exponent = total
            hugeExponent = nil
        } else {
            let sum = Self.sum(Self.digits(power), isMinus ? -exponent : exponent)
            let magnitude = Self.integer(sum.span)
            self.exponent = (isMinus ? -1 : 1) * (magnitude ?? 1 << 60)
            hugeExponent = magnitude == nil ? sum : nil
        }
    }

    /// Returns the number in the digits of a text, or `nil` if it has too many.
    private static func integer(_ text: Span<UInt8>) -> Int? {
        var integer = 0
        for index in text.indices where isDigit(text[index]) {
            guard integer < limit / 10 else { return nil }
            integer = integer * 10 + Int(text[index] &- 0x30)
        }
        return integer
    }

    /// Returns the digits of an exponent without its sign and leading zeros.
    private static func digits(_ exponent: Span<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        for index in exponent.indices where isDigit(exponent[index]) {
            if exponent[index] != UInt8(ascii: "0") || !digits.isEmpty { digits.append(exponent[index]) }
        }
        return digits
    }

    /// Returns the digits of `number`, which has more than 17 digits, plus `summand`, which is much smaller.
    private static func sum(_ number: [UInt8], _ summand: Int) -> [UInt8] {
        var digits = number
        var carry = summand
        var index = digits.count - 1
        while carry != 0, index >= 0 {
            let value = Int(digits[index] &- 0x30) + carry
            // Rounds down, so that the remaining digit is nonnegative regardless of the sign.
            carry = value >= 0 ? value / 10 : -((9 - value) / 10)
            digits[index] = UInt8(value - carry * 10) + 0x30
            index -= 1
        }
        while carry > 0 {
            digits.insert(UInt8(carry % 10) + 0x30, at: 0)
            carry /= 10
        }
        return Array(digits.drop { $0 == UInt8(ascii: "0") })
    }

    // MARK: Text

    /// The number without an exponent. This writes all zeros, so call it only for numbers with few of them.
    package var positional: String {
        var text: [UInt8] = []
        appendPositional(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends ``positional``.
    package func appendPositional(to text: inout [UInt8]) {
        if isNegative { text.append(UInt8(ascii: "-")) }
        let point = digits.count + exponent
        if exponent < 0, point > 0 {
            text += digits[..<point]
            text.append(UInt8(ascii: "."))
            text += digits[point...]
        } else {
            if point <= 0 { text += (digits.isEmpty ? "0" : "0.").utf8 }
            if exponent < 0 { for _ in point..<0 { text.append(UInt8(ascii: "0")) } }
            text += digits
            for _ in 0..<max(0, exponent) { text.append(UInt8(ascii: "0")) }
        }
    }

    /// Appends the digits and the exponent: `15e-1`.
    package func appendScientific(to text: inout [UInt8]) {
        if isNegative { text.append(UInt8(ascii: "-")) }
        text += digits
        text += (exponent < 0 ? "e-" : "e").utf8
        text += hugeExponent ?? Array("\(exponent.magnitude)".utf8)
    }

    // MARK: Comparing

    /// The order of two numbers whose exponents both have more than 18 digits is unspecified.
    package static func < (left: JSONDecimal, right: JSONDecimal) -> Bool {
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
        let modulus = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 &- 0x30) }
        func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
            modulus.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
        }
        var remainder = digits.reduce(UInt64(0)) { (product($0, 10) + UInt64($1 &- 0x30)) % modulus }
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
