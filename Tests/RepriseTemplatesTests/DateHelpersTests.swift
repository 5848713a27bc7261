// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTemplates
import Testing

struct DateHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering("{{date (parseDate '2020-02-29T10:11:12Z')}}", "2020-02-29T10:11:12Z"),
        Rendering("{{date (parseDate '2020-02-29T10:11:12Z') offset='1 years'}}", "2021-02-28T10:11:12Z"),
        Rendering(
            "{{date (parseDate '2020-02-29T10:11:12Z') offset='1 months' format='yyyy-MM-dd HH:mm:ss'}}",
            "2020-03-29 10:11:12"
        ),
        Rendering("{{date (parseDate '2020-01-31T10:11:12Z') offset='1 months'}}", "2020-02-29T10:11:12Z"),
        Rendering("{{parseDate '2020-02-29T10:11:12Z'}}", "2020-02-29T10:11:12Z"),
        Rendering("{{parseDate '2020-02-29T10:11:12+02:00'}}", "2020-02-29T10:11:12+02:00"),
        Rendering("{{parseDate '2020-02-29T10:11:12.123Z'}}", "2020-02-29T10:11:12Z"),
        Rendering("{{parseDate '2020-02-29T10:11:12+02'}}", "2020-02-29T10:11:12+02:00"),
        Rendering("{{parseDate '2020T10:11Z'}}|{{parseDate '2020-02T10:11Z'}}|{{parseDate '2020-02-29'}}", "||"),
        Rendering(
            "{{now offset='now +3 days' format='yyyy-MM-dd'}}|{{now offset='NOW -3 DAYS' format='yyyy-MM-dd'}}",
            "2026-11-13|2026-11-07"
        ),
        Rendering(
            "{{now offset='-90 minutes'}}|{{now offset='30 seconds'}}|{{now offset='-24 hours'}}|{{now offset='-11 months'}}|{{now offset='2 months'}}|{{now offset='-57 years'}}",
            "2026-11-10T22:03:51Z|2026-11-10T23:34:21Z|2026-11-09T23:33:51Z|2025-12-10T23:33:51Z|2027-01-10T23:33:51Z|1969-11-10T23:33:51Z"
        ),
        Rendering(
            "{{parseDate 'Tue, 15 Jun 2021 12:00:00 GMT'}}|{{parseDate 'Tue, 15 Jun 2021 12:00 GMT'}}",
            "2021-06-15T12:00:00Z|2021-06-15T12:00:00Z"
        ),
        Rendering(
            "{{parseDate 'Tuesday, 15-Jun-21 12:00:00 GMT'}}|{{parseDate 'Tuesday, 15--Jun-21 12:00:00 GMT'}}",
            "2021-06-15T12:00:00Z|"
        ),
        Rendering(
            "{{parseDate 'Tue Jun 15 12:00:00 2021'}}|{{parseDate 'Sat Jun  5 12:00:00 2021'}}",
            "2021-06-15T12:00:00Z|2021-06-05T12:00:00Z"
        ),
        Rendering(
            "{{parseDate 'Tue, 15 Jun 2021 12:00::00 GMT'}}|{{parseDate 'Tue, 15 Jun 2021  12:00:00 GMT'}}|{{parseDate 'Tue, 15 Jun 2021 12:60:00 GMT'}}|{{parseDate 'Tue, 15 Jun 2021 12:00:60 GMT'}}|{{parseDate 'Mon, 15 Jun 2021 12:00:00 GMT'}}|{{parseDate 'Tue, 31 Jun 2021 12:00:00 GMT'}}|{{parseDate 'Tue, 15 Jun 2021 12 GMT'}}",
            "||||||"
        ),
        Rendering("{{parseDate '2020-02-29'}}", ""),
        Rendering("{{parseDate '29/02/2020' format='dd/MM/yyyy'}}", "2020-02-29T00:00:00Z"),
        Rendering(
            "{{date (parseDate '29/02/2020 03:04' format='dd/MM/yyyy HH:mm') format='epoch'}}",
            "1582945440000"
        ),
        Rendering("{{date (parseDate '29/02/2020' format='dd/MM/yyyy')}}", "2020-02-29T00:00:00Z"),
        Rendering("{{parseDate 'rubbish'}}", ""),
        Rendering("{{parseDate 'rubbish' format='yyyy'}}", ""),
        Rendering("{{parseDate '1582794672000' format='epoch'}}", "2020-02-27T09:11:12Z"),
        Rendering("{{parseDate '1582794672' format='unix'}}", "2020-02-27T09:11:12Z"),
        Rendering("{{date (parseDate '1582794672' format='unix')}}", "2020-02-27T09:11:12Z"),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'first day of month')}}",
            "2020-02-01T00:00:00Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'last day of month')}}",
            "2020-02-29T00:00:00Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'first minute of hour')}}",
            "2020-02-29T10:00:00Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'first hour of day')}}",
            "2020-02-29T00:00:00Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'first second of minute')}}",
            "2020-02-29T10:11:00Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'first day of year')}}",
            "2020-01-01T00:00:00Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'first day of next month')}}",
            "2020-03-01T00:00:00Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'first day of next year')}}",
            "2021-01-01T00:00:00Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2020-02-29T10:11:12Z') 'last day of year')}}",
            "2020-12-31T00:00:00Z"
        ),
        Rendering(
            "{{truncateDate (parseDate '2020-02-29T10:11:12Z') 'first day of month'}}",
            "2020-02-01T00:00:00Z"
        ),
        Rendering(
            "{{date (parseDate '2020-02-29T10:11:12Z') format=\"h:mm a K k W F D w G yy yyyyy MMM MMMM E EEEE 'o''clock' SSS\"}}",
            "10:11 AM 10 10 5 5 60 9 AD 20 02020 Feb February Sat Saturday o&#x27;clock 000"
        ),
        Rendering(
            "{{date (parseDate '2024-12-31T23:59:59Z') format='YYYY-ww u D W F'}}|{{date (parseDate '2021-01-01T00:00:00Z') format='YYYY-ww W'}}",
            "2025-01 2 366 5 5|2021-01 1"
        ),
        Rendering(
            "{{date (parseDate '2020-02-29T10:11:12+02:00') offset='1 hours'}}|{{date (parseDate '2020-02-29T10:11:12+02:00') format='HH:mm'}}",
            "2020-02-29T11:11:12+02:00|10:11"
        ),
        Rendering(
            "{{date (parseDate '5 Mar 2021' format='d MMM yyyy') format='yyyy-MM-dd'}}|{{parseDate '2021-03-05 10:20 +0530' format='yyyy-MM-dd HH:mm Z'}}|{{parseDate '20210305' format='yyyyMMdd'}}|{{parseDate '5/3/21' format='d/M/yy'}}",
            "2021-03-05|2021-03-05T10:20:00+05:30|2021-03-05T00:00:00Z|2021-03-05T00:00:00Z"
        ),
        Rendering("{{parseDate '2021-13-45' format='yyyy-MM-dd'}}", ""),
        Rendering("{{parseDate 'Sat, 29 Feb 2020 10:11:12 GMT'}}", "2020-02-29T10:11:12Z"),
        Rendering("{{parseDate 'Sat, 29 Feb 2020 10:11:12 -0530'}}", "2020-02-29T10:11:12-05:30"),
        Rendering(
            "{{parseDate 'sat, 1 feb 2020 10:11 gmt'}}|{{parseDate '29 Feb 2020 10:11:12 GMT'}}",
            "2020-02-01T10:11:00Z|2020-02-29T10:11:12Z"
        ),
        Rendering(
            "{{parseDate 'Sat, 30 Feb 2020 10:11:12 GMT'}}|{{parseDate 'Sat, 29 Feb 2020 24:00:00 GMT'}}",
            "2020-02-29T10:11:12Z|2020-03-01T00:00:00Z"
        ),
        Rendering(
            "{{parseDate 'Saturday, 29-Feb-20 10:11:12 GMT'}}|{{parseDate 'Saturday, 06-Nov-94 08:49:37 GMT'}}",
            "2020-02-29T10:11:12Z|2094-11-06T08:49:37Z"
        ),
        Rendering(
            "{{parseDate 'Sun Nov  6 08:49:37 1994'}}|{{parseDate 'Sun Nov 06 08:49:37 1994'}}",
            "1994-11-06T08:49:37Z|1994-11-06T08:49:37Z"
        ),
        Rendering(
            "{{parseDate 'Sun, 29 Feb 2020 10:11:12 GMT'}}{{parseDate 'Sat, 29 Feb 2020 10:11:12'}}{{parseDate 'Sat, 29 Feb 2020 10:11:12 EST'}}{{parseDate 'Sat, 29 Feb 2020  10:11:12 GMT'}}{{parseDate 'Saturday, 6-Nov-94 08:49:37 GMT'}}{{parseDate 'Sun Nov 6 08:49:37 1994'}}{{parseDate 'Sat, 29 February 2020 10:11:12 GMT'}}{{parseDate ', , , , , '}}{{parseDate 'Sat,'}}",
            ""
        ),
        Rendering(
            "{{parseDate '2020-02-29T10:11:12+01:00[Europe/Paris]'}}|{{parseDate '2020-02-29t10:11:12z'}}|{{parseDate '2020-02-29T10:11:12+0100'}}|{{parseDate '2020-02-29T10:11:12Z[Nowhere]'}}",
            "2020-02-29T10:11:12+01:00|2020-02-29T10:11:12Z||"
        ),
        Rendering(
            "{{parseDate '2020-02-29T10:11Z'}}|{{parseDate '2020-02-29T10:11:12'}}|{{parseDate '2020-02-29T10:11:12.123456+01:00'}}",
            "2020-02-29T10:11:00Z||2020-02-29T10:11:12+01:00"
        ),
    ])
    func readsAndShiftsDates(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// What WireMock 2.35.1 prints on a machine in New York: dates without a zone are in UTC when they are read, and in
    /// the machine's zone when they are truncated, or printed with a format.
    @Test(arguments: [
        Rendering(
            "{{truncateDate (now) 'first day of month'}}|{{date (truncateDate (now) 'first day of month') format='yyyy-MM-dd HH:mm XXX'}}",
            "2026-11-01T00:00:00-04:00|2026-11-01 00:00 -04:00"
        ),
        Rendering(
            "{{truncateDate (now timezone='Asia/Tokyo' format='yyyy') 'first day of month'}}",
            "2026-11-01T00:00:00+09:00"
        ),
        Rendering(
            "{{truncateDate (parseDate '1688167845' format='unix') 'first hour of day'}}",
            "2023-06-30T00:00:00-04:00"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2023-06-30T23:30:45Z') 'first hour of day') format='yyyy-MM-dd HH:mm XXX'}}",
            "2023-06-30 00:00 Z"
        ),
        Rendering(
            "{{date (truncateDate (parseDate '2023-06-30T23:30:45+02:00') 'first hour of day') format='yyyy-MM-dd HH:mm XXX'}}",
            "2023-06-30 00:00 +02:00"
        ),
        Rendering(
            "{{date (parseDate '2023-06-30T23:30:45Z') format='yyyy-MM-dd HH:mm XXX'}}|{{date (parseDate '2023-06-30T23:30:45Z') format='z'}}",
            "2023-06-30 23:30 Z|UTC"
        ),
        Rendering(
            "{{date (parseDate '2023-06-30T23:30:45+02:00') format='HH z'}}",
            "23 GMT+02:00"
        ),
        Rendering(
            "{{date (parseDate 'Fri, 30 Jun 2023 23:30:45 GMT') format='yyyy-MM-dd HH:mm XXX'}}",
            "2023-06-30 23:30 Z"
        ),
        Rendering(
            "{{parseDate '30/06/2023 23:30' format='dd/MM/yyyy HH:mm'}}|{{date (parseDate '30/06/2023' format='dd/MM/yyyy') format='yyyy-MM-dd HH:mm XXX'}}",
            "2023-06-30T23:30:00Z|2023-06-29 20:00 -04:00"
        ),
        Rendering(
            "{{date (parseDate '30/06/2023 23 +0000' format='dd/MM/yyyy HH Z') format='yyyy-MM-dd HH:mm XXX'}}",
            "2023-06-30 23:00 Z"
        ),
        Rendering(
            "{{parseDate '2023-06-30T23:30:45Z[Europe/Berlin]'}}|{{truncateDate (parseDate '2023-06-30T23:30:45Z[Europe/Berlin]') 'first hour of day'}}",
            "2023-07-01T01:30:45+02:00|2023-07-01T00:00:00+02:00"
        ),
    ])
    func keepsZonesOfDates(_ rendering: Rendering) throws {
        var context = Rendering.context
        context.timeZone = try #require(TimeZone(identifier: "America/New_York"))
        #expect(try rendering.rendered(context) == rendering.output)
    }

    /// Each letter at its lowest and highest values.
    @Test(arguments: [
        ("2021-01-01T00:00:00Z", "kk KK hh a H k K h|M MM D DDD d Q u E", "24 00 12 AM 0 24 0 12|1 01 1 001 1 1 5 Fri"),
        (
            "2021-12-31T23:59:59Z", "kk KK hh a H k K h|M MM D DDD d Q u E",
            "23 11 11 PM 23 23 11 11|12 12 365 365 31 4 5 Fri"
        ),
        ("2021-04-11T12:00:00Z", "kk KK hh a|Q F W u EEEE LLL LLLL", "12 00 12 PM|2 2 3 7 Sunday Apr April"),
        ("2005-03-05T01:02:03.004Z", "y yy yyyy Y G s ss S SSS m mm Q", "2005 05 2005 2005 AD 3 03 4 004 2 02 1"),
        ("0000-06-15T00:00:00Z", "G", "BC"),
        ("2020-02-29T10:11:12+02:00", "X XX XXX Z z", "+02 +0200 +02:00 +0200 GMT+02:00"),
        ("2020-02-29T10:11:12-05:30", "X XX XXX Z", "-05 -0530 -05:30 -0530"),
        ("2020-02-29T10:11:12Z", "X XX XXX Z", "Z Z Z +0000"),
    ])
    func lettersPrintTheirFields(date: String, format: String, expected: String) throws {
        #expect(try Rendering.render("{{{date (parseDate '\(date)') format='\(format)'}}}") == expected)
    }

    @Test(arguments: [
        Rendering(
            "{{parseDate '2021-06-15 12 AM' format='yyyy-MM-dd hh a'}}|{{parseDate '2021-06-15 12 pm' format='yyyy-MM-dd hh a'}}|{{parseDate '2021-06-15 11 PM' format='yyyy-MM-dd hh a'}}",
            "2021-06-15T00:00:00Z|2021-06-15T12:00:00Z|2021-06-15T23:00:00Z"
        ),
        Rendering(
            "{{parseDate '2021-060' format='yyyy-DDD'}}|{{parseDate '2021-001' format='yyyy-DDD'}}|{{parseDate '2021-367' format='yyyy-DDD'}}",
            "2021-03-01T00:00:00Z|2021-01-01T00:00:00Z|"
        ),
        Rendering(
            "{{parseDate '2021-06-15 24' format='yyyy-MM-dd kk'}}|{{parseDate '2021-06-15 60' format='yyyy-MM-dd mm'}}|{{parseDate '2021-06-15 26' format='yyyy-MM-dd HH'}}",
            "2021-06-15T00:00:00Z||"
        ),
        Rendering(
            "{{parseDate '2021-00-15' format='yyyy-MM-dd'}}|{{parseDate '2021-06-00' format='yyyy-MM-dd'}}|{{parseDate '2021-02-29' format='yyyy-MM-dd'}}|{{parseDate '2021-12-31' format='yyyy-MM-dd'}}",
            "|||2021-12-31T00:00:00Z"
        ),
        Rendering(
            "{{parseDate '15 june 2021' format='dd MMMM yyyy'}}|{{parseDate '15 ju 2021' format='dd MMM yyyy'}}|{{parseDate '15 xyz 2021' format='dd MMM yyyy'}}",
            "2021-06-15T00:00:00Z||"
        ),
        Rendering(
            "{{parseDate '2021-06-15 -05:30' format='yyyy-MM-dd XXX'}}|{{parseDate '2021-06-15 +5' format='yyyy-MM-dd X'}}|{{parseDate '2021-06-15 +x' format='yyyy-MM-dd X'}}",
            "2021-06-15T00:00:00-05:30|2021-06-15T00:00:00+05:00|"
        ),
        Rendering("{{parseDate '2021-06-15' format='yyyy-MM-dd' timezone='Asia/Tokyo'}}", "2021-06-14T15:00:00Z"),
        Rendering(
            "{{parseDate '1' format='epoch'}}|{{parseDate '-1' format='unix'}}|{{parseDate '1.5' format='unix'}}|{{parseDate 'x' format='epoch'}}",
            "1970-01-01T00:00:00Z|1969-12-31T23:59:59Z||"
        ),
        Rendering(
            "{{parseDate 'Tue, 15 Jun 2021 24:00:01 GMT'}}|{{parseDate 'Tue, 0 Jun 2021 12:00:00 GMT'}}|{{parseDate 'Tue, 32 Jun 2021 12:00:00 GMT'}}|{{parseDate '15 Jun 2021 12:59:59 +0100'}}",
            "|||2021-06-15T12:59:59+01:00"
        ),
        Rendering(
            "{{now offset='999999999 seconds'}}|{{now offset='-0 days'}}",
            "2058-07-20T01:20:30Z|2026-11-10T23:33:51Z"
        ),
    ])
    func readsDatesUpToTheirLimits(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        "{{now offset='1000000000 seconds'}}", "{{now offset='1000000 years'}}", "{{now offset='-1000000 months'}}",
        "{{now offset='1'}}", "{{now offset='x days'}}", "{{now offset='then +1 days'}}", "{{now offset=3}}",
        "{{now timezone='+'}}", "{{truncateDate (now) 'first week of year'}}",
        "{{truncateDate null 'first day of year'}}",
    ])
    func invalidOffsetOrZoneFails(_ template: String) {
        #expect(throws: TemplateFailure.self) { try Rendering.render(template) }
    }
}
