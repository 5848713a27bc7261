// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A point on the machine's monotonic clock.
///
/// It is a plain number of nanoseconds, so that a deadline can be moved by writing a field.
public struct MonotonicTime: Hashable, Sendable {
    /// Nanoseconds since the clock's origin, which differs from machine to machine.
    public let nanoseconds: UInt64

    /// A point given in nanoseconds since the clock's origin.
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The present.
    public static var now: MonotonicTime {
        #if canImport(Darwin)
            // The clock of libevent's kqueue backend, so that both agree about a sleeping machine.
            return MonotonicTime(nanoseconds: clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
        #else
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return MonotonicTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
        #endif
    }

    /// The point `nanoseconds` later; the clock's end if there is no such point.
    public func advanced(byNanoseconds nanoseconds: UInt64) -> MonotonicTime {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return MonotonicTime(nanoseconds: overflow ? .max : sum)
    }

    /// The point `duration` later, or earlier if it is negative; never beyond the clock's ends.
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let (product, tooLong) = seconds.magnitude.multipliedReportingOverflow(by: 1_000_000_000)
        let (magnitude, tooLongStill) = product.addingReportingOverflow(attoseconds.magnitude / 1_000_000_000)
        let distance = tooLong || tooLongStill ? UInt64.max : magnitude
        if seconds < 0 || attoseconds < 0 {
            return MonotonicTime(nanoseconds: time.nanoseconds > distance ? time.nanoseconds - distance : 0)
        }
        return time.advanced(byNanoseconds: distance)
    }

    /// The time from `earlier` to `later`; negative if they come the other way round.
    public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        if later.nanoseconds >= earlier.nanoseconds {
            return nanosecondDuration(later.nanoseconds - earlier.nanoseconds)
        }
        return .zero - nanosecondDuration(earlier.nanoseconds - later.nanoseconds)
    }

    private static func nanosecondDuration(_ nanoseconds: UInt64) -> Duration {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest) * 1_000_000_000)
    }
}

extension MonotonicTime: Comparable {
    /// Whether `left` comes before `right`.
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
