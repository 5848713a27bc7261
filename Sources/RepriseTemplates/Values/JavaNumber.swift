// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Prints numbers as Java does.
enum JavaNumber {
    /// Returns the text of a double: `1.5`, `3.0`, `1.0E10`.
    static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        if value == 0 { return value.sign == .minus ? "-0.0" : "0.0" }
        let (digits, exponent) = decimal(value.magnitude)
        let sign = value < 0 ? "-" : ""
        if value.magnitude >= 1e-3, value.magnitude < 1e7 { return sign + positional(digits, exponent) }
        let rest = digits.dropFirst()
        return sign + String(digits.prefix(1)) + "." + (rest.isEmpty ? "0" : String(rest)) + "E" + String(exponent - 1)
    }

    /// Returns the digits of a positive number, and the power of ten of the point before the first one.
    private static func decimal(_ value: Double) -> (digits: String, exponent: Int) {
        let text = value.description
        let parts = text.split(separator: "e")
        let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let number = parts[0].split(separator: ".")
        let whole = String(number[0])
        let fraction = number.count > 1 ? String(number[1]) : ""
        let all = whole + fraction
        let leading = all.prefix { $0 == "0" }.count
        var digits = String(all.dropFirst(leading))
        while digits.last == "0" { digits.removeLast() }
        return (digits, whole.count - leading + power)
    }

    private static func positional(_ digits: String, _ exponent: Int) -> String {
        if exponent <= 0 { return "0." + String(repeating: "0", count: -exponent) + digits }
        guard digits.count > exponent else {
            return digits + String(repeating: "0", count: exponent - digits.count) + ".0"
        }
        return String(digits.prefix(exponent)) + "." + String(digits.dropFirst(exponent))
    }
}

extension JavaNumber {
    /// Returns the text of a number with its precision, as `BigDecimal` prints it: `1.50`, `1E+3`.
    static func text(_ number: JSONNumber) -> String {
        let spelling = number.spelling
        let parts = spelling.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        guard parts.count == 2 || spelling.contains(".") else { return spelling }
        let isNegative = spelling.hasPrefix("-")
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
        let fraction = mantissa.count > 1 ? mantissa[1].count : 0
        var digits = mantissa.joined().drop { $0 == "0" }
        if digits.isEmpty { digits = "0" }
        var power = 0
        if parts.count > 1 {
            // Java has no larger exponents, but a request can contain any.
            guard let given = Int32(parts[1]) else { return spelling }
            power = Int(given)
        }
        let scale = fraction - power
        let exponent = digits.count - 1 - scale
        let sign = isNegative ? "-" : ""
        if scale >= 0, exponent >= -6 {
            if scale == 0 { return sign + digits }
            let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
            return sign + padded.dropLast(scale) + "." + padded.suffix(scale)
        }
        let rest = digits.dropFirst()
        let shown = digits.prefix(1) + (rest.isEmpty ? "" : "." + rest)
        return sign + shown + "E" + (exponent < 0 ? "" : "+") + String(exponent)
    }
}
