// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// A clock on which waiting takes no real time: when all participants wait, it jumps to the next deadline.
///
/// ```swift
/// let clock = VirtualClock()
/// let transport = try ReplayingTransport(paths: ["Fixtures"], configuration: .init(pace: .virtual, clock: clock))
/// let api = Client("https://api.example.com", transport: transport, configuration: .init(clock: clock))
/// ```
///
/// Replays in virtual time (`Pace.virtual`) register their exchanges. The clock advances to a moment once the readers
/// of all open streams have asked for more data, and every request recorded before that moment has been sent. If a
/// reader does not ask for more, or a request is not sent, the clock waits as long as its ``patience``, in real time.
/// After that, it advances without them.
///
/// A task that only sleeps, such as a retry, is not known to the clock in advance. It continues if nothing is due
/// earlier, after the other tasks have had a fair chance to sleep or to ask for more as well. The clock does not hold
/// it up for a request that has not been sent, because that task may be the one that sends it.
public final class VirtualClock: Clock, Sendable {
    /// A time, measured from the clock's start.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public var offset: Duration

        /// Creates the time at `offset` after the clock's start.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// Returns the time that is `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns how much later `other` is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns whether `left` is before `right`.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    /// The real time after which the clock stops waiting for an inactive participant.
    public let patience: Duration
    private let state = Locked(State())

    fileprivate struct State {
        var timeline = VirtualTimeline()
        var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// The number of activities of participants, and the real time of the last one.
        var activities = 0
        var lastActivity = ContinuousClock.now
        var isWatched = false
    }

    /// Creates a clock at its start.
    ///
    /// - Parameter patience: The real time after which the clock stops waiting for a stream whose reader does not ask
    ///   for more, or for a recorded request that is not sent. The default is one second.
    public init(patience: Duration = .seconds(1)) {
        self.patience = patience
    }

    /// The current time.
    public var now: Instant { Instant(offset: state.withLock { $0.timeline.now }) }

    /// The resolution of the clock, one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until `deadline`, which takes almost no real time.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await wait(nil, until: deadline.offset, rank: .max)
    }
}

// MARK: - Exchanges

extension VirtualClock {
    /// An exchange that the clock waits for.
    struct Exchange: Sendable {
        let number: Int
        /// The time on this clock when the request was sent.
        let start: Duration
        let rank: Int
    }

    func expect(_ starts: [Duration?]) -> Int {
        state.withLock { $0.timeline.expect(starts) }
    }

    /// Begins an exchange. Its start is not earlier than the time at which its request was recorded.
    ///
    /// - Parameters:
    ///   - request: The number of the request, if it is expected.
    ///   - start: The time at which the request was recorded.
    func begin(request: Int?, recorded start: Duration?) -> Exchange {
        state.withLock { state in
            state.noteActivity()
            let number = state.timeline.nextNumber()
            state.timeline.begin(number, request: request)
            return Exchange(number: number, start: max(state.timeline.now, start ?? .zero), rank: request ?? number)
        }
    }

    func end(_ exchange: Exchange) {
        let next = state.withLock { state in
            state.noteActivity()
            state.timeline.end(exchange.number)
            return state.release()
        }
        next?.resume()
        watch()
    }

    /// Waits until `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    func wait(_ exchange: Exchange?, until deadline: Duration, rank: Int) async throws {
        try Task.checkCancellation()
        let number = state.withLock { $0.timeline.nextNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(number, exchange, until: deadline, rank: rank, continuation)
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func register(
        _ number: Int,
        _ exchange: Exchange?,
        until deadline: Duration,
        rank: Int,
        _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let outcome: Result<CheckedContinuation<Void, any Error>?, any Error> = state.withLock { state in
            // Check under the lock: a later cancellation finds the stored continuation.
            if Task.isCancelled { return .failure(CancellationError()) }
            guard deadline > state.timeline.now else { return .success(continuation) }
            state.noteActivity()
            state.continuations[number] = continuation
            state.timeline.wait(number, exchange?.number, until: deadline, rank: rank)
            // Tasks that only sleep yield to the others first.
            return .success(exchange == nil ? nil : state.release())
        }
        switch outcome {
        case .success(let next): next?.resume()
        case .failure(let error): return continuation.resume(throwing: error)
        }
        if exchange == nil { releaseSoon() }
        watch()
    }

    private func giveUp(_ number: Int) {
        let continuation = state.withLock { state in
            state.timeline.giveUp(number)
            return state.continuations.removeValue(forKey: number)
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Releases the first waiter after the other tasks have had a chance to ask for an earlier moment.
    private func releaseSoon() {
        Task.detached { [self] in
            var activities = state.withLock { $0.activities }
            while true {
                for _ in 0..<64 { await Task.yield() }
                let latest = state.withLock { $0.activities }
                if latest == activities { break }
                activities = latest
            }
            state.withLock { $0.release() }?.resume()
            watch()
        }
    }

    // MARK: Patience

    /// While tasks wait, limits how long the clock waits for inactive participants.
    private func watch() {
        let starts = state.withLock { state in
            guard state.timeline.hasWaiters, !state.isWatched else { return false }
            state.isWatched = true
            return true
        }
        guard starts else { return }
        Task.detached { [weak self, patience] in
            while let end = self?.endOfPatience {
                try? await Task.sleep(until: end + patience, clock: .continuous)
                self?.losePatience()
            }
        }
    }

    /// The time of the last activity; nil if no task waits anymore.
    private var endOfPatience: ContinuousClock.Instant? {
        state.withLock { state in
            state.isWatched = state.timeline.hasWaiters
            return state.isWatched ? state.lastActivity : nil
        }
    }

    private func losePatience() {
        let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard state.lastActivity + patience <= .now else { return nil }
            state.timeline.losePatience()
            return state.release()
        }
        next?.resume()
    }
}

extension VirtualClock.State {
    fileprivate mutating func noteActivity() {
        activities += 1
        lastActivity = .now
    }

    fileprivate mutating func release() -> CheckedContinuation<Void, any Error>? {
        guard let number = timeline.release() else { return nil }
        noteActivity()
        return continuations.removeValue(forKey: number)
    }
}
