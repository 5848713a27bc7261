// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// JSON numbers by their exact decimal value: `1`, `1.0`, and `10e-1` are equal, `1e400` and `1e401` are not.
enum CanonicalNumber {
    /// The maximum number of zeros that are written out. A number with more zeros is written with an exponent.
    private static let maximumZeros = 20

    /// Appends the canonical spelling of `number`, which is a valid JSON number (RFC 8259 section 6).
    static func append(_ number: Span<UInt8>, to bytes: inout [UInt8]) {
        if number.count <= maximumZeros, isPlainInteger(number) { return bytes.append(bytes: number) }
        let decimal = JSONDecimal(number)
        if decimal.exponent <= maximumZeros, -(decimal.digits.count + decimal.exponent) <= maximumZeros {
            decimal.appendPositional(to: &bytes)
        } else {
            decimal.appendScientific(to: &bytes)
        }
    }

    /// Whether the number has no fraction and no exponent, and is not `-0`.
    private static func isPlainInteger(_ number: Span<UInt8>) -> Bool {
        let isNegative = number[0] == UInt8(ascii: "-")
        for index in (isNegative ? 1 : 0)..<number.count where !isDigit(number[index]) { return false }
        return !isNegative || number[1] != UInt8(ascii: "0")
    }
}
