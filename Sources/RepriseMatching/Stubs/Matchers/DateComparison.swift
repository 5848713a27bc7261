// SPDX-License-Identifier: Apache-2.0

private import Foundation
import RepriseStubs
internal import RepriseText

/// `before`, `after`, and `equalToDateTime`: the value is a date that compares in this way with a date, or with now.
struct DateComparison: ValueCondition {
    private let comparison: ValueMatcher.DateMatcher.Comparison
    private let expected: Expected
    private let actualFormat: Format
    private let truncateActual: DateTruncation?
    private let truncateExpected: DateTruncation?
    private let truncatesLast: Bool

    private enum Expected: Sendable {
        case time(DatedTime)
        case relative(DateShift)
        /// Text that is not a date. No comparison with it is true.
        case invalid
    }

    private enum Format: Sendable {
        case standard
        /// Milliseconds since 1970.
        case epoch
        /// Seconds since 1970.
        case unix
        case pattern(DateFormat)
    }

    /// Compiles a comparison. Adds a warning if the expected date is not a date.
    init(
        _ matcher: ValueMatcher.DateMatcher,
        at pointer: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        comparison = matcher.comparison
        let place = pointer.member(matcher.comparison.rawValue)
        expected = try Self.expected(matcher, at: place, pointer)
        actualFormat = try Self.format(matcher.actualFormat, at: pointer.member("actualFormat"))
        truncateActual = try Self.truncation(matcher.truncateActual, at: pointer.member("truncateActual"))
        truncateExpected = try Self.truncation(matcher.truncateExpected, at: pointer.member("truncateExpected"))
        truncatesLast = matcher.truncatesLast
        if case .invalid = expected {
            findings.warnings.append(
                place.problem(
                    "expected a date in ISO 8601, \"now\", or \"now +3 days\", found \"\(matcher.expected)\"; "
                        + "correct it, because no value matches it"
                )
            )
        }
    }

    private static func expected(
        _ matcher: ValueMatcher.DateMatcher,
        at place: StubPointer,
        _ pointer: StubPointer
    ) throws(StubMatcherProblem) -> Expected {
        func problem(_ name: String, _ place: StubPointer) -> StubMatcherProblem {
            let units = DateUnit.allCases.map(\.rawValue).joined(separator: ", ")
            return place.problem("expected one of the units \(units), found \"\(name)\"; use one of these")
        }
        let shift: DateShift?
        do { shift = try DateShift(matcher.expected) } catch { throw problem(error.name, place) }
        // As in WireMock, the two other members replace the shift of `now`, and mean nothing beside a date.
        guard let shift else { return DateText.read(matcher.expected).map { .time($0) } ?? .invalid }
        if let amount = matcher.offset, let unit = matcher.offsetUnit {
            let place = pointer.member("expectedOffset")
            guard amount.magnitude <= DateShift.maximumAmount else {
                throw place.problem(
                    "expected at most \(DateShift.maximumAmount), found \(amount); use a larger unit"
                )
            }
            do {
                return .relative(DateShift(amount: amount, unit: try DateShift.unit(unit)))
            } catch {
                throw problem(error.name, pointer.member("expectedOffsetUnit"))
            }
        }
        return .relative(shift)
    }

    private static func format(_ text: String?, at place: StubPointer) throws(StubMatcherProblem) -> Format {
        switch text {
        case nil: return .standard
        case "epoch"?: return .epoch
        case "unix"?: return .unix
        case let text?:
            do {
                return .pattern(try DateFormat(text))
            } catch {
                throw place.problem(
                    "expected a format of the letters \(DateFormat.letters), found \"\(error.letter)\" in \"\(text)\"; "
                        + "use these letters, and put other text in single quotes"
                )
            }
        }
    }

    private static func truncation(_ text: String?, at place: StubPointer) throws(StubMatcherProblem) -> DateTruncation?
    {
        guard let text else { return nil }
        guard let truncation = DateTruncation(rawValue: text.lowercased()) else {
            let names = quotedList(DateTruncation.allCases.map(\.rawValue))
            throw place.problem("expected one of \(names), found \"\(text)\"; use one of these")
        }
        return truncation
    }

    var cost: Int { 1 }

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        guard value.facts.budget.work(300), bytes.count <= DateText.maximumCount,
            var actual = time(String(decoding: bytes, as: UTF8.self))
        else { return false }
        if let truncateActual { actual.civil = truncateActual.truncate(actual.civil) }
        let expected: DatedTime
        switch self.expected {
        case .invalid: return false
        case .time(let time): expected = time
        case .relative(let shift): expected = relative(shift, value.facts.now)
        }
        // A date without an offset is in the zone of this machine, unless the other date has no offset either.
        guard expected.offset != nil else { return compares(actual.civil, expected.civil) }
        let zone = Self.zone(at: actual.civil.seconds)
        return compares(actual.inUTC(assuming: zone), expected.inUTC(assuming: zone))
    }

    private func compares(_ actual: CalendarTime, _ expected: CalendarTime) -> Bool {
        switch comparison {
        case .before: actual < expected
        case .after: actual > expected
        case .equal: actual == expected
        }
    }

    private func relative(_ shift: DateShift, _ now: Duration) -> DatedTime {
        let (seconds, attoseconds) = now.components
        let zone = Self.zone(at: Int(seconds))
        var time = CalendarTime(seconds: Int(seconds) + zone, nanosecond: Int(attoseconds / 1_000_000_000))
        if truncatesLast { time = shift.shift(time) }
        if let truncateExpected { time = truncateExpected.truncate(time) }
        if !truncatesLast { time = shift.shift(time) }
        return DatedTime(civil: time, offset: zone)
    }

    private func time(_ text: String) -> DatedTime? {
        switch actualFormat {
        case .standard: return DateText.read(text)
        case .pattern(let pattern): return pattern.read(text[...])
        case .epoch:
            guard let milliseconds = Int(text), milliseconds.magnitude < 4_000_000_000_000_000 else { return nil }
            let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
            let time = CalendarTime(seconds: seconds, nanosecond: (milliseconds - seconds * 1000) * 1_000_000)
            return DatedTime(civil: time, offset: 0)
        case .unix:
            guard let seconds = Int(text), seconds.magnitude < 4_000_000_000_000 else { return nil }
            return DatedTime(civil: CalendarTime(seconds: seconds), offset: 0)
        }
    }

    /// Returns the offset of this machine's zone.
    private static func zone(at seconds: Int) -> Int {
        TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
}
