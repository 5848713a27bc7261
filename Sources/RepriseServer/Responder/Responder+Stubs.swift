// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText
internal import RepriseWire

extension Responder {
    /// Returns the answer of a stub, and counts it; nil if no stub answers.
    func answer(
        _ stubs: StubLookup,
        _ precedence: StubCatalog.Precedence,
        _ request: RequestView,
        _ head: RequestHead,
        _ context: AnswerContext,
        date: () -> [UInt8]
    ) -> Answer? {
        guard let turn = stubs.take(precedence) else {
            return stubs.facts.isInterrupted ? .unfinished(turn: nil) : nil
        }
        return answer(turn, stubs.facts, request.head, head, context, date: date)
    }

    /// Returns the answer of a stub whose turn was taken, but whose answer could not be finished.
    func answer(
        _ turn: StubLookup.Turn,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8>,
        state: ServingState,
        isLast: Bool,
        date: () -> [UInt8],
        peer: () -> String,
        limit: WorkLimit
    ) -> Answer? {
        let request = RequestView(head: bytes, ranges: head.ranges, content: content)
        let facts = StubLookup.facts(request, state, isSecure: isSecure, peer: peer, limit: limit)
        let context = AnswerContext(state: state, origin: origin(bytes, head), isLast: isLast)
        return answer(turn, facts, bytes, head, context, date: date)
    }

    /// Returns the answer of a stub whose turn was taken.
    private func answer(
        _ turn: StubLookup.Turn,
        _ facts: StubRequestFacts,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ context: AnswerContext,
        date: () -> [UInt8]
    ) -> Answer? {
        let state = context.state
        let answers = turn.layer.answers
        let entry = turn.layer.catalog.entries[turn.stub]
        let stub = entry.stub
        let number = state.index.entries.count + entry.number
        var played = JournalRing.Answer(
            fixture: turn.stub,
            ordinal: turn.ordinal,
            status: answers.status(of: turn.stub),
            stub: entry
        )
        let client = client(bytes, head, context)
        switch stub.answer.kind {
        case .plan:
            if let plan = stub.answer.plan(ofFirstAnswer: turn.ordinal) {
                played.status = plan.head?.status ?? 0
                played.kept = KeptAnswer(plan)
                let script = serializer.script(for: plan, to: client)
                return delayed(.script(script, played), stub, number, turn.ordinal, plan: plan, state)
            }
            if delay == nil, stub.answer.delay == nil, state.generalDelay == nil {
                if client.isPlain, let block = answers.block(of: turn.stub) {
                    return .block(block, of: answers, played)
                }
                return answer(played, of: answers, bytes, head, context, date: date)
            }
            let script = answers.script(of: turn.stub, to: client, date: [])
            return delayed(.script(script, played), stub, number, turn.ordinal, plan: stub.answer.plan, state)
        case .template(let template):
            let plan = template.plan(for: facts, pathTemplate: stub.request.pathTemplate, ordinal: turn.ordinal)
            if facts.isInterrupted { return .unfinished(turn: turn) }
            played.status = plan.head?.status ?? 0
            played.kept = KeptAnswer(plan)
            let script = serializer.script(for: plan, to: client)
            return delayed(.script(script, played), stub, number, turn.ordinal, plan: plan, state)
        case .proxy(let proxy):
            // A target without a path cannot be appended to a URL.
            if head.form == .authority { return own(.noTunnel, bytes, head, context, date: date) }
            guard head.form != .asterisk else { return nil }
            let delay = delay(of: stub, number, turn.ordinal, plan: nil, state)
            do {
                let path = stub.request.pathTemplate
                let target = try proxy.target(for: facts, pathTemplate: path, ordinal: turn.ordinal)
                return facts.isInterrupted ? .unfinished(turn: turn) : .forwarded(.stub(target, delay: delay, played))
            } catch {
                if facts.isInterrupted { return .unfinished(turn: turn) }
                return own(.noResponse("\(error)"), bytes, head, context, date: date)
            }
        }
    }

    /// Returns an answer after the delays of the stub and of the server.
    private func delayed(
        _ answer: Answer,
        _ stub: StubFixture,
        _ number: Int,
        _ ordinal: Int,
        plan: ResponsePlan?,
        _ state: ServingState
    ) -> Answer {
        let nanoseconds = delay(of: stub, number, ordinal, plan: plan, state)
        return nanoseconds == 0 ? answer : answer.delayed(byNanoseconds: nanoseconds)
    }

    /// Returns the nanoseconds before the head of an answer.
    private func delay(
        of stub: StubFixture,
        _ number: Int,
        _ ordinal: Int,
        plan: ResponsePlan?,
        _ state: ServingState
    ) -> UInt64 {
        var nanoseconds = delay?.nanoseconds(sequence: number, ordinal: ordinal) ?? 0
        let general = state.generalDelay.flatMap { StubHeadDelay($0.without(stub.mapping.response.delay)) }
        guard stub.answer.delay != nil || general != nil else { return nanoseconds }
        var random = StubRandom(seed: stubSeed, stub: stub.id, ordinal: ordinal)
        if let delay = stub.answer.delay { nanoseconds += delay.duration(of: plan, &random).wholeNanoseconds }
        if let general { nanoseconds += general.duration(of: nil, &random).wholeNanoseconds }
        return nanoseconds
    }
}

extension StubDelay {
    /// The parts of the delay of all stubs that a stub does not replace with its own.
    fileprivate func without(_ own: StubDelay?) -> StubDelay {
        StubDelay(
            fixed: own?.fixed == nil ? fixed : nil,
            distribution: own?.distribution == nil ? distribution : nil
        )
    }
}

extension PlanSerializer.Client {
    /// Whether a prepared block can be sent to the client unchanged.
    fileprivate var isPlain: Bool {
        minorVersion == 1 && isKeepAlive && !wantsHeadOnly && origin == nil
    }
}
