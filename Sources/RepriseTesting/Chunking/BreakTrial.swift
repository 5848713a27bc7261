// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseReplay
internal import RepriseText

/// Runs a test with a stream that ends early.
struct BreakTrial {
    private let fixtures: [Fixture]
    private let configuration: ReplayingTransport.Configuration
    private let limit: Duration

    /// The stream of one fixture.
    struct Stream {
        let fixture: Int
        let request: String
        let source: FixtureSource
        let events: Int
        let count: Int

        /// The places to break at, from the first.
        var places: [Bend.Place] { (0...events).map { $0 == 0 ? .start : .afterEvent($0) } }

        /// Returns places after random bytes, from the first.
        func sample(_ number: Int, seed: UInt64) -> [Bend.Place] {
            guard number > 0, count > 0 else { return [] }
            guard number < count else { return (0..<count).map { .afterByte($0) } }
            var random = SplitMix64(seed: seed)
            var offsets: Set<Int> = []
            for _ in 0..<number { offsets.insert(Int.random(in: 0..<count, using: &random)) }
            return offsets.sorted().map { .afterByte($0) }
        }

        func breaks(at place: Bend.Place) -> [Break] {
            [Bend.Edit.reset, .truncate].map { Break(stream: self, bend: Bend(place, $0)) }
        }
    }

    /// A place and the way in which a stream breaks off there.
    struct Break {
        let stream: Stream
        let bend: Bend
    }

    /// The outcome of a run.
    struct Outcome<Value: Sendable> {
        /// What the test returned or threw; nil if it hung.
        var result: Result<Value, any Error>?
        /// The first failed expectation, if any.
        var failure: String?
        var transport: ReplayingTransport
    }

    init(_ fixtures: [Fixture], _ configuration: ReplayingTransport.Configuration, limit: Duration) {
        self.fixtures = fixtures
        self.configuration = configuration
        self.limit = limit
    }

    /// Returns the streams that a run used, in file order.
    func streams(playedBy transport: ReplayingTransport) throws(BreakFailure) -> [Stream] {
        var streams: [Stream] = []
        for number in transport.played.sorted() where fixtures.indices.contains(number) {
            guard let size = fixtures[number].plan.streamSize else { continue }
            let fixture = fixtures[number]
            streams.append(
                Stream(
                    fixture: number,
                    request: fixture.pattern.summary,
                    source: fixture.source,
                    events: size.events,
                    count: size.bytes
                )
            )
        }
        guard !streams.isEmpty else { throw BreakFailure(nil, .noStream) }
        return streams
    }

    /// Runs the test once. If the stream is cut, failed expectations are not failures of the enclosing test.
    func run<Value: Sendable>(
        _ broken: Break?,
        _ body: @escaping @Sendable (any Transport) async throws -> Value
    ) async -> Outcome<Value> {
        var fixtures = fixtures
        if let broken, let plan = try? fixtures[broken.stream.fixture].plan.bent(by: [broken.bend]) {
            fixtures[broken.stream.fixture].plan = plan
        }
        var configuration = configuration
        if configuration.clock == nil, configuration.pace == .instant { configuration.clock = VirtualClock() }
        let transport = ReplayingTransport(fixtures: fixtures, configuration: configuration)
        let run = await TrialOutcome.running(
            with: transport,
            clock: transport.clock ?? Ambient.clock,
            named: fixtures.first?.source.file ?? "withEveryBreak",
            hidesFailures: broken != nil
        ) {
            try await limited { try await body(transport) }
        }
        let outcome: Result<Value, any Error>? =
            switch run.result {
            case .success(let value?): .success(value)
            case .success(nil): nil
            case .failure(let error): .failure(error)
            }
        return Outcome(result: outcome, failure: run.failure, transport: transport)
    }

    /// Runs `body` for at most the time limit. Returns nil if it is canceled then.
    private func limited<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value? {
        let limit = limit
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await ContinuousClock().sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Runs the test with each break and returns the first that makes it fail; nil if none does.
    func fault<Value: Equatable & Sendable>(
        at breaks: [Break],
        expecting expected: Value,
        _ body: @escaping @Sendable (any Transport) async throws -> Value
    ) async -> (Break, BreakFailure.Fault)? {
        for broken in breaks {
            let outcome = await run(broken, body)
            guard let result = outcome.result else { return (broken, .hung(limit)) }
            if let failure = outcome.failure { return (broken, .recorded(failure)) }
            if case .success(let value) = result, value != expected {
                return (broken, .different(expected: "\(expected)", found: "\(value)"))
            }
        }
        return nil
    }

    /// Finds the earliest break that fails. Only a break after a byte needs a search, because the sample skips bytes.
    func smallest<Value: Equatable & Sendable>(
        from place: Bend.Place,
        _ broken: Break,
        _ fault: BreakFailure.Fault,
        in stream: Stream,
        expecting expected: Value,
        _ body: @escaping @Sendable (any Transport) async throws -> Value
    ) async -> BreakFailure {
        var smallest = (broken, fault)
        if case .afterByte(var offset) = place {
            // A run that hangs takes the whole time limit, so its break is reported without a search.
            while offset > 0, !fault.isHang,
                let found = await self.fault(at: stream.breaks(at: .afterByte(offset - 1)), expecting: expected, body)
            {
                (offset, smallest) = (offset - 1, found)
            }
        }
        return BreakFailure(smallest.0, smallest.1)
    }
}

extension ResponsePlan {
    /// The numbers of events and bytes; nil if this is not a stream of events.
    fileprivate var streamSize: (events: Int, bytes: Int)? {
        guard let events = try? eventCount() else { return nil }
        let bytes = steps.reduce(0) { sum, step in
            if case .bytes(let source) = step { sum + source.count } else { sum }
        }
        return (events, bytes)
    }
}
