// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseLocking
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseText

/// The fixtures of a replay. The catalog finds the answer to each request and logs it.
final class ReplayCatalog: Sendable {
    let fixtures: [Fixture]
    let index: FixtureIndex
    /// The stubs; nil if there are none.
    let stubs: ReplayStubs?
    private let play: SequenceState
    let rules: MatchingRules
    /// Hides secrets in reports of misses.
    let hide: @Sendable (MissReport.Part) -> [UInt8]?
    /// Whether handwritten fixtures repeat their last answer even if the recorded ones don't.
    private let repeatsHandwritten: Bool
    private let chunking: @Sendable (Int) -> ReplayingTransport.Chunking
    private let state: Locked<State>

    private struct State {
        var answers: [PreparedAnswer?]
        var isUsed: [Bool]
        var log = ReplayLog()
    }

    /// One use of a fixture or stub.
    struct Turn: Sendable {
        /// The number of the fixture. Stubs follow the fixtures.
        let fixture: Int
        let answer: PreparedAnswer
        /// Whether this is the fixture's first use. Always false for a stub, which has no recorded time.
        let isFirst: Bool
        /// Whether only the head is returned, because the request is a HEAD request.
        var isHeadOnly = false
        /// The time before the answer, besides that of the answer itself.
        var delay = Duration.zero
    }

    /// The result of looking up a request.
    enum Outcome {
        case answer(Turn)
        case options([String])
        case proxy(ProxyTurn)
        /// Nothing answers the request as it was compared last: without its content coding, if it has one.
        case miss(OwnedRequest)
    }

    /// One use of a stub whose answer is that of another server.
    struct ProxyTurn: Sendable {
        /// The number of the stub, which follows the fixtures.
        let fixture: Int
        let stub: StubFixture
        /// Where and how the request is sent, or why that is unknown.
        let target: Result<StubProxy.Target, StubAnswerError>
        let delay: Duration
    }

    init(
        _ fixtures: [Fixture],
        stubs: [StubFixture],
        _ configuration: ReplayingTransport.Configuration,
        chunking: @escaping @Sendable (Int) -> ReplayingTransport.Chunking
    ) {
        let rules = configuration.rules(for: fixtures)
        self.rules = rules
        hide = MissReport.hidingSecrets(configuration.redaction ?? .standard)
        repeatsHandwritten = configuration.afterLast == nil
        self.chunking = chunking
        self.fixtures = fixtures
        index = FixtureIndex(fixtures, options: rules.options)
        play = SequenceState(index)
        let count = fixtures.count
        self.stubs = ReplayStubs(stubs, seed: configuration.stubs.seed) { chunking(count + $0) }
        state = Locked(
            State(
                answers: Array(repeating: nil, count: fixtures.count),
                isUsed: Array(repeating: false, count: fixtures.count)
            )
        )
    }

    /// Whether matching depends on the request's body.
    func needsBody(_ request: OwnedRequest) -> Bool {
        !rules.custom.isEmpty || index.needsBody(request.view) || stubs?.needsBody(request) == true
    }

    /// Whether matching may depend on header lines other than the Content-Type.
    func needsHeaderLines(_ request: HTTPRequest) -> Bool {
        !rules.options.headerNames.isEmpty || index.readsHeaders || request.headerFields[.contentEncoding] != nil
    }

    /// Returns the answer to a complete request. A hit advances its sequence.
    ///
    /// The order is that of the server: first stubs with the default priority or a lower number, then recordings and
    /// route files, and then the other stubs.
    func outcome(_ request: OwnedRequest, _ original: HTTPRequest) -> Outcome {
        guard let stubs, let lookup = stubs.lookup(request, original) else {
            return recordedOutcome(request, original)
        }
        if let turn = stubs.take(lookup, .early) { return outcome(of: turn, stubs, original) }
        let outcome = recordedOutcome(request, original)
        guard case .miss = outcome, let turn = stubs.take(lookup, .late) else { return outcome }
        return self.outcome(of: turn, stubs, original)
    }

