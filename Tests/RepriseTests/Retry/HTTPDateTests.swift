// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct HTTPDateTests {
    /// 6 November 1994, 08:49:37, the date of RFC 9110 section 5.6.7.
    private let example = HTTPDate(seconds: 784_111_777)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "SUN, 06 nov 1994 08:49:37 gmt", "sunday, 06-NOV-94 08:49:37 Gmt", "sUN nOV  6 08:49:37 1994",
    ])
    func parsesAllThreeFormats(text: String) {
        #expect(HTTPDate(text, now: HTTPDate(seconds: 1_700_000_000)) == example)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ])
    func convertsDatesToSeconds(text: String, seconds: Int) {
        #expect(HTTPDate(text)?.seconds == seconds)
    }

    @Test(arguments: [
        (2026, "26", 2026), (2026, "76", 2076), (2026, "77", 1977), (2026, "94", 1994), (2060, "09", 2109),
    ])
    func resolvesTwoDigitYearsAtMostFiftyYearsAhead(now: Int, digits: String, year: Int) throws {
        let now = try #require(HTTPDate("Thu, 01 Jan \(now) 00:00:00 GMT"))
        let date = HTTPDate("Thursday, 01-Jan-\(digits) 00:00:00 GMT", now: now)
        #expect(date == HTTPDate("Thu, 01 Jan \(year) 00:00:00 GMT"))
    }

    @Test(arguments: [
        "", "120", "Sun", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
        "Sun, 06 Nov 19999999999999999999 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
        "Sun, 06 Nov 994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:+7 GMT", "1994-11-06T08:49:37Z",
    ])
    func rejectsInvalidDates(text: String) {
        #expect(HTTPDate(text) == nil)
    }
}
