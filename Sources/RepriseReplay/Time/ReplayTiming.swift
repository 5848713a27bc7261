// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseFixtures

/// On what the time of a replay passes.
struct ReplayTiming: Sendable {
    private let pace: Pace
    private let clock: (any Clock<Duration>)?
    /// The clock of a replay in virtual time.
    let virtual: VirtualClock?
    /// When the fixtures were recorded, counted from the first of them.
    private let starts: [Duration?]
    /// The number of the first fixture's request on the virtual clock.
    private let firstRequest: Int

    init(_ configuration: ReplayingTransport.Configuration, _ fixtures: [Fixture]) {
        pace = configuration.pace
        clock = configuration.clock
        virtual = pace == .virtual ? clock as? VirtualClock ?? VirtualClock() : nil
        starts = virtual == nil ? [] : RecordedStarts(fixtures).offsets
        firstRequest = virtual?.expect(starts) ?? 0
    }

    /// Whether the time limits of requests are kept on `clock`, nil for the system's.
    func keepsTime(on clock: any Clock<Duration>) -> Bool {
        switch pace {
        case .instant: true
        case .recorded, .factor: self.clock == nil
        case .virtual: (clock as? VirtualClock) === virtual
        }
    }

    /// What measures one exchange; nil where nothing takes time.
    ///
    /// - Parameters:
    ///   - fixture: the number of the one that is played.
    ///   - isFirst: whether it is played for the first time.
    ///   - options: how long the response may take.
    func timer(for fixture: Int, isFirst: Bool, options: RequestOptions) -> ReplayTimer? {
        switch pace {
        case .instant: return nil
        case .recorded, .factor: return timer(factor: pace.multiplier, options)
        case .virtual:
            guard let virtual else { return nil }
            let request = isFirst ? firstRequest + fixture : nil
            return ReplayTimer(.on(virtual, request: request, recorded: starts[fixture]), options)
        }
    }

    private func timer(factor: Double, _ options: RequestOptions) -> ReplayTimer {
        let clock = clock ?? Ambient.clock ?? ContinuousClock()
        return ReplayTimer(ReplayTimer.Line.on(clock), factor: factor, options)
    }
}
