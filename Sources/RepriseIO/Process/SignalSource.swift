// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// Process signals as events on a loop. Loop thread only; one loop of a process at a time can have sources.
///
/// While it is open the signals have no other effect. An open source is kept alive by its loop.
public final class SignalSource: LoopResource {
    /// A signal that can be waited for.
    public enum Signal: Sendable, CaseIterable {
        /// SIGINT, the terminal's interrupt key.
        case interrupt
        /// SIGTERM, what a supervisor sends.
        case terminate
        /// SIGHUP, by custom the wish to reload.
        case hangUp

        /// The system's number.
        public var number: Int32 {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            }
        }
    }

    var slot = 0
    private let loop: EventLoop
    private var events: [LoopEvent] = []
    private var handler: ((Signal) -> Void)?

    /// Starts waiting for signals.
    ///
    /// - Parameter handler: called on the loop's thread, once for each signal or for several that came together.
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
                let event = try unsafe LoopEvent(
                    .signal,
                    of: signal.number,
                    on: loop.base,
                    target: self,
                    callback: signalArrived
                )
                events.append(event)
                try event.add()
            }
        } catch {
            close()
            throw error
        }
    }

    /// Stops waiting: the signals have the effect again that they had before.
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
