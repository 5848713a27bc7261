// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseStubMatching
internal import RepriseText
internal import RepriseWire

/// The stubs that can answer one request.
struct StubLookup {
    let serving: StubServing
    let candidates: StubCatalog.Candidates
    let facts: StubRequestFacts

    /// Returns nil if no stub has the target of the request.
    init?(_ serving: StubServing, _ request: RequestView, isSecure: Bool, peer: () -> String) {
        candidates = serving.catalog.candidates(request)
        guard !candidates.isEmpty else { return nil }
        self.serving = serving
        facts = Self.facts(request, isSecure: isSecure, peer: peer)
    }

    /// Returns what the conditions of stubs look at in a request.
    static func facts(_ request: RequestView, isSecure: Bool, peer: () -> String) -> StubRequestFacts {
        StubRequestFacts(OwnedRequest(request), scheme: isSecure ? "https" : "http", clientIP: peer())
    }
}

extension Responder {
    /// Returns the answer of a stub; nil if none answers. Takes a turn of the stub.
    func answer(
        _ stubs: StubLookup,
        _ precedence: StubCatalog.Precedence,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        origin: Range<Int>?,
        state: ServingState,
        isLast: Bool,
        date: () -> [UInt8]
    ) -> Answer? {
        let (catalog, play) = (stubs.serving.catalog, stubs.serving.play)
        guard let turn = catalog.take(stubs.candidates, precedence, stubs.facts, play) else { return nil }
        let stub = catalog.stubs[turn.stub]
        let number = state.number(ofStub: turn.stub)
        var played = JournalRing.Answer(
            fixture: number,
            ordinal: turn.ordinal,
            status: state.status(of: number),
            generation: state.generation
        )
        let client = self.client(bytes, head, origin: origin, isLast: isLast)
        switch stub.answer.kind {
        case .plan:
            if delay == nil, stub.answer.delay == nil {
                if client.isPlain, let block = state.block(of: number) { return .block(block, of: state, played) }
                return answer(played, bytes, head, origin: origin, state: state, isLast: isLast, date: date)
            }
            let script = state.script(of: number, to: client, date: [])
            return delayed(.script(script, played), stub, number, turn.ordinal)
        case .template(let template):
            let plan = template.plan(
                for: stubs.facts,
                pathTemplate: stub.request.pathTemplate,
                ordinal: turn.ordinal
            )
            played.status = plan.head?.status ?? 0
            let script = serializer.script(for: plan, to: client)
            return delayed(.script(script, played), stub, number, turn.ordinal)
        case .proxy(let proxy):
            guard let source = stubProxies?.source(for: proxy, stub, stubs.facts, ordinal: turn.ordinal) else {
                let reason = "the stub's proxyBaseUrl is invalid"
                return own(.noResponse(reason), bytes, head, isLast: isLast, date: date())
            }
            return .source(source)
        }
    }

    /// Returns an answer after the delays of the stub and of the server.
    private func delayed(_ answer: Answer, _ stub: StubFixture, _ number: Int, _ ordinal: Int) -> Answer {
        var nanoseconds = delay?.nanoseconds(sequence: number, ordinal: ordinal) ?? 0
        if let delay = stub.answer.delay {
            var random = StubRandom(seed: stubSeed, stub: stub.id, ordinal: ordinal)
            nanoseconds += delay.duration(&random).wholeNanoseconds
        }
        return nanoseconds == 0 ? answer : answer.delayed(byNanoseconds: nanoseconds)
    }
}

extension PlanSerializer.Client {
    /// Whether the client takes a response as it is in a block.
    fileprivate var isPlain: Bool {
        minorVersion == 1 && isKeepAlive && !wantsHeadOnly && origin == nil
    }
}
