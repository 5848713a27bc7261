// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseReplay

@Suite struct RecordedStartsTests {
    /// Times, with their distance from 2026-02-28T23:59:59Z in microseconds.
    private static let times: [(String, Int64)] = [
        ("2026-02-28T23:59:59Z", 0),
        ("2026-02-28T23:59:59.000001Z", 1),
        ("2026-02-28T23:59:59.123456Z", 123_456),
        ("2026-02-28T23:59:59.1Z", 100_000),
        ("2026-02-28T23:59:59.123456999Z", 123_456),
        ("2026-03-01T00:00:00Z", 1_000_000),
        ("2026-03-01t00:00:00z", 1_000_000),
        ("2026-03-01 01:30:00+01:30", 1_000_000),
        ("2026-02-28T19:00:00.5-05:00", 1_500_000),
        ("2027-02-28T23:59:59Z", 31_536_000_000_000),
        ("2028-02-29T00:00:00Z", 63_072_001_000_000),
        ("2028-03-01T23:59:59Z", 63_244_800_000_000),
    ]

    @Test(arguments: times)
    func parsesTimesWithMicroseconds(time: String, microseconds: Int64) {
        let starts = RecordedStarts(times: ["2026-02-28T23:59:59Z", time])
        #expect(starts.offsets == [.zero, .microseconds(microseconds)])
    }

    @Test(arguments: [
        "", "2026-03-01", "2026-03-01T00:00:00", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-03-32T00:00:00Z",
        "2026-03-01T24:00:00Z", "2026-03-01T00:60:00Z", "2026-03-01T00:00:61Z", "2026-03-01T00:00:00.Z",
        "2026-03-01T00:00:00Zulu", "2026-03-01T00:00:00+0100", "2026-03-01T00:00:00+01", "yesterday at half past seven",
    ])
    func ignoresInvalidTimes(text: String) {
        #expect(RecordedStarts(times: [text, "2026-03-01T00:00:00Z", nil]).offsets == [nil, .zero, nil])
    }

    @Test func measuresOffsetsFromEarliestStart() {
        let starts = RecordedStarts(times: ["2026-03-01T00:00:02Z", "2026-03-01T00:00:00.25Z", "2026-03-01T00:00:01Z"])
        #expect(starts.offsets == [.milliseconds(1750), .zero, .milliseconds(750)])
    }
}
