// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures

/// The stubs that are served, and what requests changed about them.
struct StubServing: Sendable {
    let catalog: StubCatalog
    let play: StubPlay

    /// - Parameter previous: The previous stubs. Scenarios keep their states, and unchanged stubs their counters.
    init(_ stubs: [StubFixture], after previous: StubServing?) {
        catalog = StubCatalog(stubs)
        play = StubPlay(stubs, continuing: previous.map { ($0.play, $0.catalog.stubs) })
    }
}
