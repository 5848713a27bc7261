// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseText

/// The sources of the previous fixtures that a loop's journal refers to.
///
/// Finding them means visiting the whole journal, which would delay the loop's requests. At a reload, the loop
/// therefore only keeps the previous state. ``ServerControl`` then finds the sources off the loop and gives them to the
/// loop in exchange for the state.
struct PreviousSources: Sendable {
    /// Previous states whose sources are not yet in `sources`.
    private var states: [ServingState] = []
    private var sources: [Int: [Int: PlayedFixture]] = [:]
    /// The sources of requests that were answered from a previous generation after the reload.
    private var late: [Int: [Int: PlayedFixture]] = [:]
    /// The oldest generation that the journal referred to when `sources` was found.
    private var oldest = 0

    /// The fixture with this generation and index; nil if it is unknown.
    subscript(generation: Int, fixture: Int) -> PlayedFixture? {
        if let source = sources[generation]?[fixture] ?? late[generation]?[fixture] { return source }
        return states.first { $0.generation == generation }?.played(fixture)
    }

    /// Keeps a state whose fixtures are no longer the current ones.
    mutating func append(_ state: ServingState) {
        states.append(state)
    }

    /// Keeps the source of one fixture of a previous state, which answered a request after the reload.
    mutating func append(_ fixture: Int, of state: ServingState) {
        late[state.generation, default: [:]][fixture] = state.played(fixture)
    }

    /// Returns the sources of the fixtures in `requests`, without the states.
    func reduced(to requests: JournalSnapshot) -> PreviousSources {
        var reduced = PreviousSources()
        reduced.oldest = requests.oldestGeneration ?? .max
        reduced.sources = sources
        for state in states {
            var sources: [Int: PlayedFixture] = [:]
            for fixture in requests.fixtures(of: state.generation) {
                sources[fixture] = state.played(fixture)
            }
            reduced.sources[state.generation] = sources
        }
        return reduced
    }

    /// Replaces the states with the sources that were found in them. Keeps what was appended in the meantime, and the
    /// result of another reload.
    ///
    /// - Returns: The replaced contents. Freeing them can take a long time.
    mutating func replaceStates(with reduced: PreviousSources) -> PreviousSources {
        let replaced = self
        states.removeAll { reduced.sources[$0.generation] != nil }
        sources.merge(reduced.sources) { own, _ in own }
        sources = sources.filter { $0.key >= reduced.oldest }
        late = late.filter { $0.key >= reduced.oldest }
        return replaced
    }
}
