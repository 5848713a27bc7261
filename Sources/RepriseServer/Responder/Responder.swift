// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
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
        let context = AnswerContext(state: state, origin: origin(bytes, head), isLast: isLast)
        if let origin = context.origin, head.isOptions(in: bytes),
            let preflight = preflight(request, head, origin: bytes.text(origin), state)
        {
            return own(preflight, bytes, head, context, date: date)
        }
        if content.count > limit.contentSize, state.stubs.needsContent(request) { return .unfinished(turn: nil) }
        let stubs =
            state.stubs.isEmpty
            ? nil : StubLookup(state, request, isSecure: isSecure, peer: peer, limit: limit)
        if let stubs, let answer = answer(stubs, .early, request, head, context, date: date) { return answer }
        var decoded: [UInt8]??
        if let answer = recorded(request, head, context, &decoded, date: date) { return answer }
        if let staticFolder, let answer = answer(from: staticFolder, bytes, head, context, date: date) { return answer }
        if let stubs, let answer = answer(stubs, .late, request, head, context, date: date) { return answer }
        if head.form == .asterisk, !hasUpstream, state.recording == nil {
            return own(.allowing(Self.commonMethods), bytes, head, context, date: date)
        }
        if head.form == .authority { return own(.noTunnel, bytes, head, context, date: date) }
        if hasUpstream || state.recording != nil { return .forwarded(.upstream) }
        if head.asksForWebSocket(bytes) { return own(.noWebSocket, bytes, head, context, date: date) }
        guard let response = miss(request, decoded: decoded, head, state, stubs?.facts, peer, limit) else {
            return .unfinished(turn: nil)
        }
        if head.minorVersion == 1, head.isKeepAlive, !isLast, !isCrossOriginAllowed, !head.isHead(in: bytes) {
            return .script(WireScript(head: response.bytes(date: date()), end: .keepAlive), .miss)
        }
        return .script(script(response, to: client(bytes, head, context), date: date()), .miss)
    }

    /// Returns the answer of a recording or route; nil if none answers.
    ///
    /// - Parameter decoded: Set to the content without its coding, if the content is decoded.
    @inline(__always)
    private func recorded(
        _ request: RequestView,
        _ head: RequestHead,
        _ context: AnswerContext,
        _ decoded: inout [UInt8]??,
        date: () -> [UInt8]
    ) -> Answer? {
        let first = context.state.index.match(request)
        if let answer = answer(first, request, head, context, date: date) { return answer }
        if first == .miss {
            return request.content.isEmpty ? nil : answer(decoding: request, head, context, &decoded, date: date)
        }
        return other(than: first, request, head, context, date: date)
    }

    /// Returns the answer to a request without its content coding, as recordings have it.
    @inline(never)
    private func answer(
        decoding request: RequestView,
        _ head: RequestHead,
        _ context: AnswerContext,
        _ decoded: inout [UInt8]??,
        date: () -> [UInt8]
    ) -> Answer? {
        let index = context.state.index
        let content = DecodedContent.decoded(request, limit: index.maximumBodyCount)
        decoded = .some(content)
        guard let content else { return nil }
        let request = RequestView(head: request.head, ranges: request.ranges, content: content.span)
        let first = index.match(request)
        if let answer = answer(first, request, head, context, date: date) { return answer }
        return first == .miss ? nil : other(than: first, request, head, context, date: date)
    }

    /// Returns the answer of another candidate, because the sequence of the first is exhausted. Other candidates are
    /// rarely needed, and finding them requires a search.
    @inline(never)
    private func other(
        than first: Match,
        _ request: RequestView,
        _ head: RequestHead,
        _ context: AnswerContext,
        date: () -> [UInt8]
    ) -> Answer? {
        for match in context.state.index.candidates(request) where match != first {
            if let answer = answer(match, request, head, context, date: date) { return answer }
        }
        return nil
    }

    /// Returns the answer for a match; nil if there is no match, or if its sequence is exhausted.
    @inline(__always)
    private func answer(
        _ match: Match,
        _ request: RequestView,
        _ head: RequestHead,
        _ context: AnswerContext,
        date: () -> [UInt8]
    ) -> Answer? {
        let state = context.state
        let sequence: FixtureSequence.ID
        let turn: FixtureSequence.Turn
        let ordinal: Int
        switch match {
        case .hit(let hit):
            sequence = hit
            turn = state.play.take(hit, for: request).turn
            ordinal = turn.ordinal
        case .headFallback(let hit):
            sequence = hit
            turn = state.play.next(of: hit, for: request).turn
            // No turn was taken.
            ordinal = 0
        case .optionsFallback:
            let methods = state.index.allowedMethods(request)
            return own(.allowing(methods), request.head, head, context, date: date)
        case .miss:
            return nil
        }
        guard let fixture = turn.fixture else { return nil }
        let played = state.played(fixture, ordinal: ordinal)
        let isCommon =
            head.minorVersion == 1 && head.isKeepAlive && !context.isLast && context.origin == nil
            && !head.isHead(in: request.head) && head.form != .authority
        if isCommon, delay == nil, state.generalDelay == nil, let block = state.answers.block(of: fixture) {
            return .block(block, of: state.answers, played)
        }
        let answer = answer(played, of: state.answers, request.head, head, context, date: date)
        return delayed(answer, sequence, turn, state)
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

    /// Returns the answer of a recording, a route file, or a stub. It is a script if a delay applies.
    func answer(
        _ played: JournalRing.Answer,
        of answers: ServedAnswers,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ context: AnswerContext,
        date: () -> [UInt8]
    ) -> Answer {
        let client = client(bytes, head, context)
        if answers.evaluatesConditions(played.fixture),
            let answer = conditional(played, of: answers, bytes, head, to: client, date: date)
        {
            return answer
        }
        if delay == nil, context.state.generalDelay == nil, answers.isBlock(played.fixture, for: client) {
            return .tailoredBlock(client, of: answers, played)
        }
        return .script(answers.script(of: played.fixture, to: client, date: date()), played)
    }

    /// Returns the origin of the page that sent a request; nil if there is none, or if pages get no special answers.
    func origin(_ bytes: Span<UInt8>, _ head: RequestHead) -> Range<Int>? {
        isCrossOriginAllowed ? head.firstField(named: "origin", in: bytes) : nil
    }

    /// Returns how the response to a request must be written, according to the request.
    func client(_ bytes: Span<UInt8>, _ head: RequestHead, isLast: Bool) -> PlanSerializer.Client {
        client(bytes, head, origin: origin(bytes, head), isLast: isLast)
    }

    func client(_ bytes: Span<UInt8>, _ head: RequestHead, _ context: AnswerContext) -> PlanSerializer.Client {
        client(bytes, head, origin: context.origin, isLast: context.isLast)
    }

    private func client(
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

/// What an answer depends on besides the request.
struct AnswerContext {
    let state: ServingState
    /// The origin of the page that sent the request.
    let origin: Range<Int>?
    /// Whether the connection closes after the answer, regardless of the client.
    let isLast: Bool
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
