// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// A clock on which waiting takes no time: when all wait, it jumps to the moment that is due next.
///
/// ```swift
/// let clock = VirtualClock()
/// let transport = try ReplayingTransport(paths: ["Fixtures"], configuration: .init(pace: .virtual, clock: clock))
/// let api = Client("https://api.example.com", transport: transport, configuration: .init(clock: clock))
/// ```
///
/// Replays in virtual time (`Pace.virtual`) know who takes part. A moment comes when the readers of
/// all open streams have asked for more, and when every request has come that was recorded earlier. A reader that does
/// not ask, and a request that does not come, hold time up for ``patience`` of real time, and are not waited for after
/// that until they do.
///
/// Who merely sleeps, as a retry does, is not known before: it goes next if nothing is due earlier, after the other tasks
/// had a fair chance to sleep or to ask too. A request that has not come does not hold it up, because it may be the one
/// who will send it.
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

    /// How much real time passes before somebody who takes part and does nothing is no longer waited for.
    public let patience: Duration
    private let state = Locked(State())

    fileprivate struct State {
        var timeline = VirtualTimeline()
        var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// How often somebody did something, and when that was last, in real time.
        var activities = 0
        var lastActivity = ContinuousClock.now
        var isWatched = false
    }

    /// A clock at its start.
    ///
    /// - Parameter patience: how much real time passes before a stream whose reader does not ask for more, or a recorded
    ///   request that does not come, is no longer waited for. A second by default.
    public init(patience: Duration = .seconds(1)) {
        self.patience = patience
    }

    /// The time that it is.
    public var now: Instant { Instant(offset: state.withLock { $0.timeline.now }) }

    /// A nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until it is `deadline`, which takes no real time to speak of.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await wait(nil, until: deadline.offset, rank: .max)
    }
}

// MARK: - Exchanges

extension VirtualClock {
    /// An exchange that takes part.
    struct Exchange: Sendable {
        let number: Int
        /// When its request was sent, on this clock.
        let start: Duration
        let rank: Int
    }

    /// Expects requests, which time waits for; see ``VirtualTimeline/expect(_:)``.
    func expect(_ starts: [Duration?]) -> Int {
        state.withLock { $0.timeline.expect(starts) }
    }

    /// Begins an exchange: not before its request was recorded.
    ///
    /// - Parameters:
    ///   - request: its number, if it is expected.
    ///   - start: when it was recorded.
    func begin(request: Int?, recorded start: Duration?) -> Exchange {
        state.withLock { state in
            state.noteActivity()
            let number = state.timeline.nextNumber()
            state.timeline.begin(number, request: request)
            return Exchange(number: number, start: max(state.timeline.now, start ?? .zero), rank: request ?? number)
        }
    }

    /// Ends an exchange.
    func end(_ exchange: Exchange) {
        let next = state.withLock { state in
            state.noteActivity()
            state.timeline.end(exchange.number)
            return state.release()
        }
        next?.resume()
        watch()
    }

    /// Waits until it is `deadline`.
    ///
    /// - Throws: `CancellationError`.
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
            // Under the lock: a cancellation that comes later finds what is kept here.
            if Task.isCancelled { return .failure(CancellationError()) }
            guard deadline > state.timeline.now else { return .success(continuation) }
            state.noteActivity()
            state.continuations[number] = continuation
            state.timeline.wait(number, exchange?.number, until: deadline, rank: rank)
            // Who only sleeps lets the others speak first.
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

    /// Lets the first go after the other tasks had a chance to ask for an earlier moment.
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

    /// Sees to it that nobody is waited for who does not come, as long as somebody waits.
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

    /// When somebody last did something; nil if nobody waits any more.
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
