// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Duration {
    /// The longest pause that a fixture can have.
    package static let longestPause = Duration.seconds(31 * 24 * 60 * 60)

    /// Creates a duration from a JSON number of milliseconds, rounded to the microsecond. Returns `nil` if the number
    /// is negative or exceeds ``longestPause``.
    init?(milliseconds spelling: ArraySlice<UInt8>) {
        var significand: UInt64 = 0
        var exponent = 3
        var index = spelling.startIndex
        let isNegative = spelling.first == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var isFraction = false
        while index < spelling.endIndex, spelling[index] == UInt8(ascii: ".") || isDigit(spelling[index]) {
            if spelling[index] == UInt8(ascii: ".") {
                isFraction = true
            } else if significand < 100_000_000_000_000_000 {
                significand = significand * 10 + UInt64(spelling[index] - UInt8(ascii: "0"))
                exponent -= isFraction ? 1 : 0
            } else {
                exponent += isFraction ? 0 : 1
            }
            index += 1
        }
        if index < spelling.endIndex {
            // If the exponent does not fit in an Int, all that matters is whether the number is huge or tiny.
            let written = spelling[(index + 1)...]
            let value =
                Int(String(decoding: written, as: UTF8.self)) ?? (written.first == UInt8(ascii: "-") ? -999 : 999)
            exponent += min(max(value, -999), 999)
        }
        while exponent > 0, significand > 0, significand < 100_000_000_000_000_000 {
            significand *= 10
            exponent -= 1
        }
        while exponent < -1, significand > 0 {
            significand /= 10
            exponent += 1
        }
        if exponent == -1 { significand = (significand + 5) / 10 }
        guard significand == 0 || (!isNegative && exponent <= 0 && significand <= 31 * 24 * 60 * 60 * 1_000_000) else {
            return nil
        }
        self = .microseconds(Int64(significand))
    }

    /// The duration in milliseconds as a JSON number, to the microsecond and with at least one decimal: `41.2`,
    /// `22.0`.
    package var millisecondsSpelling: String {
        var digits: [UInt8] = []
        appendMilliseconds(to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends ``millisecondsSpelling`` to a text.
    package func appendMilliseconds(to text: inout [UInt8]) {
        let value = UInt64(max(0, microseconds))
        text.append(decimal: value / 1000)
        text.append(UInt8(ascii: "."))
        let fraction = value % 1000
        if fraction % 100 == 0 {
            text.append(decimal: fraction / 100)
        } else if fraction % 10 == 0 {
            text.append(decimal: fraction / 10, width: 2)
        } else {
            text.append(decimal: fraction, width: 3)
        }
    }
}
