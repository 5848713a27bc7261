// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// Changes of stubs and scenarios while the server runs. A `nil` session stands for the server itself.
///
/// Every change returns when it is visible to all loops. Other counters, scenarios, and sequences stay as they are.
extension ServerControl {
    /// Returns the stubs in the order in which they are tried; none if the session has ended.
    func stubs(in session: SessionID? = nil) -> [StubFixture] {
        view(of: session)?.stubsInOrder ?? []
    }

    func stub(_ id: String, in session: SessionID? = nil) -> StubFixture? {
        view(of: session)?.stub(id)?.stub
    }

    /// Adds stubs. They are tried before all others with the same priority, the last one first. A stub replaces an
    /// existing one with the same identifier. A stub without an identifier gets one.
    ///
    /// - Returns: The stubs, with their identifiers.
    /// - Throws: All problems found, in which case nothing is added, or a problem if the session has ended.
    @discardableResult
    func add(_ mappings: [StubMapping], in session: SessionID? = nil) async throws(FixtureProblems) -> [StubFixture] {
        try requireOpen(session)
        let stubs = try compile(mappings, in: session)
        change(.add(stubs), in: session)
        await changesAreVisible(.stubs(StubsEvent(.added, stubs.map(\.id), in: session)))
        return stubs
    }

    /// Replaces a stub. The new one keeps its place in the order in which stubs are tried, and its count of answers
    /// restarts.
    ///
    /// - Parameter mapping: The new mapping. If it has no identifier, it keeps that of the replaced stub.
    /// - Returns: The new stub; nil if there is no stub with this identifier.
    /// - Throws: All problems found, in which case nothing changes, or a problem if the session has ended.
    @discardableResult
    func replace(
        _ id: String,
        with mapping: StubMapping,
        in session: SessionID? = nil
    ) async throws(FixtureProblems) -> StubFixture? {
        try requireOpen(session)
        guard stub(id, in: session) != nil else { return nil }
        var mapping = mapping
        mapping.id = mapping.id ?? id
        let stub = try compile([mapping], in: session)[0]
        change(.replace(id, with: stub), in: session)
        await changesAreVisible(.stubs(StubsEvent(.replaced, [id], in: session)))
        return stub
    }

    /// Removes the stubs with these identifiers. Scenarios without remaining stubs are forgotten.
    ///
    /// - Returns: The stubs that were removed, in the order in which they were tried.
    @discardableResult
    func remove(_ ids: Set<String>, in session: SessionID? = nil) async -> [StubFixture] {
        guard let before = view(of: session) else { return [] }
        let removed = before.stubs(ids)
        guard !removed.isEmpty else { return [] }
        change(.remove(removed.map(\.stub.id)), in: session)
        forgetScenarios(of: removed.map(\.stub), in: session)
        await changesAreVisible(.stubs(StubsEvent(.removed, removed.map(\.stub.id), in: session)))
        return removed.sorted { $0.entry.precedes($1.entry) }.map(\.stub)
    }

    func removeAll(in session: SessionID? = nil) async {
        guard let before = view(of: session) else { return }
        change(.removeAll, in: session)
        play(of: session)?.resetScenarios()
        await changesAreVisible(.stubs(StubsEvent(.removed, before.stubsInOrder.map(\.id), in: session)))
    }

    /// Restores the stubs of the files as they were loaded, or in a session those of the server, and removes added
    /// ones. Scenarios, counters, and sequences start over.
    func resetToFiles(in session: SessionID? = nil) async {
        guard view(of: session) != nil else { return }
        change(.resetToFiles, in: session)
        resetPlay(in: session)
        await changesAreVisible(.reset(session))
    }

    // MARK: Scenarios

