// SPDX-License-Identifier: Apache-2.0

import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct DateComparisonTests {
    /// 2021-06-15T12:00:00Z.
    private static let now = Duration.seconds(1_623_758_400)

    private func accepts(_ matcher: ValueMatcher.DateMatcher, _ value: String) throws -> Bool {
        var request = StubRequest()
        request.headers = [NamedMatcher("D", .date(matcher))]
        let line = try #require(HeaderLine("D: \(value)"))
        let facts = DecodedRequest(OwnedRequest(method: "GET", url: "/", headers: [line]), now: Self.now)
        return try CompiledStubRequest(request).matches(facts)
    }

    @Test(arguments: [
        (ValueMatcher.DateMatcher.Comparison.before, "2021-06-15T12:00:00Z", "2021-06-15T11:59:59Z", true),
        (.before, "2021-06-15T12:00:00Z", "2021-06-15T12:00:00Z", false),
        (.before, "2021-06-15T12:00:00Z", "2021-06-15T13:00:00+02:00", true),
        (.after, "2021-06-15T12:00:00Z", "2021-06-15T12:00:00.001Z", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T14:00+02:00", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15t12:00:00z", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T14:00:00+01:60", false),
        (.equal, "2021-06-15T12:00:00Z", "Tue, 15 Jun 2021 12:00:00 GMT", true),
        (.equal, "2021-06-15T12:00:00Z", "Tuesday, 15-Jun-21 12:00:00 GMT", true),
        (.equal, "2021-06-15T12:00:00Z", "Tue Jun 15 12:00:00 2021", true),
        (.equal, "2021-06-15T12:00:00", "2021-06-15T12:00:00+05:00", true),
        (.equal, "2021-06-15", "2021-06-15T00:00:00", true), (.equal, "2021-06-15", "2021-06-15", true),
        (.before, "2021-06-15", "2021-06-14", true), (.before, "2021-06-15T12:00:00Z", "junk", false),
        (.after, "2021-06-15T12:00:00Z", "2021-13-15T12:00:00Z", false), (.before, "15/06/2021", "2001-01-01", false),
        (.before, "now", "2021-06-15T11:59:59Z", true), (.after, "now +3 days", "2021-06-18T12:00:01Z", true),
        (.after, "NOW +3 DAYS", "2021-06-18T12:00:00Z", false), (.equal, "2 hours", "2021-06-15T14:00:00Z", true),
        (.equal, "30 seconds", "2021-06-15T12:00:30Z", true), (.equal, "-90 minutes", "2021-06-15T10:30:00Z", true),
        (.equal, "1000 days", "2024-03-11T12:00:00Z", true), (.equal, "-22446 days", "1960-01-01T12:00:00Z", true),
        (.equal, "-200000 days", "1473-11-15T12:00:00Z", true), (.equal, "7 months", "2022-01-15T12:00:00Z", true),
        (.equal, "6 months", "2021-12-15T12:00:00Z", true), (.equal, "-6 months", "2020-12-15T12:00:00Z", true),
        (.equal, "-500 months", "1979-10-15T12:00:00Z", true), (.equal, "-2000 years", "0021-06-15T12:00:00Z", true),
        (.equal, "now", "2021-06-15T12:00:00Z", true), (.equal, "Now", "2021-06-15T12:00:00.000Z", true),
        (.equal, "2021-06", "2021-06-01", true), (.equal, "2021", "2021-01-01", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T08:29:30-03:30:30", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-16T06:00+18", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-16T07:00+19", false),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T14:00+02:00[Europe/Paris]", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T12:00:00.000000000Z", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T12:00:00.0000000000Z", false),
        (.equal, "2021-06-15T12:00:00.25Z", "2021-06-15T12:00:00.250Z", true),
        (.equal, "2021-06-15T12:00:00.25Z", "2021-06-15T12:00:00.025Z", false),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T12Z", false),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T12:00:00:00Z", false),
        (.equal, "2021-06-05T12:00:00Z", "Sat Jun  5 12:00:00 2021", true),
        (.equal, "2021-06-15T12:00:00Z", "Tue, 15 Jun 2021 12:00:00 +0000", true),
        (.equal, "2021-06-15T12:00:00Z", "Tue, 15 Jun 2021 14:00:00 UTC+02", true),
        (.before, "2021-06-15", "2021-02-29", false), (.before, "2021-06-15", "2020-02-29", true),
        (.before, "2021-06-15", "1900-02-29", false), (.before, "2021-06-15", "2021-04-31", false),
        (.before, "2021-06-15", "2021-00-01", false), (.before, "2021-06-15", "2021-01-00", false),
        (.before, "2021-06-15", "2021-1-01", false), (.before, "2021-06-15", "2021-01-01T24:00", false),
        (.before, "2021-06-15", "2021-01-01T23:60", false), (.before, "2021-06-15", "2021-01-01T23:59:60", false),
        (.equal, "now -1 months", "2021-05-15T12:00:00Z", true), (.equal, "now -2 years", "2019-06-15T12:00:00Z", true),
    ])
    func comparesMoments(
        comparison: ValueMatcher.DateMatcher.Comparison,
        expected: String,
        value: String,
        matches: Bool
    ) throws {
        #expect(try accepts(.init(comparison, expected), value) == matches)
    }

    /// Around the ends of months, leap years, centuries, and eras.
    @Test(arguments: [
        (-62_135_596_800, "0001-01-01T00:00:00"), (-11_670_955_200, "1600-02-29T12:00:00"),
        (-2_203_891_201, "1900-02-28T23:59:59"), (-2_203_891_200, "1900-03-01T00:00:00"),
        (-62_167_219_200, "0000-01-01T00:00:00"), (-1, "1969-12-31T23:59:59"), (0, "1970-01-01T00:00:00"),
        (917_740_800, "1999-01-31T00:00:00"), (951_868_799, "2000-02-29T23:59:59"),
        (951_868_800, "2000-03-01T00:00:00"), (978_220_800, "2000-12-31T00:00:00"),
        (994_223_167, "2001-07-04T05:06:07"), (4_107_542_399, "2100-02-28T23:59:59"),
        (4_107_542_400, "2100-03-01T00:00:00"), (13_569_382_923, "2399-12-31T01:02:03"),
        (13_574_563_200, "2400-02-29T00:00:00"),
    ])
    func secondsAreDates(seconds: Int, date: String) throws {
        for (format, value) in [("unix", "\(seconds)"), ("epoch", "\(seconds * 1000 + 7)")] {
            var matcher = ValueMatcher.DateMatcher(.equal, format == "unix" ? "\(date)Z" : "\(date).007Z")
            matcher.actualFormat = format
            #expect(try accepts(matcher, value))
            // The local date is the same.
            matcher = ValueMatcher.DateMatcher(.equal, matcher.expected.replacing("Z", with: ""))
            matcher.actualFormat = format
            #expect(try accepts(matcher, value))
        }
    }

    @Test(arguments: [
        ("first second of minute", "2024-02-10T13:45:56.789Z", "2024-02-10T13:45:00Z"),
        ("first minute of hour", "2024-02-10T13:45:56.789Z", "2024-02-10T13:00:00Z"),
        ("First Hour of Day", "2024-02-10T13:45:56.789Z", "2024-02-10T00:00:00Z"),
        ("first day of month", "2024-02-10T13:45:56.789Z", "2024-02-01T00:00:00Z"),
        ("first day of next month", "2024-01-31T13:45:56.789Z", "2024-02-01T00:00:00Z"),
        ("first day of next month", "2024-12-31T13:45:56.789Z", "2025-01-01T00:00:00Z"),
        ("last day of month", "2024-02-10T13:45:56.789Z", "2024-02-29T00:00:00Z"),
        ("last day of month", "2024-04-10T13:45:56.789Z", "2024-04-30T00:00:00Z"),
        ("last day of month", "2024-07-10T13:45:56.789Z", "2024-07-31T00:00:00Z"),
        ("first day of year", "2024-02-10T13:45:56.789Z", "2024-01-01T00:00:00Z"),
        ("first day of next year", "2024-02-10T13:45:56.789Z", "2025-01-01T00:00:00Z"),
        ("last day of year", "2024-02-10T13:45:56.789Z", "2024-12-31T00:00:00Z"),
    ])
    func truncationRemovesSmallerUnits(truncation: String, value: String, expected: String) throws {
        var matcher = ValueMatcher.DateMatcher(.equal, expected)
        #expect(try !accepts(matcher, value))
        matcher.truncateActual = truncation
        #expect(try accepts(matcher, value))
    }

    /// A format, a text that has it, and texts that do not.
    @Test(arguments: [
        (
            "yyyy-MM-dd HH:mm", "2021-06-15 12:00",
            ["21-06-15 12:00", "2021-6-15 12:00", "2021-06-15 1:00", "2021-06-15 12:000"]
        ),
        ("y-M-d H:m:s", "2021-6-15 12:0:0", ["-6-15 12:0:0", "2021-6-15 12:0:", "2021-6-150 12:0:0"]),
        ("y-M-d H:m:s", "2021-06-15 12:00:00", ["2021-13-15 12:00:00", "2021-06-31 12:00:00", "2021-06-15 24:00:00"]),
        ("yyMMddHHmmss", "210615120000", ["2106151200000", "21061512000"]),
        ("yyyy-MM-dd'T'HH 'o''clock'", "2021-06-15T12 o'clock", ["2021-06-15T12 o''clock", "2021-06-15 12 o'clock"]),
        (
            "yyyy MMM dd, hh a", "2021 jun 15, 12 pm",
            ["2021 june 15, 12 pm", "2021 jun 15, 12 am", "2021 jun 15, 12 xm"]
        ),
        ("yyyy MMMM dd, KK a", "2021 June 15, 00 PM", ["2021 Jun 15, 00 PM", "2021 June 15, 01 PM"]),
        ("EEEE yyyy-MM-dd kk", "Tuesday 2021-06-15 12", ["Tue 2021-06-15 12", "Tuesday 2021-06-15 24"]),
        ("yyyy-MM-dd HH:mm:ss.SS", "2021-06-15 12:00:00.00", ["2021-06-15 12:00:00.01", "2021-06-15 12:00:00.0"]),
        ("yyyy-MM-dd HH:mm:ss n", "2021-06-15 12:00:00 0", ["2021-06-15 12:00:00 1", "2021-06-15 12:00:00 "]),
        ("yyyy-MM-dd HH:mm XXX", "2021-06-15 14:30 +02:30", ["2021-06-15 12:00 +02:30", "2021-06-15 14:30 02:30"]),
        ("yyyy-MM-dd HH:mm Z", "2021-06-15 09:30 -0230", ["2021-06-15 09:30 +0230", "2021-06-15 09:30 -19"]),
        (
            "yyyy-MM-dd HH:mm VV", "2021-06-15 21:00 Asia/Tokyo",
            ["2021-06-15 20:00 Asia/Tokyo", "2021-06-15 21:00 Nowhere"]
        ),
    ])
    func formatsAreReadExactly(format: String, value: String, others: [String]) throws {
        var matcher = ValueMatcher.DateMatcher(.equal, "2021-06-15T12:00:00")
        if format.contains(where: { "XZV".contains($0) }) { matcher = .init(.equal, "2021-06-15T12:00:00Z") }
        matcher.actualFormat = format
        #expect(try accepts(matcher, value))
        for other in others { #expect(try !accepts(matcher, other), "\(other)") }
    }

    /// Texts that other formats of the same letters read.
    @Test(
        arguments: [
            // A quotation mark without a second one ends with the format.
            ("yyyy-MM-dd HH'T", "2021-06-15 12T", ["2021-06-15 12", "2021-06-15 12'T"]),
            ("yyyy-MM-dd HH'", "2021-06-15 12'", ["2021-06-15 12"]),
            // Only some letters read Z.
            ("yyyy-MM-dd HH:mm ZZZZZ", "2021-06-15 12:00 Z", ["2021-06-15 14:30 Z"]),
            ("yyyy-MM-dd HH:mm ZZZ", "2021-06-15 14:00 +0200", ["2021-06-15 12:00 Z"]),
            ("yyyy-MM-dd HH:mm xxx", "2021-06-15 12:00 +00:00", ["2021-06-15 12:00 Z"]),
            ("yyyy-MM-dd HH:mm X", "2021-06-15 06:00 -06", ["2021-06-15 06:00 -6h", "2021-06-15 06:00"]),
            ("yyyy-MM-dd HH:mm:ss X", "2021-06-15 18:30:15 +06:30:15", ["2021-06-15 18:30:15 +06:30"]),
            ("yyyy-MM-dd hh a", "2021-06-15 12 PM", ["2021-06-15 12 AM", "2021-06-15 00 AM"]),
            ("yyyy-MM-dd kk", "2021-06-15 12", ["2021-06-15 24"]),
            ("EEE yyyy-MM-dd HH", "Tue 2021-06-15 12", ["Tuesday 2021-06-15 12", "Xyz 2021-06-15 12"]),
            ("HH:mm", "never", ["12:00"]),
        ] as [(String, String, [String])]
    )
    func formatDecidesHowTextIsRead(format: String, value: String, others: [String]) throws {
        let isInUTC = format.contains { "XZ".contains($0) }
        var matcher = ValueMatcher.DateMatcher(.equal, isInUTC ? "2021-06-15T12:00:00Z" : "2021-06-15T12:00:00")
        matcher.actualFormat = format
        #expect(try accepts(matcher, value) == (value != "never"))
        for other in others { #expect(try !accepts(matcher, other), "\(other)") }
    }

    @Test func nowHasFractionOfSecond() throws {
        var request = StubRequest()
        request.headers = [NamedMatcher("D", .date(.init(.equal, "now")))]
        let line = try #require(HeaderLine("D: 2021-06-15T12:00:00.25Z"))
        let owned = OwnedRequest(method: "GET", url: "/", headers: [line])
        for (now, matches) in [(Self.now + .milliseconds(250), true), (Self.now, false)] {
            #expect(try CompiledStubRequest(request).matches(DecodedRequest(owned, now: now)) == matches)
        }
    }

    /// A longer text is not read.
    @Test(arguments: [(128, true), (129, false)]) func dateHasAtMost128Bytes(count: Int, isRead: Bool) throws {
        let start = "2021-06-15T14:00+02:00["
        let text = start + String(repeating: "x", count: count - start.utf8.count - 1) + "]"
        #expect(try accepts(.init(.equal, "2021-06-15T12:00:00Z"), text) == isRead)
        #expect(try accepts(.init(.equal, text), "2021-06-15T12:00:00Z") == isRead)
    }

    @Test(arguments: [
        ("epoch", "3999999999999999", true), ("epoch", "4000000000000000", false), ("unix", "3999999999999", true),
        ("unix", "4000000000000", false), ("unix", "1.5", false), ("epoch", "", false),
    ])
    func timeIsReadUpToLimit(format: String, value: String, isRead: Bool) throws {
        var matcher = ValueMatcher.DateMatcher(.after, "now")
        matcher.actualFormat = format
        #expect(try accepts(matcher, value) == isRead)
    }

    @Test(arguments: [
        "now 3", "now+3 days", "3 days ago", "3  days", "+ days", "3 d4ys", "3 ", " 3 days", "now +1000000001 seconds",
        "",
    ])
    func otherTextIsNoRelativeTime(text: String) throws {
        var request = StubRequest()
        request.body = [.date(.init(.before, text))]
        #expect(try CompiledStubRequest(request).warnings.count == 1)
    }

    @Test(arguments: [(1_000_000_000, true), (-1_000_000_000, true), (1_000_000_001, false), (-1_000_000_001, false)])
    func offsetIsAtMostThousandMillion(offset: Int, isAccepted: Bool) {
        var matcher = ValueMatcher.DateMatcher(.before, "now")
        (matcher.offset, matcher.offsetUnit) = (offset, "seconds")
        #expect(((try? accepts(matcher, "2021-06-15T12:00:00Z")) != nil) == isAccepted)
    }

    @Test(arguments: [
        ("epoch", "1623758400000"), ("unix", "1623758400"), ("dd/MM/yyyy HH:mm:ss X", "15/06/2021 12:00:00 Z"),
        ("EEE, d MMM yyyy h:mm a z", "Tue, 15 Jun 2021 12:00 PM UTC"),
        ("yyyyMMdd'T'HHmmss.SSSZ", "20210615T140000.000+0200"),
        ("yy-M-d k:m:s xxx", "21-6-15 12:0:0 +00:00"), ("MMMM d yyyy HH:mm VV", "June 15 2021 14:00 Europe/Paris"),
    ])
    func actualFormatUsesLettersOfJava(format: String, value: String) throws {
        var matcher = ValueMatcher.DateMatcher(.equal, "2021-06-15T12:00:00Z")
        matcher.actualFormat = format
        #expect(try accepts(matcher, value))
        #expect(try !accepts(matcher, "2021-06-15T12:00:00Z"))
    }

    @Test(arguments: [
        ("first second of minute", "2021-06-15T12:00:00Z"), ("first hour of day", "2021-06-15T00:00:00Z"),
        ("first day of month", "2021-06-01T00:00:00Z"), ("first day of next month", "2021-07-01T00:00:00Z"),
        ("last day of month", "2021-06-30T00:00:00Z"), ("first day of year", "2021-01-01T00:00:00Z"),
        ("first day of next year", "2022-01-01T00:00:00Z"), ("last day of year", "2021-12-31T00:00:00Z"),
    ])
    func truncationAppliesToNowAndToValue(truncation: String, expected: String) throws {
        var matcher = ValueMatcher.DateMatcher(.equal, "now")
        matcher.truncateExpected = truncation
        #expect(try accepts(matcher, expected))
        matcher = ValueMatcher.DateMatcher(.equal, expected)
        matcher.truncateActual = truncation
        #expect(try accepts(matcher, "2021-06-15T12:00:00.5Z"))
    }

    @Test func truncationComesBeforeOffsetByDefault() throws {
        var matcher = ValueMatcher.DateMatcher(.equal, "now")
        matcher.offset = 20
        matcher.offsetUnit = "days"
        matcher.truncateExpected = "first day of month"
        #expect(try accepts(matcher, "2021-06-21T00:00:00Z"))
        matcher.truncatesLast = true
        #expect(try accepts(matcher, "2021-07-01T00:00:00Z"))
    }

    /// As in WireMock, the offset replaces that of `now`, and has no effect beside a date.
    @Test(arguments: [
        ("now +3 days", "2021-06-17T12:00:00Z"), ("2 hours", "2021-06-17T12:00:00Z"),
        ("2020-02-03T04:05:06Z", "2020-02-03T04:05:06Z"), ("2020-02-03", "2020-02-03"),
    ])
    func offsetAppliesToNowOnly(expected: String, value: String) throws {
        var matcher = ValueMatcher.DateMatcher(.equal, expected)
        matcher.offset = 2
        matcher.offsetUnit = "days"
        #expect(try accepts(matcher, value))
    }

    @Test func monthsEndWithTheirLastDay() throws {
        var matcher = ValueMatcher.DateMatcher(.equal, "now -4 months")
        matcher.truncateExpected = "last day of month"
        matcher.offset = nil
        #expect(try accepts(matcher, "2021-02-28T00:00:00Z"))
    }

    @Test func rejectsUnknownUnitsLettersAndTruncations() {
        var matcher = ValueMatcher.DateMatcher(.before, "now +1 weeks")
        #expect(throws: StubMatcherProblem.self) { try accepts(matcher, "x") }
        matcher = .init(.before, "now")
        matcher.actualFormat = "QQ"
        #expect(throws: StubMatcherProblem.self) { try accepts(matcher, "x") }
        matcher = .init(.before, "now")
        matcher.truncateActual = "first month of year"
        #expect(throws: StubMatcherProblem.self) { try accepts(matcher, "x") }
        matcher = .init(.before, "now")
        matcher.truncateExpected = "first month of year"
        #expect(throws: StubMatcherProblem.self) { try accepts(matcher, "x") }
        matcher = .init(.before, "now")
        (matcher.offset, matcher.offsetUnit) = (1, "weeks")
        #expect(throws: StubMatcherProblem.self) { try accepts(matcher, "x") }
    }

    @Test func expectedTextThatIsNotDateAddsWarning() throws {
        var request = StubRequest()
        request.body = [.date(.init(.before, "tomorrow"))]
        #expect(try CompiledStubRequest(request).warnings.map(\.pointer) == ["/request/bodyPatterns/0/before"])
    }

    @Test(arguments: ["epoch", "unix"], ["-9223372036854775808", "9223372036854775807", "-4000000000000000"])
    func timeBeyondAllCalendarsDoesNotMatch(format: String, value: String) throws {
        var matcher = ValueMatcher.DateMatcher(.before, "now")
        matcher.actualFormat = format
        #expect(try !accepts(matcher, value))
    }

    @Test func offsetBeyondAllCalendarsIsRefused() throws {
        var matcher = ValueMatcher.DateMatcher(.before, "now")
        matcher.offset = .min
        matcher.offsetUnit = "days"
        #expect(throws: StubMatcherProblem.self) { try accepts(matcher, "2021-06-15T12:00:00Z") }
        let text = "now -9223372036854775808 days"
        #expect(try !accepts(.init(.before, text), "2021-06-15T12:00:00Z"))
    }
}
