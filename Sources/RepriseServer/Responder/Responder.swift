// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseText
internal import RepriseWire

/// Finds the answer to a request, independent of the protocol. Pure, except that a hit advances its sequence.
struct Responder: Sendable {
    private let isCrossOriginAllowed: Bool
    /// The folder whose files answer unmatched requests.
    private let staticFolder: StaticFolder?
    /// Whether another server answers all other requests.
    private let hasUpstream: Bool
    /// Whether requests through the proxy are sent to their hosts.
    private let hasOrigins: Bool
    let tool: ToolInvocation
    /// Hides secrets in reports of misses.
    let hide: @Sendable (MissReport.Part) -> [UInt8]?
    /// The delays before the heads of fixtures' answers; nil if there are none.
    let delay: HeadDelay?
    /// Whether clients use TLS.
    let isSecure: Bool
    /// The seed of random delays of stubs.
    let stubSeed: UInt64?

    init(_ configuration: MockServer.Configuration, delay: HeadDelay? = nil) {
        isSecure = configuration.tls != nil
        stubSeed = configuration.stubs.seed
        hasUpstream = configuration.upstream != nil
        hasOrigins = configuration.proxy?.origins != nil
        self.delay = delay
        hide = MissReport.hidingSecrets(configuration.redaction)
        var tool = configuration.tool
        tool.options = MatchingRules(configuration.matching, afterLast: configuration.afterLast).commandOptions
        self.tool = tool
        // Starting the server checks that the folder exists.
        staticFolder = configuration.staticFolder.flatMap { try? StaticFolder($0) }
        isCrossOriginAllowed = configuration.isCrossOriginAllowed
    }

    /// Returns the reply to a complete request.
    ///
    /// - Parameter limit: How much may be done to find the reply. If that is not enough, the reply is
    ///   ``Reply/unfinished(turn:)``, and nothing has changed except for that turn.
    func reply(to request: IncomingRequest, from state: ServingState, limit: WorkLimit = .none) -> Reply {
        let view = request.view
        let state = state.seen(by: view)
        if isCrossOriginAllowed, request.isOptions, let preflight = preflight(request, state) {
            return .response(preflight)
        }
        if view.content.count > limit.contentSize, state.stubs.needsContent(view) { return .unfinished(turn: nil) }
        var stubs = state.stubs.isEmpty ? nil : StubLookup(state, view)
        if stubs != nil, let reply = reply(of: &stubs, .early, to: request, state, limit) { return reply }
        var decoded: [UInt8]??
        if let reply = recorded(request, state, &decoded) { return reply }
        if let staticFolder, !request.head.isProxied, let reply = reply(from: staticFolder, to: request) {
            return reply
        }
        if stubs != nil, let reply = reply(of: &stubs, .late, to: request, state, limit) { return reply }
        let isProxied = request.head.isProxied
        let forwards = isProxied ? hasOrigins : hasUpstream || state.recording != nil
        switch request.head.form {
        case .asterisk where !forwards: return .response(.allowing(Self.commonMethods))
        case .authority: return .response(.noTunnel)
        case _ where forwards: return .forwarded(isProxied ? .origin : .upstream)
        default: break
        }
        if request.head.asksForWebSocket(request.bytes) { return .response(.noWebSocket) }
        guard let response = miss(request, decoded: decoded, state, stubs?.facts, limit) else {
            return .unfinished(turn: nil)
        }
        return .response(response, isMiss: true)
    }

    /// Returns the reply of a recording or route; nil if none answers.
    ///
    /// - Parameter decoded: Set to the content without its coding, if the content is decoded.
    @inline(__always)
    private func recorded(_ request: IncomingRequest, _ state: ServingState, _ decoded: inout [UInt8]??) -> Reply? {
        let view = request.view
        let first = state.index.match(view)
        if let reply = reply(first, view, to: request, state) { return reply }
        if first == .miss { return view.content.isEmpty ? nil : reply(decoding: view, to: request, state, &decoded) }
        return other(than: first, view, to: request, state)
    }

