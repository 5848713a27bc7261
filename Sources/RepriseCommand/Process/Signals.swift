// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseIO

/// What the process's signals ask for. Decided on a thread of its own, so that neither loading fixtures nor an unread
/// standard error makes the program deaf.
final class Signals: Sendable {
    /// What is asked of the running server, in order.
    enum Request: Sendable {
        case reload
        case stop
    }

    /// What is asked of the running server.
    let requests: AsyncStream<Request>

    private let continuation: AsyncStream<Request>.Continuation
    private let loop: EventLoop
    private let state = Locked(State())

    private struct State {
        var isServing = false
        var stopRequested: MonotonicTime?
    }

    /// Wrappers often deliver one signal twice; only later ones are impatience.
    private static let patience = Duration.milliseconds(500)

    /// Takes over SIGINT, SIGTERM and SIGHUP from now on.
    init() async throws(SystemError) {
        (requests, continuation) = AsyncStream.makeStream(of: Request.self)
        loop = try EventLoop(name: "signals")
        let result: Result<Void, SystemError> = await withCheckedContinuation { installed in
            loop.execute { installed.resume(returning: self.install()) }
        }
        try result.get()
    }

    private func install() -> Result<Void, SystemError> {
        do throws(SystemError) {
            // The loop keeps it for as long as it runs, which is as long as the process.
            _ = try SignalSource([.interrupt, .terminate, .hangUp], loop: loop) { self.received($0) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// From now on a signal to stop is a request; before, it ends the process at once.
    func beginServing() {
        state.withLock { $0.isServing = true }
    }

    private func received(_ signal: SignalSource.Signal) {
        if signal == .hangUp {
            continuation.yield(.reload)
            return
        }
        let endsAtOnce = state.withLock { state in
            guard state.isServing else { return true }
            guard let first = state.stopRequested else {
                state.stopRequested = .now
                continuation.yield(.stop)
                return false
            }
            return .now - first >= Self.patience
        }
        if endsAtOnce { ServeCommand.exit(withError: ExitCode(128 + signal.number)) }
    }
}
