// SPDX-License-Identifier: Apache-2.0

import RepriseLocking

/// A clock whose time passes when a test says so.
///
/// ```swift
/// async let answer = retrying(on: clock)
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(3))
/// ```
///
/// ``init(passesBySleeping:)`` makes one that nobody has to advance: to sleep on it takes no time, but for its own.
///
/// A sleep whose time has come ends, in the order of the deadlines; one that a test never lets pass ends when its task is
/// cancelled.
public final class ManualClock: Clock, Sendable {
    /// A time, counted from the clock's start.
    public struct Instant: InstantProtocol {
        /// How long after the clock's start.
        public var offset: Duration

        /// The time `offset` after the clock's start.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// The time `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// How much later `other` is.
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
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        /// By deadline, the ones with the same in the order in which they came.
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

    /// A clock at its start.
    ///
    /// - Parameter passesBySleeping: whether it is advanced by whoever sleeps, to the end of the sleep.
    public init(passesBySleeping: Bool = false) {
        self.passesBySleeping = passesBySleeping
    }

    /// The time that it is.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: any time can be told from any other.
    public var minimumResolution: Duration { .zero }

    /// How long after its start the clock is.
    public var elapsed: Duration { now.offset }

    /// How long the sleeps that have not ended are still to last, the shortest first.
    public var pendingSleeps: [Duration] {
        state.withLock { state in state.sleepers.map { state.now.duration(to: $0.deadline) } }
    }

    /// How long each sleep was to last that began, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Lets time pass, and ends the sleeps whose time has come by then.
    ///
    /// It does not wait for what they go on to do: a sleep that begins after this call begins at the new time.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "Time does not run backwards")
        advance { $0.now.advanced(by: duration) }
    }

    /// Waits for a sleep, and lets as much time pass as it takes to end the one with the nearest deadline.
    ///
    /// - Returns: how long that sleep was.
    @discardableResult
    public func passNextSleep() async -> Duration {
        await waitForSleepers()
        let next = state.withLock { state in state.sleepers.first.map { ($0.start, $0.deadline) } }
        guard let (start, deadline) = next else { return .zero }
        advance { max($0.now, deadline) }
        return start.duration(to: deadline)
    }

    /// Waits until `count` tasks sleep, or this one is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        let id = state.withLock { $0.nextID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.sleepers.count >= count || Task.isCancelled { return true }
                    state.observers.append(Observer(id: id, count: count, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            takeObservers { $0.id == id }.forEach { $0.continuation.resume() }
        }
    }

    /// Sleeps until the clock was advanced to `deadline`, or the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
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
        takeObservers { $0.count <= sleepers }.forEach { $0.continuation.resume() }
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

    private func takeObservers(_ condition: (Observer) -> Bool) -> [Observer] {
        state.withLock { state in
            let taken = state.observers.filter(condition)
            state.observers.removeAll(where: condition)
            return taken
        }
    }
}
