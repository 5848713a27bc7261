// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An offset of a date: `3 days`, `now -2 hours`.
struct DateOffset {
    private let amount: Int
    private let unit: DateUnit

    init(_ text: String) throws(TemplateFailure) {
        var words = text.split(separator: " ").map(String.init)
        if words.count == 3, words[0].lowercased() == "now" { words.removeFirst() }
        guard words.count == 2, let amount = Int(words[0]), amount.magnitude < 1_000_000_000 else {
            throw TemplateFailure(
                "expected an offset such as '3 days' or 'now +5 years', found '\(text.prefix(60))'; correct it"
            )
        }
        guard let unit = DateUnit(rawValue: words[1].lowercased()) else {
            throw TemplateFailure(
                "expected seconds, minutes, hours, days, months, or years, found '\(words[1].prefix(60))'; use one of these units"
            )
        }
        self.amount = amount
        self.unit = unit
    }

    /// Returns the time with the offset added, in the calendar of UTC.
    func applied(to milliseconds: Int64) throws(TemplateFailure) -> Int64 {
        if unit == .months || unit == .years, amount.magnitude >= 1_000_000 {
            throw TemplateFailure("expected an offset of less than a million months or years; use a smaller one")
        }
        var time = CalendarTime(milliseconds, offsetSeconds: 0)
        time.add(amount, unit)
        let result = time.milliseconds
        guard TemplateDate.range ~= result else {
            throw TemplateFailure(
                "expected a date within 146 million years of 1970, found one outside that range; use a smaller offset"
            )
        }
        return result
    }
}
