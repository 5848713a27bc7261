// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubMatching
internal import RepriseText
internal import RepriseWire

/// Finds the answer to a request. Pure, except that a hit advances its sequence.
struct Responder: Sendable {
    let serializer: PlanSerializer
    let isCrossOriginAllowed: Bool
    /// The folder whose files answer unmatched requests.
    private let staticFolder: StaticFolder?
    /// Whether another server answers all other requests.
    private let hasUpstream: Bool
    let tool: ToolInvocation
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
        self.delay = delay
        var tool = configuration.tool
        tool.options = MatchingRules(configuration.matching, afterLast: configuration.afterLast).commandOptions
        self.tool = tool
        // Starting the server checks that the folder exists.
        staticFolder = configuration.staticFolder.flatMap { try? StaticFolder($0) }
        serializer = PlanSerializer(pace: configuration.pace, latency: configuration.latency)
        isCrossOriginAllowed = configuration.isCrossOriginAllowed
    }

    /// Returns the answer to a complete request.
    ///
    /// - Parameters:
    ///   - bytes: The request's head, which the ranges in `head` refer to.
    ///   - content: The request's content, without chunked coding.
    ///   - isContentComplete: Whether `content` is complete.
    ///   - isLast: Whether the connection closes after the answer, regardless of the client.
    ///   - date: Returns the Date line for the server's own answers.
    ///   - peer: Returns the address of the client, without a port.
    ///   - limit: How much may be done to find the answer. If that is not enough, the answer is
    ///     ``Answer/unfinished(turn:)``, and nothing has changed except for that turn.
    func answer(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8>,
        isContentComplete: Bool,
        state: ServingState,
        isLast: Bool,
        date: () -> [UInt8],
        peer: () -> String,
        limit: WorkLimit = .none
    ) -> Answer {
        let request = RequestView(
            head: bytes,
            ranges: head.ranges,
            content: content,
            isContentComplete: isContentComplete
        )
        let origin = isCrossOriginAllowed ? head.firstField(named: "origin", in: bytes) : nil
        if let origin, head.isOptions(in: bytes),
            let preflight = preflight(bytes, head, request, origin: bytes.text(origin), state: state)
        {
            return own(preflight, bytes, head, isLast: isLast, date: date())
        }
        if content.count > limit.contentSize, state.stubs.needsContent(request) { return .unfinished(turn: nil) }
        let stubs =
            state.stubs.isEmpty
            ? nil : StubLookup(state, request, isSecure: isSecure, peer: peer, limit: limit)
        if let stubs,
            let answer = answer(stubs, .early, bytes, head, origin: origin, state: state, isLast: isLast, date: date)
        {
            return answer
        }
        if let answer = recorded(bytes, head, request, origin: origin, state: state, isLast: isLast, date: date) {
            return answer
        }
        if let staticFolder, let answer = answer(from: staticFolder, bytes, head, isLast: isLast, date: date) {
            return answer
        }
        if let stubs,
            let answer = answer(stubs, .late, bytes, head, origin: origin, state: state, isLast: isLast, date: date)
        {
            return answer
        }
        if head.form == .asterisk, !hasUpstream, state.recording == nil {
            return own(.allowing(Self.commonMethods), bytes, head, isLast: isLast, date: date())
        }
        if hasUpstream || state.recording != nil {
            return head.form == .authority
                ? own(.noTunnel, bytes, head, isLast: true, date: date()) : .forwarded(.upstream)
        }
        if head.form == .authority { return own(.noTunnel, bytes, head, isLast: true, date: date()) }
        if head.asksForWebSocket(bytes) { return own(.noWebSocket, bytes, head, isLast: isLast, date: date()) }
        guard let response = miss(bytes, head, request, state, stubs?.facts, peer, limit) else {
            return .unfinished(turn: nil)
        }
        if head.minorVersion == 1, head.isKeepAlive, !isLast, !isCrossOriginAllowed, !head.isHead(in: bytes),
            head.form != .authority
        {
            return .script(WireScript(head: response.bytes(date: date()), end: .keepAlive), .miss)
        }
        return .script(script(response, bytes, head, isLast: isLast, date: date()), .miss)
    }

    /// Returns the answer of a recording or route; nil if none answers.
    @inline(__always)
    private func recorded(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ request: RequestView,
        origin: Range<Int>?,
        state: ServingState,
        isLast: Bool,
        date: () -> [UInt8]
    ) -> Answer? {
        let first = state.index.match(request)
        if let answer = answer(first, bytes, head, request, origin: origin, state: state, isLast: isLast, date: date) {
            return answer
        }
        if first == .miss {
            guard !request.content.isEmpty else { return nil }
            return decoded(bytes, head, request, origin: origin, state: state, isLast: isLast, date: date)
        }
        return other(than: first, bytes, head, request, origin: origin, state: state, isLast: isLast, date: date)
    }

    /// Returns the answer to a request without its content coding, as recordings have it.
    @inline(never)
    private func decoded(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ request: RequestView,
        origin: Range<Int>?,
        state: ServingState,
        isLast: Bool,
        date: () -> [UInt8]
    ) -> Answer? {
        guard let content = DecodedContent.decoded(request, limit: state.index.maximumBodyCount) else { return nil }
        let request = RequestView(head: bytes, ranges: head.ranges, content: content.span)
        let first = state.index.match(request)
        if let answer = answer(first, bytes, head, request, origin: origin, state: state, isLast: isLast, date: date) {
            return answer
        }
        guard first != .miss else { return nil }
        return other(than: first, bytes, head, request, origin: origin, state: state, isLast: isLast, date: date)
    }

    /// Returns the answer of another candidate, because the sequence of the first is exhausted. Other candidates are
    /// rarely needed, and finding them requires a search.
    @inline(never)
    private func other(
        than first: Match,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ request: RequestView,
        origin: Range<Int>?,
        state: ServingState,
        isLast: Bool,
        date: () -> [UInt8]
    ) -> Answer? {
        for match in state.index.candidates(request) where match != first {
            let answer = answer(match, bytes, head, request, origin: origin, state: state, isLast: isLast, date: date)
            if let answer { return answer }
        }
        return nil
    }

    /// Returns the answer for a match; nil if there is no match, or if its sequence is exhausted.
    @inline(__always)
    private func answer(
        _ match: Match,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ request: RequestView,
        origin: Range<Int>?,
        state: ServingState,
        isLast: Bool,
        date: () -> [UInt8]
    ) -> Answer? {
        switch match {
        case .hit(let sequence):
            let turn = state.play.take(sequence, for: request).turn
            guard let fixture = turn.fixture else { return nil }
            let played = state.played(fixture, ordinal: turn.ordinal)
            let isCommon =
                head.minorVersion == 1 && head.isKeepAlive && !isLast && origin == nil && !head.isHead(in: bytes)
                && head.form != .authority
            if isCommon, delay == nil, state.generalDelay == nil, let block = state.answers.block(of: fixture) {
                return .block(block, of: state.answers, played)
            }
            let answer = answer(played, of: state, bytes, head, origin: origin, isLast: isLast, date: date)
            return delayed(answer, sequence, turn, state)
        case .headFallback(let sequence):
            let turn = state.play.next(of: sequence, for: request).turn
            guard let fixture = turn.fixture else { return nil }
            let played = state.played(fixture, ordinal: 0)
            let answer = answer(played, of: state, bytes, head, origin: origin, isLast: isLast, date: date)
            return delayed(answer, sequence, turn, state)
        case .optionsFallback:
            return own(.allowing(state.index.allowedMethods(request)), bytes, head, isLast: isLast, date: date())
        case .miss:
            return nil
        }
    }

    /// Returns the answer of a recording or route file. It is a script if a delay applies.
    private func answer(
        _ played: JournalRing.Answer,
        of state: ServingState,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        origin: Range<Int>?,
        isLast: Bool,
        date: () -> [UInt8]
    ) -> Answer {
        answer(
            played,
            of: state.answers,
            bytes,
            head,
            origin: origin,
            isLast: isLast,
            isDelayed: state.generalDelay != nil,
            date: date
        )
    }

    /// Returns the answer of a fixture after its latency and the delay of all answers.
    private func delayed(
        _ answer: Answer,
        _ sequence: FixtureSequence.ID,
        _ turn: FixtureSequence.Turn,
        _ state: ServingState
    ) -> Answer {
        var answer = answer
        if let delay {
            answer = answer.delayed(
                byNanoseconds: delay.nanoseconds(sequence: sequence.number, ordinal: turn.ordinal)
            )
        }
        guard let general = StubHeadDelay(state.generalDelay) else { return answer }
        var random = StubRandom(seed: stubSeed, stub: "sequence \(sequence.number)", ordinal: turn.ordinal)
        return answer.delayed(byFurtherNanoseconds: general.duration(of: nil, &random).wholeNanoseconds)
    }

    /// Whether the answer depends on the request's content.
    func comparesContent(_ bytes: Span<UInt8>, _ head: RequestHead, state: ServingState) -> Bool {
        let request = RequestView(head: bytes, ranges: head.ranges, content: Span())
        if state.stubs.needsContent(request) { return true }
        return state.index.needsBody(request)
    }

    func answer(
        _ played: JournalRing.Answer,
        of answers: ServedAnswers,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        origin: Range<Int>?,
        isLast: Bool,
        isDelayed: Bool = false,
        date: () -> [UInt8]
    ) -> Answer {
        let client = self.client(bytes, head, origin: origin, isLast: isLast)
        if answers.evaluatesConditions(played.fixture),
            let answer = conditional(played, of: answers, bytes, head, to: client, date: date)
        {
            return answer
        }
        if delay == nil, !isDelayed, answers.isBlock(played.fixture, for: client) {
            return .tailoredBlock(client, of: answers, played)
        }
        return .script(answers.script(of: played.fixture, to: client, date: date()), played)
    }

    /// Returns how the response to a request must be written, according to the request.
    func client(_ bytes: Span<UInt8>, _ head: RequestHead, isLast: Bool) -> PlanSerializer.Client {
        let origin = isCrossOriginAllowed ? head.firstField(named: "origin", in: bytes) : nil
        return client(bytes, head, origin: origin, isLast: isLast)
    }

    func client(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        origin: Range<Int>?,
        isLast: Bool
    ) -> PlanSerializer.Client {
        PlanSerializer.Client(
            minorVersion: head.minorVersion,
            wantsHeadOnly: head.isHead(in: bytes),
            // What follows the answer to CONNECT is not HTTP (RFC 9110 section 9.3.6).
            isKeepAlive: head.isKeepAlive && !isLast && head.form != .authority,
            isCrossOrigin: isCrossOriginAllowed,
            origin: origin.map { bytes.bytes($0) }
        )
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
