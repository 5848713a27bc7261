// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseServer

/// Turns the process's signals into requests. Runs on its own thread, so that the program responds even while it loads
/// fixtures or while standard error is blocked.
final class Signals: Sendable {
    /// A request to the running server.
    enum Request: Sendable {
        case reload
        /// A reload because files changed, which was not requested with a signal.
        case reloadChanges
        case stop
    }

    /// The requests to reload. Those that arrive while one is being handled become one, which is the last of them.
    let reloads: AsyncStream<Request>
    /// Ends when the server should stop. Requests to reload neither precede nor delay it.
    private let running: AsyncStream<Void>

    private let continuation: AsyncStream<Request>.Continuation
    private let stop: AsyncStream<Void>.Continuation
    private let loop: EventLoop
    private let state = Locked(State())
    private let hangUp: HangUp

    private struct State {
        var isServing = false
        var stops = StopSignals()
    }

    /// Starts handling SIGINT, SIGTERM, and, unless `nohup` started the process, SIGHUP.
    init() async throws(SystemError) {
        hangUp = HangUp(isIgnored: SignalSource.Signal.hangUp.isIgnored, hasTerminal: ControllingTerminal.exists)
        (reloads, continuation) = AsyncStream.makeStream(of: Request.self, bufferingPolicy: .bufferingNewest(1))
        (running, stop) = AsyncStream.makeStream(of: Void.self)
        loop = try EventLoop(name: "signals")
        let signals: [SignalSource.Signal] = hangUp.isIgnored ? [] : [.hangUp]
        try await SignalSource.open([.interrupt, .terminate] + signals, on: loop) { self.received($0) }
    }

    /// Turns stop signals into requests from now on. Before this call, a stop signal ends the process immediately.
    func beginServing() {
        state.withLock { $0.isServing = true }
    }

    func requestStop() { stop.finish() }

    func stopRequested() async {
        for await _ in running {}
    }

    func follow(_ watch: FixtureWatch) {
        Task {
            for await _ in watch.changes { continuation.yield(.reloadChanges) }
        }
    }

    private func received(_ signal: SignalSource.Signal) {
        if signal == .hangUp, hangUp.request(hasTerminal: ControllingTerminal.exists) == .reload {
            continuation.yield(.reload)
            return
        }
        let endsAtOnce = state.withLock { state in
            guard state.isServing else { return true }
            stop.finish()
            return state.stops.isRepeated(at: .now)
        }
        // Don't wait for other threads, which may be loading fixtures.
        if endsAtOnce { ProcessEnd.now(status: 128 + signal.number) }
    }
}

/// The signals to stop that arrived so far.
struct StopSignals {
    private var first: MonotonicTime?

    /// The shortest time between two separate signals. Wrappers often deliver one signal twice.
    private static let patience = Duration.milliseconds(500)

    /// Notes a signal, and returns whether it repeats an earlier one, so that the process should end immediately.
    mutating func isRepeated(at now: MonotonicTime) -> Bool {
        guard let first else {
            first = now
            return false
        }
        return now - first >= Self.patience
    }
}

/// The meaning of SIGHUP: either the terminal was closed, or the server should reload its fixtures.
struct HangUp {
    /// Whether the signal was ignored when the process started, and therefore stays ignored.
    let isIgnored: Bool
    /// Whether the process had a controlling terminal when it started.
    let hasTerminal: Bool

    /// Returns the request that the signal makes, given whether there still is a controlling terminal.
    func request(hasTerminal hasTerminalNow: Bool) -> Signals.Request {
        hasTerminal && !hasTerminalNow ? .stop : .reload
    }
}
