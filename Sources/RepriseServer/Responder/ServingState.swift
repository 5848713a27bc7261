// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

/// What is served: one immutable value for all loops, which every change replaces as a whole. The new value shares the
/// unchanged parts with the previous one.
final class ServingState: Sendable {
    /// The number of changes so far.
    let version: Int
    /// The number of reloads so far. Journal records refer to the fixtures of their generation.
    let generation: Int
    /// The recordings and routes as clients of this server request them.
    private let direct: ServedRecordings
    /// The recordings and routes as they are requested through the proxy that this server is; nil if that makes no
    /// difference.
    private let proxied: ServedRecordings?
    let stubs: StubStack
    /// The state of the stubs, which requests change.
    let stubPlay: StubState
    /// The delay of recordings, routes, and stubs without a delay of their own.
    let generalDelay: StubDelay?
    /// The server that is being recorded, instead of that of the configuration; nil if there is none.
    let recording: MockServer.Upstream?
    /// The open sessions.
    let sessions: [SessionID: ServedSession]
    let hasHadSessions: Bool
    /// Whether a page that others wrote can be served: a recorded one, or one of another server. It remains `true`,
    /// because a browser may still show such a page.
    let servesForeignPages: Bool
    /// The sessions of the proxy's users.
    let users: UserSessions
    /// The session that this state was made for by ``seen(in:)``; nil for the server itself.
    let session: ServedSession?

    /// - Parameter previous: The previous fixtures. The positions of unchanged sequences are shared with it, and so is
    ///   everything else that requests change, because some requests are still answered from it.
    init(
        _ fixtures: [Fixture],
        stubs: [StubFixture] = [],
        after previous: ServingState? = nil,
        configuration: MockServer.Configuration
    ) {
        version = previous.map { $0.version + 1 } ?? 0
        generation = previous.map { $0.generation + 1 } ?? 0
        let encoder = HTTP1Encoder(configuration)
        let rules = MatchingRules(configuration.matching, afterLast: configuration.afterLast)
        var options = rules.options
        options.comparesScheme = configuration.proxy != nil
        // With several hosts to tell apart, a path would lead to the host that redirects.
        let keepsLocations = configuration.keepsLocations || options.requiresHost || options.comparesScheme
        let hosts = keepsLocations ? nil : RecordedHosts(fixtures)
        let recorded = fixtures
        let fixtures = recorded.map { $0.served(isSecure: configuration.tls != nil, hosts: hosts) }
        let direct = ServedRecordings(fixtures, options, encoder, after: previous?.direct)
        self.direct = direct
        let differs = configuration.proxy != nil && zip(recorded, fixtures).contains { $0.differs(from: $1) }
        proxied =
            differs
            ? ServedRecordings(recorded, options, encoder, after: previous?.proxied, numberedAs: direct) : nil
        if let previous {
            let keepsBindings = direct.play.bindings === previous.play.bindings
            sessions = keepsBindings ? previous.sessions : previous.allSessions.mapValues { $0.withFreeStandIns() }
        } else {
            sessions = [:]
        }
        hasHadSessions = previous?.hasHadSessions ?? false
        users = previous?.users ?? UserSessions()
        session = nil
        self.stubs = previous?.stubs.reloaded(stubs) ?? StubStack(stubs, encoder)
        stubPlay = previous?.stubPlay ?? StubState()
        generalDelay = previous?.generalDelay
        recording = previous?.recording
        servesForeignPages =
            previous?.servesForeignPages == true || configuration.upstream != nil || self.stubs.hasProxies
            || fixtures.contains { $0.isRecorded && $0.plan.mayRunScripts }
            || stubs.contains { $0.mapping.response.recorded != nil && $0.answer.plan?.mayRunScripts == true }
    }

    /// Creates the state after a change.
    ///
    /// - Parameters:
    ///   - generalDelay: The delay of all answers after the change; nil for no delay. By default, it does not change.
    ///   - recording: The server that is being recorded after the change; nil for none. By default, it does not change.
    init(
        _ previous: ServingState,
        stubs: StubStack? = nil,
        sessions: [SessionID: ServedSession]? = nil,
        generalDelay: StubDelay?? = nil,
        recording: MockServer.Upstream?? = nil
    ) {
        self.recording = recording ?? previous.recording
        self.generalDelay = generalDelay ?? previous.generalDelay
        version = previous.version + 1
        generation = previous.generation
        direct = previous.direct
        proxied = previous.proxied
        self.stubs = stubs ?? previous.stubs
        stubPlay = previous.stubPlay
        self.sessions = sessions ?? previous.sessions
        hasHadSessions = previous.hasHadSessions || !self.sessions.isEmpty
        users = previous.users
        servesForeignPages =
            previous.servesForeignPages || self.recording != nil || self.stubs.hasProxies
            || self.sessions.values.contains { $0.stubs.hasProxies }
        session = nil
    }

    private init(_ state: ServingState, _ direct: ServedRecordings, in session: ServedSession? = nil) {
        version = state.version
        generation = state.generation
        self.direct = direct
        proxied = session.flatMap { state.proxied?.seen(in: $0) }
        stubs = session.map { StubStack($0.stubs, over: state.stubs, hiding: $0.hidden) } ?? state.stubs
        stubPlay = session?.stubPlay ?? state.stubPlay
        generalDelay = state.generalDelay
        recording = state.recording
        sessions = session == nil ? state.sessions : [:]
        users = state.users
        hasHadSessions = session != nil || state.hasHadSessions
        servesForeignPages = state.servesForeignPages
        self.session = session ?? state.session
    }

    /// Returns what is served in a session: the same recordings and routes, and the stubs of the session over those of
    /// the server, with the session's own positions, states, and counters.
    func seen(in session: ServedSession) -> ServingState {
        ServingState(self, direct.seen(in: session), in: session)
    }

    /// The sessions that are open, including those of users.
    var allSessions: [SessionID: ServedSession] { users.all.merging(sessions) { $1 } }

    func session(_ id: SessionID) -> ServedSession? { sessions[id] ?? users[id] }

    /// Returns what is served to a request, which may come through the proxy.
    func seen(by request: RequestView) -> ServingState {
        guard request.ranges.scheme != nil, let proxied else { return self }
        return ServingState(self, proxied)
    }

    /// The index that matches requests to recordings and routes.
    var index: FixtureIndex { direct.index }
    /// The positions of the sequences.
    var play: SequenceState { direct.play }
    /// The answers of the recordings and routes, by their position in the index.
    var answers: EncodedAnswers { direct.answers }

    /// The number of fixtures and stubs.
    var count: Int { answers.plans.count + stubs.count }

    /// The source of a recording or route.
    func source(of fixture: Int) -> FixtureSource { index.entries[fixture].source }

    /// Returns a recording or route for the journal.
    func played(_ fixture: Int) -> PlayedFixture {
        let entry = index.entries[fixture]
        return PlayedFixture(source: entry.source, pattern: entry.pattern, plan: answers.plans[fixture])
    }

    /// Resets every sequence to its first answer, every scenario to its first state, and every counter to zero, and
    /// unbinds the stand-ins.
    func resetPlay() {
        play.reset()
        proxied?.play.reset()
        stubPlay.reset()
        if session == nil { stubs.resetCounters() }
    }
}
