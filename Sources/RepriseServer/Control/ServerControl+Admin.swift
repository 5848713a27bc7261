// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

/// The fixtures and stubs that are served at one moment, in a session or outside of sessions. It can be read on any
/// thread.
struct ServedView: Sendable {
    let state: ServingState
    let stubs: StubStack
    let play: StubState

    /// Explains which fixture or stub would answer a request, as JSON. Scenarios, sequences, and counters do not
    /// change.
    func explanation(of facts: DecodedRequest) -> JSONTree {
        let request = facts.request
        let state = state.seen(by: request.view)
        let explanation = Explanation(state.index, request, play: state.play)
        guard !stubs.isEmpty else { return explanation.json(stubs: nil) }
        // Usually there is one layer with nothing hidden. Otherwise, combine the layers into one catalog for this
        // explanation.
        let only = stubs.layers.count == 1 && stubs.layers[0].isWhole
        let catalog =
            only ? stubs.layers[0].catalog : StubCatalog(stubs.served.map(\.entry).sorted { $0.number < $1.number })
        let explained = StubExplanation(catalog, facts, play: play).stubs(isAnswered: explanation.outcome != .miss)
        return explanation.json(stubs: explained)
    }

    /// The recordings and routes, in file order.
    var fixtures: [PlayedFixture] { state.index.entries.indices.map { state.played($0) } }
}

// State that only the admin API reads and changes.
extension ServerControl {
    /// Returns what is served in a session; nil if it has ended.
    func served(in session: SessionID?) -> ServedView? {
        var state = shared.current
        if let session {
            guard let served = state.session(session) else { return nil }
            state = state.seen(in: served)
        }
        return ServedView(state: state, stubs: state.stubs, play: state.stubPlay)
    }

    func setSettings(_ settings: ServerSettings) async {
        self.settings = settings
        changeGeneralDelay(settings.delay)
        await changesAreVisible()
    }
}
