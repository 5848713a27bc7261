// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A time relative to now: `now`, `now +3 days`, `-2 months`.
struct DateShift: Sendable, Hashable {
    var amount: Int
    var unit: Unit

    /// The units that WireMock knows.
    enum Unit: String, Sendable, Hashable, CaseIterable {
        case seconds, minutes, hours, days, months, years
    }

    /// Larger amounts are refused.
    static let maximumAmount = 1_000_000_000

    /// Returns the relative time of an expression, or `nil` if it is not one.
    ///
    /// - Throws: The unit, if it is unknown.
    init?(_ expression: String) throws(UnknownDateUnit) {
        var text = expression[...]
        if text.lowercased() == "now" {
            (amount, unit) = (0, .days)
            return
        }
        if text.lowercased().hasPrefix("now ") { text = text.dropFirst(4) }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let amount = Int(words[0]), amount.magnitude <= Self.maximumAmount, !words[1].isEmpty,
            words[1].utf8.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 })
        else { return nil }
        self.amount = amount
        unit = try Self.unit(String(words[1]))
    }

    init(amount: Int, unit: Unit) {
        self.amount = amount
        self.unit = unit
    }

    /// Returns the unit with a name, in any case.
    static func unit(_ name: String) throws(UnknownDateUnit) -> Unit {
        guard let unit = Unit(rawValue: name.lowercased()) else { throw UnknownDateUnit(name: name) }
        return unit
    }

    /// Returns a time shifted by this amount.
    func shift(_ time: CivilTime) -> CivilTime {
        switch unit {
        case .seconds: time.adding(seconds: amount)
        case .minutes: time.adding(seconds: amount * 60)
        case .hours: time.adding(seconds: amount * 3600)
        case .days: time.adding(seconds: amount * 86_400)
        case .months: time.adding(months: amount)
        case .years: time.adding(months: max(-80_000, min(80_000, amount)) * 12)
        }
    }
}

/// A unit of a relative time that does not exist.
struct UnknownDateUnit: Error, Hashable {
    let name: String
}

/// How a time is truncated.
enum DateTruncation: String, Sendable, Hashable, CaseIterable {
    case second = "first second of minute"
    case minute = "first minute of hour"
    case hour = "first hour of day"
    case firstDayOfMonth = "first day of month"
    case firstDayOfNextMonth = "first day of next month"
    case lastDayOfMonth = "last day of month"
    case firstDayOfYear = "first day of year"
    case firstDayOfNextYear = "first day of next year"
    case lastDayOfYear = "last day of year"

    /// Returns the truncated time.
    func truncate(_ time: CivilTime) -> CivilTime {
        var result = time
        result.nanosecond = 0
        result.second = 0
        if self == .second { return result }
        result.minute = 0
        if self == .minute { return result }
        result.hour = 0
        switch self {
        case .second, .minute, .hour: break
        case .firstDayOfMonth: result.day = 1
        case .firstDayOfNextMonth:
            result.day = 1
            result = result.adding(months: 1)
        case .lastDayOfMonth: result.day = CivilTime.daysInMonth(year: time.year, month: time.month)
        case .firstDayOfYear: (result.month, result.day) = (1, 1)
        case .firstDayOfNextYear: (result.year, result.month, result.day) = (time.year + 1, 1, 1)
        case .lastDayOfYear: (result.month, result.day) = (12, 31)
        }
        return result
    }
}
