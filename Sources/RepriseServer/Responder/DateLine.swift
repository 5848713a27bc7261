// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The Date line of the server's own answers (RFC 9110 section 6.6.1), written once a second. Used only on one loop's
/// thread.
final class DateLine {
    private var bytes: [UInt8] = []
    private var end = MonotonicTime(nanoseconds: 0)
    private let secondsSinceEpoch: () -> Double

    /// - Parameter secondsSinceEpoch: Returns the time since January 1, 1970.
    init(secondsSinceEpoch: @escaping () -> Double = { Date().timeIntervalSince1970 }) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Returns the line, with CR LF, at `now`.
    func line(at now: MonotonicTime) -> [UInt8] {
        if now >= end { write(at: now) }
        return bytes
    }

    private func write(at now: MonotonicTime) {
        let time = max(0, secondsSinceEpoch())
        let second = time.rounded(.down)
        bytes = Array("Date: \(Self.text(secondsSinceEpoch: Int(second)))\r\n".utf8)
        end = now.advanced(byNanoseconds: UInt64((second + 1 - time) * 1e9))
    }

    /// Returns a time as an IMF-fixdate (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(secondsSinceEpoch seconds: Int) -> String {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        // Years begin in March here, so that a leap day is the last day of its year.
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = (monthFromMarch + 2) % 12
        let year = era * 400 + yearOfEra + (month < 2 ? 1 : 0)
        return "\(weekdays[(days + 4) % 7]), \(two(day)) \(months[month]) \(year) "
            + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
