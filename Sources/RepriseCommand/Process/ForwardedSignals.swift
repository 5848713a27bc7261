// SPDX-License-Identifier: Apache-2.0

import RepriseIO

/// Passes the signals of this process to the command that it runs.
///
/// Before the command starts, a signal ends the process immediately. A second SIGTERM, at least half a second after the
/// first, is passed on and ends this process immediately. The terminal's keys never do this, because the command
/// decides what they mean.
final class ForwardedSignals: Sendable {
    private let loop: EventLoop
    private let state = Locked(State())

    private struct State {
        var command: CommandProcess?
        var stops = StopSignals()
        var atEnd: @Sendable () -> Void = {}
    }

    init() async throws(SystemError) {
        loop = try EventLoop(name: "signals")
        // What the process ignores, the command ignores too.
        let signals = SignalSource.Signal.allCases.filter { !$0.isIgnored }
        try await SignalSource.open(signals, on: loop) { self.received($0) }
    }

    /// Sets what to do before a signal ends this process.
    func atEnd(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.atEnd = action }
    }

    /// Starts the command, which gets the signals from now on.
    func start(_ start: () throws(SystemError) -> CommandProcess) throws(SystemError) -> CommandProcess {
        let result = state.withLock { state in
            let result = Result(catching: start)
            state.command = try? result.get()
            return result
        }
        return try result.get()
    }

    private func received(_ signal: SignalSource.Signal) {
        let endsAtOnce = state.withLock { state in
            guard let command = state.command else { return signal != .suspend && signal != .resize }
            command.signal(signal.number)
            return signal == .terminate && state.stops.isRepeated(at: .now)
        }
        guard endsAtOnce else { return }
        state.withLock(\.atEnd)()
        ProcessEnd.now(status: 128 + signal.number)
    }
}
