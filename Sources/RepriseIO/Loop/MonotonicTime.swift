// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A point in time on the system's monotonic clock.
///
/// It is a plain number of nanoseconds, so a deadline can be moved by writing a field.
public struct MonotonicTime: Hashable, Sendable {
    /// Nanoseconds since the clock's origin, which differs from machine to machine.
    public let nanoseconds: UInt64

    /// Creates a point from the nanoseconds since the clock's origin.
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The current time.
    public static var now: MonotonicTime {
        #if canImport(Darwin)
            // The clock that libevent uses with kqueue, so that timers and libevent treat the time that the machine
            // sleeps in the same way.
            return MonotonicTime(nanoseconds: clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
        #else
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return MonotonicTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
        #endif
    }

    /// Returns the point `nanoseconds` later, limited to the end of the clock's range.
    public func advanced(byNanoseconds nanoseconds: UInt64) -> MonotonicTime {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return MonotonicTime(nanoseconds: overflow ? .max : sum)
    }

    /// Returns the point `duration` later, or earlier if it is negative, limited to the clock's range.
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

    /// Returns the time from `earlier` to `later`, which is negative if `later` is the earlier of the two.
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
