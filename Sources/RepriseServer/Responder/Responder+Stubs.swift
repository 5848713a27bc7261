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
        of stubs: inout StubLookup?,
        _ precedence: StubCatalog.Precedence,
        to request: IncomingRequest,
        _ state: ServingState,
        _ limit: WorkLimit
    ) -> Reply? {
        let method = request.view.method
        guard let turn = stubs?.take(precedence, method: method, { facts(of: request, state, limit) }) else {
            return stubs?.facts?.isInterrupted == true ? .unfinished(turn: nil) : nil
        }
        return reply(of: turn, stubs?.facts, to: request, state, limit)
    }

    /// Returns the parts of a request that stub conditions compare, and that templates show.
    func facts(of request: IncomingRequest, _ state: ServingState, _ limit: WorkLimit) -> DecodedRequest {
        DecodedRequest(
            OwnedRequest(request.view),
            scheme: request.view.isSecureThroughProxy ?? isSecure ? "https" : "http",
            clientIP: request.peer,
            basePath: state.session?.id.removedPrefix(of: request.view) ?? "",
            limit: limit
        )
    }

    /// Returns the reply of a stub whose turn was taken.
    ///
    /// - Parameter known: The request, if it was decoded already.
    func reply(
        of turn: StubLookup.Turn,
        _ known: DecodedRequest? = nil,
        to request: IncomingRequest,
        _ state: ServingState,
        _ limit: WorkLimit
    ) -> Reply? {
        let answers = turn.layer.answers
        let served = turn.layer.stubs[turn.stub]
        let stub = served.stub
        let number = state.index.entries.count + served.entry.number
        var played = JournalRing.Answer(
            fixture: turn.stub,
            ordinal: turn.ordinal,
            status: answers.status(of: turn.stub),
            stub: served
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
            let facts = known ?? facts(of: request, state, limit)
            let plan = template.plan(for: facts, pathTemplate: stub.rule.request.pathTemplate, ordinal: turn.ordinal)
            return facts.isInterrupted ? .unfinished(turn: turn) : replying(with: plan)
        case .proxy(let proxy):
            // A target without a path cannot be appended to a URL.
            if request.head.form == .authority { return .response(.noTunnel) }
            guard request.head.form != .asterisk else { return nil }
            let facts = known ?? facts(of: request, state, limit)
            do {
                let path = stub.rule.request.pathTemplate
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
