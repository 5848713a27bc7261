// SPDX-License-Identifier: Apache-2.0

/// The units in which WireMock adds to dates.
package enum DateUnit: String, Sendable, CaseIterable {
    case seconds, minutes, hours, days, months, years
}

/// How WireMock truncates dates.
package enum DateTruncation: String, Sendable, CaseIterable {
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
    package func truncate(_ time: CalendarTime) -> CalendarTime {
        var result = time
        (result.second, result.nanosecond) = (0, 0)
        if self == .second { return result }
        result.minute = 0
        if self == .minute { return result }
        result.hour = 0
        switch self {
        case .second, .minute, .hour: break
        case .firstDayOfMonth: result.day = 1
        case .firstDayOfNextMonth:
            result.day = 1
            result.add(months: 1)
        case .lastDayOfMonth: result.day = time.daysInMonth
        case .firstDayOfYear: (result.month, result.day) = (1, 1)
        case .firstDayOfNextYear: (result.year, result.month, result.day) = (time.year + 1, 1, 1)
        case .lastDayOfYear: (result.month, result.day) = (12, 31)
        }
        return result
    }
}
