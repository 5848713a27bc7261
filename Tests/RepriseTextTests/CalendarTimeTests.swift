// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@Suite struct CalendarTimeTests {
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
    ])
    func writesIMFFixdate(seconds: Int, text: String) {
        #expect(CalendarTime(seconds: seconds).httpText == text)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00"), (-1, "1969-12-31T23:59:59"), (-1000, "1969-12-31T23:59:59"),
        (-1001, "1969-12-31T23:59:58"), (-86_400_000, "1969-12-31T00:00:00"), (999, "1970-01-01T00:00:00"),
        (-62_135_596_800_000, "0001-01-01T00:00:00"), (-62_167_219_200_000, "0000-01-01T00:00:00"),
        (-11_670_955_200_000, "1600-02-29T12:00:00"), (-2_203_891_200_000, "1900-03-01T00:00:00"),
        (917_740_800_000, "1999-01-31T00:00:00"), (978_220_800_000, "2000-12-31T00:00:00"),
        (994_223_167_000, "2001-07-04T05:06:07"), (13_574_563_200_000, "2400-02-29T00:00:00"),
        (951_782_400_000, "2000-02-29T00:00:00"), (951_868_799_999, "2000-02-29T23:59:59"),
        (4_107_542_400_000, "2100-03-01T00:00:00"),
        (253_402_300_800_000, "10000-01-01T00:00:00"),
    ])
    func writesISO8601(milliseconds: Int, text: String) {
        let time = CalendarTime(milliseconds: milliseconds)
        #expect(time.text == text)
        #expect(time.seconds * 1000 + time.nanosecond / 1_000_000 == milliseconds)
        #expect(time.isValid)
    }

    @Test(arguments: [Int.min, .min + 1, .min + 807, .min + 808, .max])
    func readsEveryNumberOfMilliseconds(milliseconds: Int) {
        let time = CalendarTime(milliseconds: milliseconds)
        #expect((time.nanosecond / 1_000_000 - milliseconds % 1000) % 1000 == 0)
    }

    @Test func daysFollowEachOther() {
        var previous = CalendarTime(seconds: -1_000_000 * 86_400)
        for day in stride(from: -999_999, to: 1_000_000, by: 487) {
            let time = CalendarTime(seconds: day * 86_400)
            #expect(previous < time && time.seconds == day * 86_400 && time.isValid)
            #expect(time.weekday == ((day + 3) % 7 + 7) % 7 + 1)
            previous = time
        }
    }

    @Test(arguments: [
        (1, DateUnit.months, "2024-02-29T10:20:30"), (-1, .months, "2023-12-31T10:20:30"),
        (13, .months, "2025-02-28T10:20:30"), (-2024, .years, "0000-01-31T10:20:30"),
        (1, .days, "2024-02-01T10:20:30"), (-11, .hours, "2024-01-30T23:20:30"),
        (40, .minutes, "2024-01-31T11:00:30"), (1_000_000_000, .seconds, "2055-10-09T12:07:10"),
    ])
    func addsAnAmountOfAUnit(amount: Int, unit: DateUnit, text: String) {
        var time = CalendarTime(year: 2024, month: 1, day: 31)
        (time.hour, time.minute, time.second) = (10, 20, 30)
        time.add(amount, unit)
        #expect(time.text == text)
    }
}
