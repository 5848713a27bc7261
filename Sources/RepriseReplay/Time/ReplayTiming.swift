// SPDX-License-Identifier: Apache-2.0

/// On what the time of a replay passes.
struct ReplayTiming: Sendable {
    private let pace: ReplayingTransport.Pace
    private let clock: (any Clock<Duration>)?
    /// The clock of a replay in virtual time.
    let virtual: VirtualClock?

    init(_ configuration: ReplayingTransport.Configuration) {
        pace = configuration.pace
        clock = configuration.clock
        virtual = pace == .virtual ? clock as? VirtualClock ?? VirtualClock() : nil
    }

    /// What measures one exchange; nil where nothing takes time.
    func timer(for fixture: Fixture, options: RequestOptions) -> ReplayTimer? {
        switch pace {
        case .instant: nil
        case .recorded: ReplayTimer(clock ?? Ambient.clock ?? ContinuousClock(), factor: 1, options)
        case .factor(let factor): ReplayTimer(clock ?? Ambient.clock ?? ContinuousClock(), factor: factor, options)
        case .virtual: ReplayTimer(virtual ?? VirtualClock(), factor: 1, options)
        }
    }
}

/// Measures one exchange on a clock.
final class ReplayTimer: Sendable {
    private let clock: any Clock<Duration>
    private let factor: Double

    init(_ clock: any Clock<Duration>, factor: Double, _ options: RequestOptions) {
        self.clock = clock
        self.factor = factor
    }

    /// Waits until so much time has passed since the step before was due.
    func pass(_ duration: Duration) async throws(TransportError) {
        do {
            try await clock.sleep(for: duration * factor)
        } catch {
            throw .cancelledInReplay
        }
    }

    /// Nothing more will be waited for.
    func close() {}
}
