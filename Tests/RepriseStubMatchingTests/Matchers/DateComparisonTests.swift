// SPDX-License-Identifier: Apache-2.0

import RepriseStubMatching
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
        let facts = StubRequestFacts(OwnedRequest(method: "GET", url: "/", headers: [line]), now: Self.now)
        return try CompiledStubRequest(request).matches(facts)
    }

    @Test(arguments: [
        (ValueMatcher.DateMatcher.Comparison.before, "2021-06-15T12:00:00Z", "2021-06-15T11:59:59Z", true),
        (.before, "2021-06-15T12:00:00Z", "2021-06-15T12:00:00Z", false),
        (.before, "2021-06-15T12:00:00Z", "2021-06-15T13:00:00+02:00", true),
        (.after, "2021-06-15T12:00:00Z", "2021-06-15T12:00:00.001Z", true),
        (.equal, "2021-06-15T12:00:00Z", "2021-06-15T14:00+02:00", true),
        (.equal, "2021-06-15T12:00:00Z", "Tue, 15 Jun 2021 12:00:00 GMT", true),
        (.equal, "2021-06-15T12:00:00Z", "Tuesday, 15-Jun-21 12:00:00 GMT", true),
        (.equal, "2021-06-15T12:00:00Z", "Tue Jun 15 12:00:00 2021", true),
        (.equal, "2021-06-15T12:00:00", "2021-06-15T12:00:00+05:00", true),
        (.equal, "2021-06-15", "2021-06-15T00:00:00", true), (.equal, "2021-06-15", "2021-06-15", true),
        (.before, "2021-06-15", "2021-06-14", true), (.before, "2021-06-15T12:00:00Z", "junk", false),
        (.after, "2021-06-15T12:00:00Z", "2021-13-15T12:00:00Z", false), (.before, "15/06/2021", "2001-01-01", false),
        (.before, "now", "2021-06-15T11:59:59Z", true), (.after, "now +3 days", "2021-06-18T12:00:01Z", true),
        (.after, "NOW +3 DAYS", "2021-06-18T12:00:00Z", false), (.equal, "2 hours", "2021-06-15T14:00:00Z", true),
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
