// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseMatching
internal import RepriseStubs

/// What requests change about stubs: the states of scenarios, and the number of answers of each stub. All threads share
/// one play state; the catalog itself is immutable.
package final class StubPlay: Sendable {
    /// The counters of answers, by the number of the stub.
    private let counters: [OrdinalCounter]
    private let moves: [Move?]
    private let states: StubScenarios

    /// What an answer changes.
    private struct Move: Sendable {
        let scenario: StubMapping.Scenario?
        let times: Int?
    }

    /// Creates a state in which every scenario is in its first state, and no stub has answered.
    ///
    /// - Parameter former: The state of the previous stubs. Scenarios keep their states, and unchanged stubs their
    ///   counters.
    package init(_ stubs: [StubFixture], continuing former: (play: StubPlay, stubs: [StubFixture])? = nil) {
        var known: [String: Int] = [:]
        for (number, stub) in (former?.stubs ?? []).enumerated() { known[stub.id] = number }
        counters = stubs.map { stub in
            guard let former, let number = known[stub.id], former.stubs[number].mapping == stub.mapping else {
                return OrdinalCounter()
            }
            return former.play.counters[number]
        }
        moves = stubs.map { stub in
            let (scenario, times) = (stub.mapping.scenario, stub.mapping.response.times)
            return scenario == nil && times == nil ? nil : Move(scenario: scenario, times: times)
        }
        states = former?.play.states ?? StubScenarios()
    }

    /// Whether a stub answers every request that it matches, whatever happened before.
    func isAlwaysReady(_ stub: Int) -> Bool { moves[stub] == nil }

    /// Takes the first of `stubs` that is ready: its scenario is in the required state, and it has answers left. The
    /// choice and the change of the state are one step, so two requests at the same time never see the same state.
    ///
    /// - Parameter stubs: The numbers of the stubs that match a request, in order of precedence.
    /// - Returns: The stub, and the number of its answer, starting at 1.
    func take(_ stubs: [Int]) -> (stub: Int, ordinal: Int)? {
        if let first = stubs.first, isAlwaysReady(first) { return (first, counters[first].take()) }
        return states.current.withLock { states in
            for stub in stubs {
                guard let move = moves[stub] else { return (stub, counters[stub].take()) }
                guard isReady(stub, move, states) else { continue }
                if let scenario = move.scenario, let next = scenario.newState { states[scenario.name] = next }
                return (stub, counters[stub].take())
            }
            return nil
        }
    }

    private func isReady(_ stub: Int, _ move: Move, _ states: [String: String]) -> Bool {
        // Answers are counted under the lock too, so no two requests take the last one.
        if let times = move.times, counters[stub].taken >= times { return false }
        guard let scenario = move.scenario, let required = scenario.requiredState else { return true }
        return required == states[scenario.name, default: StubMapping.Scenario.started]
    }

    /// Why a stub that matches a request is not ready; `nil` if it is.
    package func reasonNotReady(_ stub: Int) -> String? {
        guard let move = moves[stub] else { return nil }
        if let times = move.times, counters[stub].taken >= times {
            return times == 1
                ? "it answers one request, and has done so" : "it answers \(times) requests, and has done so"
        }
        guard let scenario = move.scenario, let required = scenario.requiredState else { return nil }
        let state = state(of: scenario.name)
        return state == required
            ? nil : "scenario '\(scenario.name)' is in state '\(state)', and the stub requires '\(required)'"
    }

    /// The state of a scenario.
    package func state(of scenario: String) -> String {
        states.current.withLock { $0[scenario, default: StubMapping.Scenario.started] }
    }

    /// Puts a scenario into a state.
    package func set(_ scenario: String, to state: String) {
        states.current.withLock { $0[scenario] = state }
    }

    /// The number of answers that a stub has given.
    package func taken(of stub: Int) -> Int { counters[stub].taken }

    /// Puts every scenario into its first state, and forgets all answers.
    package func reset() {
        states.current.withLock { $0 = [:] }
        for counter in counters { counter.reset() }
    }
}

/// The states of scenarios by name. Kept when stubs are replaced.
private final class StubScenarios: Sendable {
    let current = Locked<[String: String]>([:])
}
