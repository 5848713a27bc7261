// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// The longest pause or delay that a file or a setting can specify.
    package static let longestPause = Duration.seconds(31 * 24 * 60 * 60)

    /// Creates a duration from milliseconds, rounded to the microsecond. Returns `nil` if the number is negative or
    /// exceeds ``longestPause``.
    package init?(milliseconds: Double) {
        let microseconds = (milliseconds * 1000).rounded()
        guard 0...Double(Self.longestPause.microseconds) ~= microseconds else { return nil }
        self = .microseconds(Int64(microseconds))
    }

    /// Creates a duration from the text of a JSON number, like ``init(milliseconds:)``.
    package init?(milliseconds spelling: ArraySlice<UInt8>) {
        var value: Int64 = 0
        var decimals: Int?
        for byte in spelling {
            if isDigit(byte), decimals ?? 0 < 3, spelling.count < 16 {
                value = value * 10 + Int64(byte & 0x0F)
                decimals = decimals.map { $0 + 1 }
            } else if byte == UInt8(ascii: "."), decimals == nil {
                decimals = 0
            } else {
                // The rare numbers with a sign, an exponent, or more digits.
                guard let number = Double(String(decoding: spelling, as: UTF8.self)) else { return nil }
                self.init(milliseconds: number)
                return
            }
        }
        for _ in (decimals ?? 0)..<3 { value *= 10 }
        guard value <= Self.longestPause.microseconds else { return nil }
        self = .microseconds(value)
    }

    /// The duration in microseconds, rounded and clamped to `Int64`.
    package var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let scaled = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !scaled.overflow else { return seconds < 0 ? .min : .max }
        let sum = scaled.partialValue.addingReportingOverflow((attoseconds + 500_000_000_000) / 1_000_000_000_000)
        return sum.overflow ? .max : sum.partialValue
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