    private func outcome(of turn: ReplayStubs.Turn, _ stubs: ReplayStubs, _ original: HTTPRequest) -> Outcome {
        let number = fixtures.count + turn.stub
        state.withLock { $0.log.append(ReplayLog.Entry(fixture: number, ordinal: turn.ordinal, sequence: nil)) }
        switch turn.answer {
        case .prepared(let answer):
            let isHeadOnly = original.method == .head
            return .answer(
                Turn(fixture: number, answer: answer, isFirst: false, isHeadOnly: isHeadOnly, delay: turn.delay)
            )
        case .proxy(let target):
            let stub = stubs.stubs[turn.stub]
            return .proxy(ProxyTurn(fixture: number, stub: stub, target: target, delay: turn.delay))
        }
    }

    private func recordedOutcome(_ request: OwnedRequest, _ original: HTTPRequest) -> Outcome {
        let outcome = outcome(as: request, original)
        guard case .miss = outcome, let decoded = decoded(request) else { return outcome }
        return self.outcome(as: decoded, original)
    }

    private func outcome(as request: OwnedRequest, _ original: HTTPRequest) -> Outcome {
        let match = index.match(request)
        if let outcome = outcome(match, request, original) { return outcome }
        guard match != .miss else { return .miss(request) }
        for match in index.candidates(request.view).dropFirst() {
            if let outcome = outcome(match, request, original) { return outcome }
        }
        return .miss(request)
    }

    /// Returns the request without its content coding, as recordings have it; nil if it has none.
    private func decoded(_ request: OwnedRequest) -> OwnedRequest? {
        guard let content = DecodedContent.decoded(request.view, limit: index.maximumBodyCount) else { return nil }
        var decoded = request
        decoded.content = content
        return decoded
    }

    /// Returns the answer for a match; nil if there is no match, or if its sequence is exhausted.
    private func outcome(_ match: Match, _ request: OwnedRequest, _ original: HTTPRequest) -> Outcome? {
        switch match {
        case .hit(let sequence):
            return take(sequence, request, original).map { .answer(conditional($0, original)) }
        case .headFallback(let sequence):
            let (chosen, next) = play.next(of: sequence, for: request.view)
            guard let fixture = next.fixture ?? repeated(index[chosen].fixtures.last) else { return nil }
            var turn = state.withLock { state in self.turn(of: fixture, ordinal: 0, in: chosen, &state) }
            turn.isHeadOnly = true
            return .answer(conditional(turn, original))
        case .optionsFallback:
            return .options(index.allowedMethods(request.view))
        case .miss:
            return nil
        }
    }

    /// Returns the turn with the answer to a request with conditions, as the server gives it.
    private func conditional(_ turn: Turn, _ original: HTTPRequest) -> Turn {
        let plan = fixtures[turn.fixture].plan
        guard plan.evaluatesConditions,
            let conditions = RequestConditions(
                method: original.method.rawValue,
                { name in
                    HTTPField.Name(name).flatMap { original.headerFields[$0] }
                }
            ),
            let selected = plan.answering(conditions)
        else { return turn }
        let answer = PreparedAnswer(selected, chunking: chunking(turn.fixture), failureDelay: nil)
        return Turn(fixture: turn.fixture, answer: answer, isFirst: turn.isFirst, isHeadOnly: turn.isHeadOnly)
    }

    /// Returns the report of a miss, with the nearest fixtures and stubs. Secrets are hidden because the report ends up
    /// in logs.
    ///
    /// - Parameter compared: The request as it was compared last.
    func missReport(_ request: OwnedRequest, _ compared: OwnedRequest, _ original: HTTPRequest) -> MissReport {
        let near = stubs?.nearStubs(request, original, hiding: hide)
        var whole = OwnedRequest(original, hasAllLines: true)
        whole.content = compared.content
        return MissReport(
            index,
            whole,
            isDecoded: compared.content != request.content,
            play: play,
            stubs: near,
            hiding: hide
        )
    }

