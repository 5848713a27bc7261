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
    /// Returns the reply of a stub, and counts it; nil if no stub answers.
    func reply(
        of stubs: StubLookup,
        _ precedence: StubCatalog.Precedence,
        to request: IncomingRequest,
        _ state: ServingState
    ) -> Reply? {
        guard let turn = stubs.take(precedence) else {
            return stubs.facts.isInterrupted ? .unfinished(turn: nil) : nil
        }
        return reply(of: turn, stubs.facts, to: request, state)
    }

    /// Returns the reply of a stub whose turn was taken, but whose reply could not be finished.
    func reply(
        of turn: StubLookup.Turn,
        to request: IncomingRequest,
        _ state: ServingState,
        _ limit: WorkLimit
    ) -> Reply? {
        let peer = request.peer
        let facts = StubLookup.facts(request.view, state, isSecure: isSecure, peer: { peer }, limit: limit)
        return reply(of: turn, facts, to: request, state)
    }

    /// Returns the reply of a stub whose turn was taken.
    private func reply(
        of turn: StubLookup.Turn,
        _ facts: StubRequestFacts,
        to request: IncomingRequest,
        _ state: ServingState
    ) -> Reply? {
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
        func delay(_ plan: ResponsePlan?) -> UInt64 { self.delay(of: stub, number, turn.ordinal, plan: plan, state) }
        func replying(with plan: ResponsePlan) -> Reply {
            played.status = plan.head?.status ?? 0
            played.kept = KeptAnswer(plan)
            return .plan(plan, played, Reply.PlanTraits(delay: ReplyDelay(delay(plan))))
        }
        switch stub.answer.kind {
        case .plan:
            if let plan = stub.answer.plan(ofFirstAnswer: turn.ordinal) { return replying(with: plan) }
            if self.delay == nil, stub.answer.delay == nil, state.generalDelay == nil {
                return reply(played, of: answers, to: request)
            }
            return .fixture(played, of: answers, ReplyDelay(delay(stub.answer.plan)))
        case .template(let template):
            let plan = template.plan(for: facts, pathTemplate: stub.request.pathTemplate, ordinal: turn.ordinal)
            return facts.isInterrupted ? .unfinished(turn: turn) : replying(with: plan)
        case .proxy(let proxy):
            // A target without a path cannot be appended to a URL.
            if request.head.form == .authority { return .response(.noTunnel) }
            guard request.head.form != .asterisk else { return nil }
            do {
                let path = stub.request.pathTemplate
                let target = try proxy.target(for: facts, pathTemplate: path, ordinal: turn.ordinal)
                return facts.isInterrupted
                    ? .unfinished(turn: turn) : .forwarded(.stub(target, delay: delay(nil), played))
            } catch {
                return facts.isInterrupted ? .unfinished(turn: turn) : .response(.noResponse("\(error)"))
            }
        }
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

extension ReplyDelay {
    /// The delay of a stub, if it has one.
    fileprivate init(_ nanoseconds: UInt64) {
        self.init(replacement: nanoseconds == 0 ? nil : nanoseconds)
    }
}