    /// Returns the reply to a request without its content coding, as recordings have it.
    @inline(never)
    private func reply(
        decoding view: RequestView,
        to request: IncomingRequest,
        _ state: ServingState,
        _ decoded: inout [UInt8]??
    ) -> Reply? {
        let content = DecodedContent.decoded(view, limit: state.index.maximumBodyCount)
        decoded = .some(content)
        guard let content else { return nil }
        let view = RequestView(head: view.head, ranges: view.ranges, content: content.span)
        let first = state.index.match(view)
        if let reply = reply(first, view, to: request, state) { return reply }
        return first == .miss ? nil : other(than: first, view, to: request, state)
    }

    /// Returns the reply of another candidate, because the sequence of the first is exhausted. Other candidates are
    /// rarely needed, and finding them requires a search.
    @inline(never)
    private func other(
        than first: Match,
        _ view: RequestView,
        to request: IncomingRequest,
        _ state: ServingState
    ) -> Reply? {
        for match in state.index.candidates(view) where match != first {
            if let reply = reply(match, view, to: request, state) { return reply }
        }
        return nil
    }

    /// Returns the reply for a match; nil if there is no match, or if its sequence is exhausted.
    ///
    /// - Parameter view: The request that was matched: `request`, or its form without a content coding.
    @inline(__always)
    private func reply(
        _ match: Match,
        _ view: RequestView,
        to request: IncomingRequest,
        _ state: ServingState
    ) -> Reply? {
        let sequence: FixtureSequence.ID
        let turn: FixtureSequence.Turn
        let ordinal: Int
        switch match {
        case .hit(let hit):
            sequence = hit
            turn = state.play.take(hit, for: view).turn
            ordinal = turn.ordinal
        case .headFallback(let hit):
            sequence = hit
            turn = state.play.next(of: hit, for: view).turn
            // No turn was taken.
            ordinal = 0
        case .optionsFallback:
            return .response(.allowing(state.index.allowedMethods(view)))
        case .miss:
            return nil
        }
        guard let fixture = turn.fixture else { return nil }
        let played = state.played(fixture, ordinal: ordinal)
        let delay =
            delay == nil && state.generalDelay == nil
            ? .own : delayOfFixture(sequence.number, turn.ordinal, state)
        return reply(played, of: state.answers, delay, to: request)
    }

    /// Returns the latency of a fixture's answer, and the delay of all answers.
    private func delayOfFixture(_ sequence: Int, _ ordinal: Int, _ state: ServingState) -> ReplyDelay {
        var result = ReplyDelay(replacement: delay?.nanoseconds(sequence: sequence, ordinal: ordinal))
        guard let general = StubHeadDelay(state.generalDelay) else { return result }
        var random = StubRandom(seed: stubSeed, stub: "sequence \(sequence)", ordinal: ordinal)
        result.further = general.duration(of: nil, &random).wholeNanoseconds
        return result
    }

    /// Whether the reply depends on the request's content.
    func comparesContent(_ request: IncomingRequest, state: ServingState) -> Bool {
        state.stubs.needsContent(request.view) || state.index.needsBody(request.view)
    }

    /// Returns the reply of a recording, a route file, or a stub.
    @inline(__always)
    func reply(
        _ played: JournalRing.Answer,
        of answers: EncodedAnswers,
        _ delay: ReplyDelay = .own,
        to request: IncomingRequest
    ) -> Reply {
        if answers.evaluatesConditions(played.fixture),
            let reply = conditional(played, of: answers, delay, to: request)
        {
            return reply
        }
        return .fixture(played, of: answers, delay)
    }

    private static let commonMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
}

extension ServingState {
    fileprivate func played(_ fixture: Int, ordinal: Int) -> JournalRing.Answer {
        JournalRing.Answer(
            fixture: fixture,
            ordinal: ordinal,
            status: answers.status(of: fixture),
            generation: generation
        )
    }
}
