// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRecording

@Suite struct TimestampFormatterTests {
    private func text(_ microseconds: Int64, _ formatter: inout TimestampFormatter) -> String {
        var text: [UInt8] = []
        formatter.append(microsecondsSince1970: microseconds, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00"), (917_740_800, "1999-01-31T00:00:00"), (951_868_799, "2000-02-29T23:59:59"),
            (951_868_800, "2000-03-01T00:00:00"), (978_220_800, "2000-12-31T00:00:00"),
            (994_223_167, "2001-07-04T05:06:07"),
            (4_107_542_399, "2100-02-28T23:59:59"), (4_107_542_400, "2100-03-01T00:00:00"),
            (13_569_382_923, "2399-12-31T01:02:03"), (13_574_563_200, "2400-02-29T00:00:00"),
            (253_402_300_799, "9999-12-31T23:59:59"),
            // Later years have more digits than a date.
            (253_402_300_800, "9999-01-01T00:00:00"),
        ] as [(Int64, String)]
    )
    func writesDateAndTime(seconds: Int64, expected: String) {
        var formatter = TimestampFormatter()
        #expect(text(seconds * 1_000_000, &formatter) == "\(expected).000000Z")
        #expect(text(seconds * 1_000_000 + 999_999, &formatter) == "\(expected).999999Z")
    }

    @Test func keepsNothingOfAnotherSecond() {
        var formatter = TimestampFormatter()
        let texts = [1, 1_000_001, 1_500_000, 999_999, -5].map { text($0, &formatter) }
        #expect(
            texts == [
                "1970-01-01T00:00:00.000001Z", "1970-01-01T00:00:01.000001Z", "1970-01-01T00:00:01.500000Z",
                "1970-01-01T00:00:00.999999Z", "1970-01-01T00:00:00.000000Z",
            ]
        )
    }
}
