// SPDX-License-Identifier: Apache-2.0

import Locking

/// A clock on which a sleep takes no time, but for the clock's own; what was slept is kept.
final class VirtualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private let state = Locked((now: Instant(), sleeps: [Duration]()))

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// How long each sleep was, in order.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.sleeps.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
    }
}

/// A clock on which a sleep ends when its task is cancelled and not before.
struct StoppedClock: Clock {
    var now: VirtualClock.Instant { VirtualClock.Instant() }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// Whether someone sleeps is said here.
    let sleepers = AsyncStream<Void>.makeStream()

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
        sleepers.continuation.yield()
        let forever = AsyncStream<Void> { _ in }
        for await _ in forever {}
        throw CancellationError()
    }
}
