// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

extension RecordingTime {
    /// Microseconds since 1970 by the system's clock.
    static func now() -> Int64 {
        Int64((Date().timeIntervalSince1970 * 1_000_000).rounded())
    }

    /// A time in RFC 3339 with six decimals, so that times in a cassette order as texts do.
    ///
    /// - Parameter microseconds: since 1970, from then on.
    static func text(microsecondsSince1970 microseconds: Int64) -> String {
        let seconds = max(0, microseconds) / 1_000_000
        let (year, month, day) = civilDate(daysSince1970: seconds / 86_400)
        var text: [UInt8] = []
        text.reserveCapacity(27)
        append(year, 4, "-", to: &text)
        append(month, 2, "-", to: &text)
        append(day, 2, "T", to: &text)
        append(seconds / 3600 % 24, 2, ":", to: &text)
        append(seconds / 60 % 60, 2, ":", to: &text)
        append(seconds % 60, 2, ".", to: &text)
        append(max(0, microseconds) % 1_000_000, 6, "Z", to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The Gregorian date of a day, counted in years that begin in March, so that the leap day is the last.
    private static func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // 0000-03-01 is 719,468 days before; 400 years have 146,097 days.
        let shifted = days + 719_468
        let (cycle, dayOfCycle) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let leapDays = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let march = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * march + 2) / 5 + 1
        let month = march < 10 ? march + 3 : march - 9
        return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
    }

    /// Appends a number with that many digits at least, and what follows it.
    private static func append(_ number: Int64, _ width: Int, _ end: Unicode.Scalar, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<width { divisor *= 10 }
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
        text.append(UInt8(ascii: end))
    }
}
