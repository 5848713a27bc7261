// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseStubs
internal import RepriseText

/// What requests change about stubs: the states of scenarios, and the number of answers of each stub. All threads share
/// one state; the stubs themselves are immutable.
package final class StubState: Sendable {
    private let state = Locked(State())
    /// Whether answers are counted here and not in the stubs, which others serve too.
    private let countsApart: Bool

    private struct State {
        /// The states of scenarios that have left their first state, by name.
        var scenarios: [ExactText: String] = [:]
        /// The number of answers by serial number, if they are counted apart.
        var ordinals: [Int: Int] = [:]
    }

    /// Creates a state in which every scenario is in its first state.
    ///
    /// - Parameter countsApart: Whether the answers of each stub are counted here, beginning at 0. Only stubs that have
    ///   answered use memory. By default, each stub counts its own answers.
    package init(countsApart: Bool = false) {
        self.countsApart = countsApart
    }

    /// Takes the answer of a stub that is always ready.
    ///
    /// - Returns: The number of the answer, starting at 1.
    func take(_ stub: StubEntry) -> Int {
        countsApart ? state.withLock { count(stub, &$0) } : stub.counter.take()
    }

    /// Takes the first of `stubs` that is ready: its scenario is in the required state, and it has answers left. The
    /// choice and the change of the state are one step, so two requests at the same time never see the same state.
    ///
    /// - Parameter stubs: The stubs that match a request, in order of precedence.
    /// - Returns: The index of the stub, and the number of its answer, starting at 1.
    package func take(_ stubs: [StubEntry]) -> (index: Int, ordinal: Int)? {
        guard let first = stubs.first else { return nil }
        if first.rule.isStateless { return (0, take(first)) }
        return state.withLock { state in
            for (index, stub) in stubs.enumerated() where isReady(stub, state) {
                if let scenario = stub.rule.mapping.scenario, let next = scenario.newState {
                    state.scenarios[scenario.name] = next
                }
                return (index, count(stub, &state))
            }
            return nil
        }
    }

    private func count(_ stub: StubEntry, _ state: inout State) -> Int {
        guard countsApart else { return stub.counter.take() }
        let ordinal = state.ordinals[stub.serial, default: 0] + 1
        state.ordinals[stub.serial] = ordinal
        return ordinal
    }

    private func taken(of stub: StubEntry, _ state: State) -> Int {
        countsApart ? state.ordinals[stub.serial, default: 0] : stub.counter.taken
    }

    private func isReady(_ stub: StubEntry, _ state: State) -> Bool {
        if stub.rule.isStateless { return true }
        // Answers are counted under the lock too, so no two requests take the last one.
        if let times = stub.rule.mapping.response.times, taken(of: stub, state) >= times { return false }
        guard let scenario = stub.rule.mapping.scenario, let required = scenario.requiredState else { return true }
        return required == state.scenarios[scenario.name, default: StubMapping.Scenario.started]
    }

    /// Why a stub that matches a request is not ready; `nil` if it is.
    package func reasonNotReady(_ stub: StubEntry) -> String? {
        if stub.rule.isStateless { return nil }
        if let times = stub.rule.mapping.response.times, taken(of: stub) >= times {
            return times == 1
                ? "it answers only one request, and has answered it"
                : "it answers only \(times) requests, and has answered them"
        }
        guard let scenario = stub.rule.mapping.scenario, let required = scenario.requiredState else { return nil }
        let state = state(of: scenario.name)
        return state == required
            ? nil : "scenario '\(scenario.name)' is in state '\(state)', and the stub requires '\(required)'"
    }

    /// The state of a scenario.
    package func state(of scenario: String) -> String {
        state.withLock { $0.scenarios[scenario, default: StubMapping.Scenario.started] }
    }

    /// Puts a scenario into a state.
    package func set(_ scenario: String, to state: String) {
        self.state.withLock { $0.scenarios[scenario] = state }
    }

    /// Puts every scenario into its first state.
    package func resetScenarios() {
        state.withLock { $0.scenarios = [:] }
    }

    /// Puts scenarios into their first state.
    package func resetScenarios(_ names: some Sequence<String>) {
        state.withLock { state in
            for name in names { state.scenarios[name] = nil }
        }
    }

    /// The number of answers that a stub has given.
    package func taken(of stub: StubEntry) -> Int {
        countsApart ? state.withLock { taken(of: stub, $0) } : stub.counter.taken
    }

    /// Puts every scenario into its first state, and forgets the answers that are counted here.
    package func reset() {
        state.withLock { $0 = State() }
    }
}
