// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Prints numbers as Java does.
enum JavaNumber {
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
            let padded = zeroPadded(digits, scale + 1)
            return sign + padded.dropLast(scale) + "." + padded.suffix(scale)
        }
        let rest = digits.dropFirst()
        let shown = digits.prefix(1) + (rest.isEmpty ? "" : "." + rest)
        return sign + shown + "E" + (exponent < 0 ? "" : "+") + String(exponent)
    }
}
