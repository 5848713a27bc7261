// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import Reprise

/// RFC 6265 section 5.1.1.
@Suite struct CookieDateTests {
    /// All spell 12 March 2031, 04:05:06.
    @Test(arguments: [
        // The forms of RFC 9110, with and without what they require.
        "Wed, 12 Mar 2031 04:05:06 GMT", "Wednesday, 12-Mar-31 04:05:06 GMT", "Wed Mar 12 04:05:06 2031",
        "12 Mar 2031 04:05:06", ",12 Mar 2031 04:05:06",
        // The order of the parts is free, except for the day and the year.
        "2031 Mar 12 04:05:06", "04:05:06 2031-Mar-12", "Mar 12 31 04:05:06", "12 31 Mar 04:05:06",
        // Fields of one digit, and text after digits and after the name of the month.
        "12 Mar 2031 4:5:6", "12th March 2031AD 04:05:06.789", "12 MARCHING 2031 04:05:06Z",
        // Zones and other names are ignored.
        "Wed, 12 Mar 2031 04:05:06 -0700", "Wed, 12 Mar 2031 04:05:06 GMT+2 (CET)", "Noday, 12-mar-31 04:05:06 XYZ",
        // All punctuation but the colon separates.
        "12/Mar\\2031 04:05:06", "\"12-Mar-31\"04:05:06\"", "12\tMar~2031;04:05:06", "12.Mar.2031_04:05:06",
        // The first token of each form counts.
        "12 Mar 2031 04:05:06 23:59:59 13 Apr 2032", "x:y ::3 12 Mar 2031 04:05:06",
    ])
    func findsPartsAmongTokens(text: String) {
        #expect(HTTPDate(cookie: text) == HTTPDate("Wed, 12 Mar 2031 04:05:06 GMT"))
    }

    @Test(arguments: [
        ("69", 2069), ("70", 1970), ("99", 1999), ("00", 2000), ("100", nil), ("1600", nil), ("1601", 1601),
        ("9999", 9999), ("10000", nil), ("1", nil), ("069", 2069),
    ])
    func year(text: String, year: Int?) {
        #expect(HTTPDate(cookie: "12 Mar \(text) 00:00:00")?.seconds == year.map(Self.march12))
    }

    private static func march12(_ year: Int) -> Int { CalendarTime(year: year, month: 3, day: 12).seconds }

    @Test(arguments: [
        "", "soon", "12 Mar 2031", "Mar 2031 04:05:06", "12 2031 04:05:06", "12 Mar 04:05:06",
        // Out of range, or no such day.
        "12 Mar 2031 24:00:00", "12 Mar 2031 00:60:00", "12 Mar 2031 00:00:60", "91:22:33 12 Mar 2031 04:05:06",
        "0 Mar 2031 04:05:06", "32 Mar 2031 04:05:06", "31 Apr 2031 04:05:06", "29 Feb 2031 04:05:06",
        "31 Nov 2031 04:05:06", "29 Feb 2100 04:05:06",
        // Too many digits, or none.
        "012 Mar 2031 04:05:06", "12 Mar 2031 04:05:006", "12 Mar 2031 004:05:06", "12 Mar 2031 04: 05:06",
        "99999999999999999999 Mar 2031 04:05:06", "12 Mar 2031 04:05", "\u{661}2 Mar 2031 04:05:06",
    ])
    func rejects(text: String) {
        #expect(HTTPDate(cookie: text) == nil)
    }

    @Test(arguments: ["31 Dec 2031 23:59:59", "29 Feb 2032 00:00:00", "29 Feb 2000 00:00:00", "30 Nov 2031 00:00:00"])
    func acceptsLastDayOfMonth(text: String) {
        #expect(HTTPDate(cookie: text) != nil)
    }
}
