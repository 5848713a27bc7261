// SPDX-License-Identifier: Apache-2.0

internal import Locking

/// A clock on which waiting takes no time: when all wait, it jumps to the moment that is due next.
public final class VirtualClock: Clock, Sendable {
    /// A time, counted from the clock's start.
    public struct Instant: InstantProtocol {
        /// How long after the clock's start.
        public var offset: Duration

        /// The time `offset` after the clock's start.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// The time `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How much later `other` is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether `left` is before `right`.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Locked(Instant(offset: .zero))

    /// A clock at its start.
    public init() {}

    /// The time that it is.
    public var now: Instant { state.withLock { $0 } }

    /// A nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until it is `deadline`, which takes no time.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        state.withLock { $0 = max($0, deadline) }
    }
}
