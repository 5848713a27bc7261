// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
public import Testing

/// A clock that a test advances.
///
/// ```swift
/// async let answer = retrying(on: clock)
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(3))
/// ```
///
/// ``init(passesBySleeping:)`` can also create a clock that needs no advancing: a task that sleeps on it returns
/// immediately, and the clock's time advances by the length of the sleep.
///
/// Sleeps end in the order of their deadlines when the clock reaches them. A sleep whose deadline is never reached
/// ends when its task is canceled.
public final class ManualClock: Clock, Sendable {
    /// A point in time, measured from the clock's start.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public var offset: Duration

        /// Creates the instant that is `offset` after the clock's start.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// Returns the instant that is `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from this instant to `other`.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether `left` is before `right`.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper {
        let id: Int
        let start: Instant
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Observer {
        let count: Int
        let signal: Signal
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        /// Ordered by deadline, then by the order in which they started.
        var sleepers: [Sleeper] = []
        var observers: [Observer] = []
        var sleeps: [Duration] = []

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let passesBySleeping: Bool
    private let state = Locked(State())

    /// Creates a clock at its start.
    ///
    /// - Parameter passesBySleeping: Whether each sleep advances the clock to its deadline. The default is false.
    public init(passesBySleeping: Bool = false) {
        self.passesBySleeping = passesBySleeping
    }

    /// The current time of the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero, because the clock distinguishes any two instants.
    public var minimumResolution: Duration { .zero }

    /// The time since the clock's start.
    public var elapsed: Duration { now.offset }

    /// The remaining durations of the sleeps in progress, shortest first.
    public var pendingSleeps: [Duration] {
        state.withLock { state in state.sleepers.map { state.now.duration(to: $0.deadline) } }
    }

    /// The durations of all sleeps that have started, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Advances the clock and ends the sleeps whose deadlines it reaches.
    ///
    /// It does not wait for the code after those sleeps. A sleep that starts after this call starts at the new time.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "Time does not run backward")
        advance { $0.now.advanced(by: duration) }
    }

    /// Waits for a sleep, then advances the clock to the nearest deadline.
    ///
    /// - Returns: The duration of the sleep that ended.
    @discardableResult
    public func passNextSleep(sourceLocation: SourceLocation = #_sourceLocation) async -> Duration {
        await waitForSleepers(sourceLocation: sourceLocation)
        let next = state.withLock { state in state.sleepers.first.map { ($0.start, $0.deadline) } }
        guard let (start, deadline) = next else { return .zero }
        advance { max($0.now, deadline) }
        return start.duration(to: deadline)
    }

    /// Waits until `count` tasks are sleeping, or until the current task is canceled. The test fails if the limit is
    /// reached first.
    public func waitForSleepers(
        _ count: Int = 1,
        upTo limit: Duration = Signal.longestWait,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let signal = Signal()
        state.withLock { state in
            if state.sleepers.count >= count { return signal.set() }
            state.observers.append(Observer(count: count, signal: signal))
        }
        let end = await signal.end(within: limit)
        takeObservers { $0.signal === signal }
        guard end == .expired else { return }
        let found = pendingSleeps.count
        Issue.record(
            "expected \(count) tasks to sleep on the clock within \(limit), found \(found)",
            sourceLocation: sourceLocation
        )
    }

    /// Sleeps until the clock is advanced to `deadline`, or until the task is canceled.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(id: id, until: deadline, continuation)
            }
        } onCancel: {
            takeSleepers { $0.id == id }.forEach { $0.continuation.resume(throwing: CancellationError()) }
        }
    }

    private func register(id: Int, until deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if Task.isCancelled { return .failure(CancellationError()) }
            state.sleeps.append(state.now.duration(to: deadline))
            if passesBySleeping { state.now = max(state.now, deadline) }
            if deadline <= state.now { return .success(()) }
            let sleeper = Sleeper(id: id, start: state.now, deadline: deadline, continuation: continuation)
            let place = state.sleepers.firstIndex { $0.deadline > deadline } ?? state.sleepers.endIndex
            state.sleepers.insert(sleeper, at: place)
            return nil
        }
        if let result { return continuation.resume(with: result) }
        let sleepers = state.withLock { $0.sleepers.count }
        takeObservers { $0.count <= sleepers }.forEach { $0.signal.set() }
    }

    private func advance(to time: (State) -> Instant) {
        state.withLock { $0.now = time($0) }
        let now = now
        takeSleepers { $0.deadline <= now }.forEach { $0.continuation.resume() }
    }

    private func takeSleepers(_ condition: (Sleeper) -> Bool) -> [Sleeper] {
        state.withLock { state in
            let taken = state.sleepers.filter(condition)
            state.sleepers.removeAll(where: condition)
            return taken
        }
    }

    @discardableResult
    private func takeObservers(_ condition: (Observer) -> Bool) -> [Observer] {
        state.withLock { state in
            let taken = state.observers.filter(condition)
            state.observers.removeAll(where: condition)
            return taken
        }
    }
}
