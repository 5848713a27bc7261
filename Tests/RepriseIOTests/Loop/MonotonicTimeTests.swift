// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

@Suite struct MonotonicTimeTests {
    @Test(
        arguments: [
            (5, Duration.nanoseconds(7), 12),
            (5, .nanoseconds(-3), 2),
            (5, .nanoseconds(-7), 0),
            (0, .seconds(3) + .nanoseconds(1), 3_000_000_001),
            (0, .seconds(Int64.max), .max),
            (.max - 1, .nanoseconds(1), .max),
            (.max - 1, .milliseconds(1), .max),
            (9, .seconds(Int64.min), 0),
        ] as [(UInt64, Duration, UInt64)]
    )
    func addsDurationsWithoutOverflow(start: UInt64, duration: Duration, sum: UInt64) {
        #expect(MonotonicTime(nanoseconds: start) + duration == MonotonicTime(nanoseconds: sum))
    }

    @Test(
        arguments: [
            (7, 5, Duration.nanoseconds(2)),
            (5, 7, .nanoseconds(-2)),
            (3_500_000_000, 0, .milliseconds(3500)),
            (.max, 0, .seconds(18_446_744_073) + .nanoseconds(709_551_615)),
            (0, .max, .zero - .seconds(18_446_744_073) - .nanoseconds(709_551_615)),
        ] as [(UInt64, UInt64, Duration)]
    )
    func subtractsTimes(later: UInt64, earlier: UInt64, difference: Duration) {
        #expect(MonotonicTime(nanoseconds: later) - MonotonicTime(nanoseconds: earlier) == difference)
    }

    @Test func neverGoesBackward() {
        var last = MonotonicTime.now
        for _ in 0..<1000 {
            let now = MonotonicTime.now
            #expect(now >= last)
            last = now
        }
    }
}
