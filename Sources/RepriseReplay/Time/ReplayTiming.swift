// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseFixtures

/// How time passes in a replay.
struct ReplayTiming: Sendable {
    private let pace: Pace
    private let clock: (any Clock<Duration>)?
    let virtual: VirtualClock?
    /// The times at which the fixtures were recorded, measured from the first.
    private let starts: [Duration?]
    /// The number of the first fixture's request on the virtual clock.
    private let firstRequest: Int
    private let fixtureCount: Int
    /// Whether the delays of stubs pass even if recorded time does not.
    private let keepsStubDelays: Bool

    init(_ configuration: ReplayingTransport.Configuration, _ fixtures: [Fixture]) {
        pace = configuration.pace
        clock = configuration.clock
        fixtureCount = fixtures.count
        keepsStubDelays = configuration.keepsStubDelays
        virtual = pace == .virtual ? clock as? VirtualClock ?? VirtualClock() : nil
        // No request has to arrive for a repeat, so time does not wait for one.
        let offsets = virtual == nil ? [] : RecordedStarts(fixtures).offsets
        starts = zip(offsets, fixtures).map { $1.isRepeat ? nil : $0 }
        firstRequest = virtual?.expect(starts) ?? 0
    }

    /// Whether timeouts are enforced on `clock`.
    func keepsTime(on clock: any Clock<Duration>) -> Bool {
        switch pace {
        case .instant: true
        case .recorded, .factor: self.clock == nil
        case .virtual: (clock as? VirtualClock) === virtual
        }
    }

    /// Returns the timer for one exchange; nil if nothing takes time.
    ///
    /// - Parameter fixture: The index of the fixture that is played. What follows the fixtures has no recorded time.
    func timer(for fixture: Int, isFirst: Bool, options: RequestOptions) -> ReplayTimer? {
        switch pace {
        case .instant: return keepsStubDelays && fixture >= fixtureCount ? timer(factor: 1, options) : nil
        case .recorded, .factor: return timer(factor: pace.multiplier, options)
        case .virtual:
            guard let virtual else { return nil }
            let request = isFirst ? firstRequest + fixture : nil
            let start = fixture < starts.count ? starts[fixture] : nil
            return ReplayTimer(.on(virtual, request: request, recorded: start), options)
        }
    }

    private func timer(factor: Double, _ options: RequestOptions) -> ReplayTimer {
        let clock = clock ?? Ambient.clock ?? ContinuousClock()
        return ReplayTimer(ReplayTimer.Line.on(clock), factor: factor, options)
    }
}
