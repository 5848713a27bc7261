// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A time relative to now: `now`, `now +3 days`, `-2 months`.
struct DateShift: Sendable, Hashable {
    var amount: Int
    var unit: DateUnit

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

    init(amount: Int, unit: DateUnit) {
        (self.amount, self.unit) = (amount, unit)
    }

    /// Returns the unit with a name, in any case.
    static func unit(_ name: String) throws(UnknownDateUnit) -> DateUnit {
        guard let unit = DateUnit(rawValue: name.lowercased()) else { throw UnknownDateUnit(name: name) }
        return unit
    }

    /// Returns a time shifted by this amount.
    func shift(_ time: CalendarTime) -> CalendarTime {
        var time = time
        time.add(amount, unit)
        return time
    }
}

/// A unit of a relative time that does not exist.
struct UnknownDateUnit: Error, Hashable {
    let name: String
}
