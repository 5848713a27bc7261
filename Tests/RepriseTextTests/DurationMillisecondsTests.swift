// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@Suite struct DurationMillisecondsTests {
    /// The spelling of a number, and the microseconds.
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("22", 22_000), ("41.2", 41_200), ("0.001", 1), ("0.0004", 0), ("0.0016", 2),
        ("1e3", 1_000_000), ("1.5E-3", 2), ("2678400000", 2_678_400_000_000), ("2678400000.000", 2_678_400_000_000),
        ("2678400000.001", nil), ("2678400001", nil), ("99999999999999999999", nil), ("1e400", nil), ("-1", nil),
        ("123456789.123456", 123_456_789_123),
    ])
    func numberIsRoundedToMicrosecond(spelling: String, microseconds: Int64?) throws {
        let duration = Duration(milliseconds: Array(spelling.utf8)[...])
        #expect(duration == microseconds.map { .microseconds($0) })
        #expect(try duration == Duration(milliseconds: #require(Double(spelling))))
    }
}
