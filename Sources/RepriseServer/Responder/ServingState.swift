// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubs
internal import RepriseText

/// What is served: one immutable value for all loops, which every change replaces as a whole. The new value shares the
/// unchanged parts with the previous one.
final class ServingState: Sendable {
    /// The number of changes so far.
    let version: Int
    /// The number of reloads so far. Journal records refer to the fixtures of their generation.
    let generation: Int
    /// The index that matches requests to recordings and routes.
    let index: FixtureIndex
    /// The positions of the sequences.
    let play: PlayState
    /// The answers of the recordings and routes, by their position in the index.
    let answers: ServedAnswers
    /// The stubs.
    let stubs: StubStack
    /// The state of the stubs, which requests change.
    let stubPlay: StubPlay
    /// The delay of stubs that have none of their own.
    let stubDelay: StubDelay?

    /// - Parameter previous: The previous fixtures. Unchanged sequences keep their positions.
    init(
        _ fixtures: [Fixture],
        stubs: [StubFixture] = [],
        after previous: ServingState? = nil,
        configuration: MockServer.Configuration
    ) {
        version = previous.map { $0.version + 1 } ?? 0
        generation = previous.map { $0.generation + 1 } ?? 0
        let answerRules = ServedAnswers.Rules(configuration)
        let rules = MatchingRules(configuration.matching, afterLast: configuration.afterLast)
        // With several hosts to tell apart, a path would lead to the host that redirects.
        let keepsLocations = configuration.keepsLocations || rules.options.requiresHost
        let hosts = keepsLocations ? nil : RecordedHosts(fixtures)
        let fixtures = fixtures.map { $0.served(isSecure: configuration.tls != nil, hosts: hosts) }
        index = FixtureIndex(fixtures, options: rules.options)
        answers = ServedAnswers(fixtures.map(\.plan), answerRules) { !fixtures[$0].isRecorded }
        if let previous { play = previous.play(continuedIn: index, answers.plans) } else { play = PlayState(index) }
        self.stubs = previous?.stubs.reloaded(stubs) ?? StubStack(stubs, answerRules)
        stubPlay = previous?.stubPlay ?? StubPlay()
        stubDelay = previous?.stubDelay
    }

    /// Creates the state after a change of stubs.
    convenience init(_ previous: ServingState, stubs: StubStack) {
        self.init(previous, stubs: stubs, stubDelay: previous.stubDelay)
    }

    /// Creates the state after a change of stubs or of their delay.
    init(_ previous: ServingState, stubs: StubStack, stubDelay: StubDelay?) {
        self.stubDelay = stubDelay
        version = previous.version + 1
        generation = previous.generation
        index = previous.index
        play = previous.play
        answers = previous.answers
        self.stubs = stubs
        stubPlay = previous.stubPlay
    }

    /// Returns the play state for another index. Sequences that are unchanged keep their positions from this one.
    ///
    /// The hashes for the comparison are computed during the reload, also for the previous fixtures, so that starting a
    /// server does not have to compute any.
    private func play(continuedIn index: FixtureIndex, _ plans: [ResponsePlan]) -> PlayState {
        PlayState(
            index,
            index.sequenceContents { $1.combine(plans[$0]) },
            continuing: play,
            self.index.sequenceContents { $1.combine(answers.plans[$0]) }
        )
    }

    /// The number of fixtures and stubs.
    var count: Int { answers.plans.count + stubs.count }

    /// The source of a recording or route.
    func source(of fixture: Int) -> FixtureSource { index.entries[fixture].source }

    /// Returns a recording or route for the journal.
    func played(_ fixture: Int) -> PlayedFixture {
        let entry = index.entries[fixture]
        return PlayedFixture(source: entry.source, pattern: entry.pattern, plan: answers.plans[fixture])
    }

    /// Puts every sequence to its first answer, every scenario into its first state, and every counter to zero.
    func resetPlay() {
        play.reset()
        stubPlay.reset()
        stubs.resetCounters()
    }
}
