// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseLocking
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseText

/// The stubs of a replay, and their state, which requests change.
final class ReplayStubs: Sendable {
    let stubs: [StubFixture]
    private let catalog: StubCatalog
    private let needsContent: Bool
    private let play: StubState
    private let seed: UInt64?
    private let chunking: @Sendable (_ stub: Int) -> ReplayingTransport.Chunking
    /// The prepared answers of the stubs used so far, if they answer every request in the same way.
    private let prepared: Locked<[PreparedAnswer?]>

    /// The stubs that can answer one request.
    struct Lookup {
        fileprivate let candidates: StubCatalog.Candidates
        fileprivate let facts: DecodedRequest
    }

    /// One use of a stub.
    struct Turn: Sendable {
        let stub: Int
        /// The number of the answer of this stub, starting at 1.
        let ordinal: Int
        let answer: Answer
        /// The time before the head.
        let delay: Duration
    }

    /// What answers.
    enum Answer: Sendable {
        case prepared(PreparedAnswer)
        case proxy(Result<StubProxy.Target, StubAnswerError>)
    }

    /// Returns nil if there are no stubs.
    init?(
        _ stubs: [StubFixture],
        seed: UInt64?,
        chunking: @escaping @Sendable (_ stub: Int) -> ReplayingTransport.Chunking
    ) {
        guard !stubs.isEmpty else { return nil }
        self.stubs = stubs
        catalog = StubCatalog(stubs.map(\.rule))
        needsContent = stubs.contains(where: \.needsContent)
        play = StubState()
        self.seed = seed
        self.chunking = chunking
        prepared = Locked(Array(repeating: nil, count: stubs.count))
    }

    /// Whether an answer depends on the request's body.
    func needsBody(_ request: OwnedRequest) -> Bool {
        needsContent && !catalog.candidates(request.view).isEmpty
    }

    /// - Parameters:
    ///   - request: The request with its body.
    ///   - original: The request with all header lines.
    func lookup(_ request: OwnedRequest, _ original: HTTPRequest) -> Lookup? {
        let candidates = catalog.candidates(request.view)
        return candidates.isEmpty ? nil : Lookup(candidates: candidates, facts: facts(request, original))
    }

    private func facts(_ request: OwnedRequest, _ original: HTTPRequest) -> DecodedRequest {
        var whole = OwnedRequest(original, hasAllLines: true)
        whole.content = request.content
        whole.isContentComplete = request.isContentComplete
        return DecodedRequest(whole, scheme: original.scheme?.lowercased() == "https" ? "https" : "http")
    }

    /// Takes the answer of the first stub that matches a request and is ready; nil if there is none.
    func take(_ lookup: Lookup, _ precedence: StubCatalog.Precedence) -> Turn? {
        let method = lookup.facts.method.span
        let taken = catalog.take(lookup.candidates, precedence, method: method, play) { lookup.facts }
        guard let (number, ordinal) = taken else { return nil }
        let stub = stubs[number]
        let answer: Answer
        var played = stub.answer.plan
        switch stub.answer.kind {
        case .plan(let plan):
            if let first = stub.answer.plan(ofFirstAnswer: ordinal) {
                answer = .prepared(PreparedAnswer(stub: first, chunking: chunking(number)))
                played = first
            } else {
                answer = .prepared(prepare(plan, of: number))
            }
        case .template(let template):
            let plan = template.plan(for: lookup.facts, pathTemplate: stub.rule.request.pathTemplate, ordinal: ordinal)
            answer = .prepared(PreparedAnswer(stub: plan, chunking: chunking(number)))
            played = plan
        case .proxy(let proxy):
            answer = .proxy(
                Result { () throws(StubAnswerError) in
                    try proxy.target(for: lookup.facts, pathTemplate: stub.rule.request.pathTemplate, ordinal: ordinal)
                }
            )
        }
        let delay = delay(of: stub, ordinal: ordinal, plan: played)
        return Turn(stub: number, ordinal: ordinal, answer: answer, delay: delay)
    }

    private func prepare(_ plan: ResponsePlan, of stub: Int) -> PreparedAnswer {
        if let answer = prepared.withLock({ $0[stub] }) { return answer }
        let answer = PreparedAnswer(stub: plan, chunking: chunking(stub))
        prepared.withLock { $0[stub] = answer }
        return answer
    }

    /// Returns the same delay as the server, for the same seed.
    private func delay(of stub: StubFixture, ordinal: Int, plan: ResponsePlan?) -> Duration {
        guard let delay = stub.answer.delay else { return .zero }
        var random = StubRandom(seed: seed, stub: stub.id, ordinal: ordinal)
        return delay.duration(of: plan, &random)
    }

    /// Returns the stubs nearest to a request that none of them answers, without secrets.
    func nearStubs(
        _ request: OwnedRequest,
        _ original: HTTPRequest,
        hiding hide: @escaping (MissReport.Part) -> [UInt8]?
    ) -> [NearStub] {
        catalog.nearStubs(facts(request, original), play, hiding: hide)
    }
}

extension PreparedAnswer {
    fileprivate convenience init(stub plan: ResponsePlan, chunking: ReplayingTransport.Chunking) {
        self.init(plan, chunking: chunking, failureDelay: nil, isRecorded: false)
    }
}
