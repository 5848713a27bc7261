// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// JSON numbers by their exact decimal value: `1`, `1.0`, and `10e-1` are equal, `1e400` and `1e401` are not.
enum CanonicalNumber {
    /// The maximum number of zeros that are written out. A number with more zeros is written with an exponent.
    private static let maximumZeros = 20

    /// Appends the canonical spelling of `number`, which is a valid JSON number (RFC 8259 section 6).
    static func append(_ number: Span<UInt8>, to bytes: inout [UInt8]) {
        if number.count <= maximumZeros, isPlainInteger(number) {
            for index in number.indices { bytes.append(number[index]) }
            return
        }
        let parts = Parts(number)
        guard !parts.digits.isEmpty else {
            bytes.append(UInt8(ascii: "0"))
            return
        }
        if parts.isNegative { bytes.append(UInt8(ascii: "-")) }
        if let spelled = parts.hugeExponent {
            bytes.append(contentsOf: parts.digits)
            bytes.append(contentsOf: (parts.isHugeMinus ? "e-" : "e").utf8)
            bytes.append(contentsOf: sum(spelled, parts.isHugeMinus ? -parts.exponent : parts.exponent))
        } else {
            append(parts.digits, parts.exponent, to: &bytes)
        }
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

    private static func append(_ digits: [UInt8], _ exponent: Int, to bytes: inout [UInt8]) {
        let zero = UInt8(ascii: "0")
        // The number of digits before the decimal point; zero or less if the number starts with `0.`.
        let point = digits.count + exponent
        switch exponent {
        case 0...maximumZeros:
            bytes.append(contentsOf: digits)
            bytes.append(contentsOf: repeatElement(zero, count: exponent))
        case ..<0 where point > 0:
            bytes.append(contentsOf: digits[..<point])
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: digits[point...])
        case ..<0 where -point <= maximumZeros:
            bytes.append(contentsOf: "0.".utf8)
            bytes.append(contentsOf: repeatElement(zero, count: -point))
            bytes.append(contentsOf: digits)
        default:
            bytes.append(contentsOf: digits)
            bytes.append(contentsOf: "e\(exponent)".utf8)
        }
    }

    /// Whether the number has no fraction and no exponent, and is not `-0`.
    private static func isPlainInteger(_ number: Span<UInt8>) -> Bool {
        let isNegative = number[0] == UInt8(ascii: "-")
        for index in (isNegative ? 1 : 0)..<number.count where !isDigit(number[index]) { return false }
        return !isNegative || number[1] != UInt8(ascii: "0")
    }

    /// A number as digits without leading and trailing zeros, times a power of ten.
    private struct Parts {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent = 0
        /// The digits of an exponent too large for `Int`, to which `exponent` is added.
        var hugeExponent: [UInt8]?
        var isHugeMinus = false

        init(_ number: Span<UInt8>) {
            var isFraction = false
            var index = 0
            scan: while index < number.count {
                let byte = number[index]
                switch byte {
                case UInt8(ascii: "-"): isNegative = true
                case UInt8(ascii: "."): isFraction = true
                case UInt8(ascii: "e"), UInt8(ascii: "E"):
                    readExponent(number.extracting((index + 1)...))
                    break scan
                default:
                    if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
                    if isFraction { exponent -= 1 }
                }
                index += 1
            }
            while digits.last == UInt8(ascii: "0") {
                digits.removeLast()
                exponent += 1
            }
        }

        private mutating func readExponent(_ text: Span<UInt8>) {
            let isMinus = text[0] == UInt8(ascii: "-")
            var value: [UInt8] = []
            for index in text.indices where isDigit(text[index]) {
                if text[index] != UInt8(ascii: "0") || !value.isEmpty { value.append(text[index]) }
            }
            guard value.count <= 17 else {
                hugeExponent = value
                isHugeMinus = isMinus
                return
            }
            let magnitude = value.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
            exponent += isMinus ? -magnitude : magnitude
        }
    }
}