    func scenarios(in session: SessionID? = nil) -> [ScenarioStatus] {
        guard let stubs = view(of: session)?.stubsInOrder, let play = play(of: session) else { return [] }
        var known: [ExactText: ScenarioStatus] = [:]
        for stub in stubs {
            guard let scenario = stub.mapping.scenario else { continue }
            known[scenario.name, default: ScenarioStatus(name: scenario.name)].add(stub, scenario)
        }
        return known.values.sorted { $0.name < $1.name }.map { status in
            var status = status
            status.state = play.state(of: status.name)
            return status
        }
    }

    /// Puts a scenario into a state.
    ///
    /// - Throws: If no stub belongs to the scenario, or none names the state.
    func setScenario(_ name: String, to state: String, in session: SessionID? = nil) throws(ScenarioError) {
        guard let scenario = scenarios(in: session).first(where: { $0.name == name }) else {
            throw .unknownScenario(name)
        }
        guard scenario.states.contains(state) else { throw .unknownState(state, of: scenario) }
        play(of: session)?.set(name, to: state)
    }

    func resetScenarios(in session: SessionID? = nil) {
        play(of: session)?.resetScenarios()
    }

    private func forgetScenarios(of removed: [StubFixture], in session: SessionID?) {
        var names = Set(removed.compactMap { $0.mapping.scenario?.name })
        guard !names.isEmpty, let view = view(of: session) else { return }
        for served in view.served {
            guard let name = served.stub.mapping.scenario?.name else { continue }
            names.remove(name)
            if names.isEmpty { return }
        }
        play(of: session)?.resetScenarios(names)
    }

    // MARK: Compiling

    private func compile(_ mappings: [StubMapping], in session: SessionID?) throws(FixtureProblems) -> [StubFixture] {
        var stubs: [StubFixture] = []
        stubs.reserveCapacity(mappings.count)
        var problems: [FixtureProblem] = []
        for mapping in mappings {
            var mapping = mapping
            if mapping.id == nil { mapping.id = UUID().uuidString.lowercased() }
            do throws(FixtureProblem) {
                stubs.append(
                    try StubFixture(mapping, source: Self.addedSource, files: stubFiles, options: configuration.stubs)
                )
            } catch {
                problems.append(error)
            }
        }
        if !problems.isEmpty { throw FixtureProblems(problems) }
        return stubs
    }

    static let addedSource = FixtureSource(file: "added while running")

    private func requireOpen(_ session: SessionID?) throws(FixtureProblems) {
        guard let session, view(of: session) == nil else { return }
        throw FixtureProblems([
            FixtureProblem(
                file: Self.addedSource.file,
                message: "expected an open session, found '\(session)', which has ended; open another"
            )
        ])
    }
}

/// A scenario with its states and stubs.
struct ScenarioStatus: Sendable {
    let name: String
    var state = StubMapping.Scenario.started
    /// The possible states: the first one, and those that stubs name, in order of their names.
    var states: [String] { knownStates.sorted().map(\.text) }
    /// The stubs that belong to the scenario, in the order in which they are tried.
    private(set) var stubs: [StubFixture] = []
    private var knownStates: Set = [ExactText(StubMapping.Scenario.started)]

    fileprivate init(name: String) {
        self.name = name
    }

    fileprivate mutating func add(_ stub: StubFixture, _ scenario: StubMapping.Scenario) {
        stubs.append(stub)
        for state in [scenario.requiredState, scenario.newState] {
            if let state { knownStates.insert(ExactText(state)) }
        }
    }
}

/// The reason that a scenario cannot be changed.
enum ScenarioError: Error, CustomStringConvertible {
    /// No stub belongs to a scenario of this name.
    case unknownScenario(String)
    /// No stub of the scenario names this state.
    case unknownState(String, of: ScenarioStatus)

    var description: String {
        switch self {
        case .unknownScenario(let name):
            "expected the name of a scenario that a stub belongs to, found '\(name)'; see the stubs' scenarioName"
        case .unknownState(let state, let scenario):
            "expected a state of scenario '\(scenario.name)', found '\(state)'; use one of "
                + scenario.states.map { "'\($0)'" }.joined(separator: ", ")
        }
    }
}
