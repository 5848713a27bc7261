// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

/// A decimal number with its scale, as Java's `BigDecimal`, with up to 38 digits.
struct JavaDecimal {
    private let value: Decimal
    /// The number of digits after the point. Negative for `1e2`.
    private let scale: Int

    private init(_ value: Decimal, scale: Int) {
        self.value = value
        self.scale = scale
    }

    /// Creates a number from its text. A text that is not a number is zero.
    init(_ text: String) {
        guard Self.isNumber(text), let value = Decimal(string: text, locale: nil), !value.isNaN else {
            self.init(0, scale: 0)
            return
        }
        let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        let fraction = parts[0].firstIndex(of: ".").map { parts[0][$0...].count - 1 } ?? 0
        let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        self.init(value, scale: fraction - power)
    }

    private static func isNumber(_ text: String) -> Bool {
        guard text.utf8.count <= 60 else { return false }
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
        rest = rest.dropFirst(whole)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
            rest = rest.dropFirst(fraction)
        }
        guard whole + fraction > 0 else { return false }
        guard let mark = rest.first else { return true }
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
        guard let power = Int(String(decoding: rest.dropFirst(), as: UTF8.self)) else { return false }
        return -100...100 ~= power
    }

    static func + (one: JavaDecimal, other: JavaDecimal) -> JavaDecimal {
        JavaDecimal(one.value + other.value, scale: max(one.scale, other.scale))
    }

    static func - (one: JavaDecimal, other: JavaDecimal) -> JavaDecimal {
        JavaDecimal(one.value - other.value, scale: max(one.scale, other.scale))
    }

    static func * (one: JavaDecimal, other: JavaDecimal) -> JavaDecimal {
        JavaDecimal(one.value * other.value, scale: one.scale + other.scale)
    }

    var isZero: Bool { value == 0 }

    /// Divides, with the scale of the dividend. A half is rounded away from zero.
    static func / (one: JavaDecimal, other: JavaDecimal) -> JavaDecimal {
        JavaDecimal(rounded(one.value / other.value, scale: one.scale, .plain), scale: one.scale)
    }

    /// The remainder, with the sign of the dividend.
    static func % (one: JavaDecimal, other: JavaDecimal) -> JavaDecimal {
        let quotient = one.value / other.value
        let whole = rounded(quotient, scale: 0, quotient < 0 ? .up : .down)
        // The quotient is as short as the scale of the division allows, which decides whether 0 prints as 0.0.
        let preferred = one.scale - other.scale
        var scale = whole == 0 ? preferred : max(0, preferred)
        var shortened = whole / 10
        while scale > preferred, rounded(shortened, scale: 0, .plain) == shortened {
            scale -= 1
            shortened /= 10
        }
        return JavaDecimal(one.value - whole * other.value, scale: max(one.scale, scale + other.scale))
    }

    static func rounded(_ value: Decimal, scale: Int, _ mode: NSDecimalNumber.RoundingMode) -> Decimal {
        let number = NSDecimalNumber(decimal: value)
        let behavior = NSDecimalNumberHandler(
            roundingMode: mode,
            scale: Int16(clamping: scale),
            raiseOnExactness: false,
            raiseOnOverflow: false,
            raiseOnUnderflow: false,
            raiseOnDivideByZero: false
        )
        return number.rounding(accordingToBehavior: behavior).decimalValue
    }

    /// The result of a calculation: an integer of 64 bits, which overflows as in Java, or a double. `nil` if the number
    /// is too large.
    var result: TemplateValue? {
        guard !value.isNaN else { return nil }
        let text = NSDecimalNumber(decimal: value).stringValue
        guard scale == 0 else { return Double(text).map { .double($0) } }
        var integer = 0
        for byte in text.utf8 {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { continue }
            integer = integer &* 10 &+ Int(byte - UInt8(ascii: "0"))
        }
        return .integer(text.hasPrefix("-") ? 0 &- integer : integer)
    }
}
