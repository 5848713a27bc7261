// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// Process signals as events on a loop. Loop thread only; only one loop in a process can have sources at a time.
///
/// While a source is open, its signals have no other effect. The loop keeps an open source alive.
public final class SignalSource: LoopResource {
    /// A signal that a source can wait for.
    public enum Signal: Sendable, CaseIterable {
        /// SIGINT, sent by the terminal's interrupt key.
        case interrupt
        /// SIGTERM, sent by a supervisor.
        case terminate
        /// SIGHUP, which by convention asks a server to reload.
        case hangUp
        /// SIGQUIT, sent by the terminal's quit key.
        case quit
        /// SIGTSTP, sent by the terminal's suspend key.
        case suspend
        /// SIGUSR1, whose meaning programs define.
        case user1
        /// SIGUSR2, whose meaning programs define.
        case user2
        /// SIGWINCH, sent by the terminal when its size changes.
        case resize

        /// The system's signal number.
        public var number: Int32 {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .quit: SIGQUIT
            case .suspend: SIGTSTP
            case .user1: SIGUSR1
            case .user2: SIGUSR2
            case .resize: SIGWINCH
            }
        }

        /// Whether the process ignores the signal, for example because `nohup` started it.
        public var isIgnored: Bool { shim_is_signal_ignored(number) }
    }

    var slot = 0
    private let loop: EventLoop
    private var events: [LoopEvent] = []
    private var handler: ((Signal) -> Void)?

    /// Starts waiting for signals.
    ///
    /// - Parameter handler: Called on the loop's thread, once for each signal. Several signals of the same kind that
    ///   arrive close together may cause only one call.
    public init(
        _ signals: [Signal],
        loop: EventLoop,
        handler: @escaping (Signal) -> Void
    ) throws(SystemError) {
        try loop.requireCurrent("signal")
        self.loop = loop
        self.handler = handler
        loop.add(self)
        do throws(SystemError) {
            for signal in signals {
                let event: LoopEvent =
                    try unsafe .waiting(.signal, of: signal.number, on: loop, target: self, callback: signalArrived)
                events.append(event)
            }
        } catch {
            close()
            throw error
        }
    }

    /// Starts waiting for signals, for as long as the loop runs.
    package static func open(
        _ signals: [Signal],
        on loop: EventLoop,
        handler: @escaping @Sendable (Signal) -> Void
    ) async throws(SystemError) {
        let result: Result<Void, SystemError> = await withCheckedContinuation { opened in
            loop.execute {
                opened.resume(
                    returning: Result { () throws(SystemError) in
                        // The loop keeps the source.
                        _ = try SignalSource(signals, loop: loop, handler: handler)
                    }
                )
            }
        }
        try result.get()
    }

    /// Stops waiting and restores the signals' previous effect.
    public func close() {
        guard handler != nil else { return }
        for event in events { event.free() }
        events = []
        handler = nil
        loop.remove(self)
    }

    fileprivate func arrived(_ number: Int32) {
        guard let handler, let signal = Signal.allCases.first(where: { $0.number == number }) else { return }
        handler(signal)
    }
}

private func signalArrived(_ number: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: SignalSource.self)?.arrived(number)
}