    var log: ReplayLog { state.withLock { $0.log } }

    var unused: [Int] {
        state.withLock { state in state.isUsed.indices.filter { !state.isUsed[$0] && !fixtures[$0].isRepeat } }
    }

    var used: [Int] { state.withLock { state in state.isUsed.indices.filter { state.isUsed[$0] } } }

    /// Logs a miss.
    ///
    /// - Parameter message: The message of the miss; nil if the request was passed through.
    func noteMiss(_ request: HTTPRequest, _ message: String?) {
        let summary = "\(request.method) \(shown(request.shownURL))"
        state.withLock {
            $0.log.append(ReplayReport.Miss(request: summary, message: message ?? "\(summary): passed through"))
        }
    }

    /// Returns a URL or a path without secrets.
    func shown(_ url: some StringProtocol) -> String {
        String(decoding: hide(.target(Array(url.utf8))) ?? [], as: UTF8.self)
    }

    private func take(_ sequence: FixtureSequence.ID, _ request: OwnedRequest, _ original: HTTPRequest) -> Turn? {
        if !rules.custom.isEmpty { return takeAgreeing(sequence, request, original.recorded(body: request.content)) }
        return state.withLock { state in
            // Take the next fixture under the lock, so that the log has the ordinals in order.
            let (chosen, next) = play.take(sequence, for: request.view)
            guard let fixture = next.fixture ?? repeated(index[chosen].fixtures.last) else { return nil }
            return turn(of: fixture, ordinal: next.ordinal, in: chosen, &state)
        }
    }

    /// Returns the last fixture of a sequence if it answers again; nil if not.
    private func repeated(_ last: Int?) -> Int? {
        last.flatMap { repeatsHandwritten && fixtures[$0].recording == nil ? $0 : nil }
    }

    /// Returns the next fixture of the sequence that agrees with the custom matchers. After the last one, `afterLast`
    /// applies.
    private func takeAgreeing(
        _ sequence: FixtureSequence.ID,
        _ request: OwnedRequest,
        _ incoming: RecordedRequest
    ) -> Turn? {
        @Sendable func agrees(_ fixture: Int) -> Bool {
            guard let recorded = fixtures[fixture].recording?.request else { return true }
            return rules.custom.allSatisfy { $0.agrees(recorded, incoming) }
        }
        let chosen = play.choose(sequence, for: request.view) { index[$0].fixtures.contains(where: agrees) }
        guard let sequence = chosen else { return nil }
        let agreeing = index[sequence].fixtures.filter(agrees)
        guard let first = agreeing.first else { return nil }
        return state.withLock { state in
            let count = state.log.turns[first, default: 0]
            var place = count
            if place >= agreeing.count {
                switch rules.options.afterLast {
                case .repeat: place = agreeing.count - 1
                case .restart: place %= agreeing.count
                case .miss:
                    guard repeated(agreeing.last) != nil else { return nil }
                    place = agreeing.count - 1
                }
            }
            state.log.turns[first] = count + 1
            return turn(of: agreeing[place], ordinal: count + 1, in: sequence, &state)
        }
    }

    private func turn(
        of fixture: Int,
        ordinal: Int,
        in sequence: FixtureSequence.ID,
        _ state: inout State
    ) -> Turn {
        let isFirst = !state.isUsed[fixture]
        state.isUsed[fixture] = true
        state.log.append(ReplayLog.Entry(fixture: fixture, ordinal: ordinal, sequence: sequence.number))
        if let answer = state.answers[fixture] { return Turn(fixture: fixture, answer: answer, isFirst: isFirst) }
        let time = fixtures[fixture].recording?.time
        let answer = PreparedAnswer(
            fixtures[fixture].plan,
            chunking: chunking(fixture),
            failureDelay: time?.milliseconds.map { .milliseconds($0) }
        )
        state.answers[fixture] = answer
        return Turn(fixture: fixture, answer: answer, isFirst: isFirst)
    }
}
