// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseReplay
internal import RepriseStubAnswers

/// Runs a test repeatedly with the same responses in different chunks.
struct ChunkingTrial {
    private let fixtures: [Fixture]
    private let stubs: [StubFixture]
    private let configuration: ReplayingTransport.Configuration
    /// The content of the fixtures that were used in the first run.
    private(set) var contents: [Int: [UInt8]] = [:]
    private var runs = 0

    /// A place at which a body is cut.
    struct Cut: Hashable, Sendable {
        let fixture: Int
        let offset: Int
    }

    /// How the responses are split into chunks.
    enum Chunking {
        case recorded
        case same(ReplayingTransport.Chunking)
        case cuts([Cut])
    }

    /// The largest body to cut at particular bytes. Failures with larger bodies are reported as they were found.
    private static let maximumContent = 1 << 20
    /// The maximum number of runs while searching for the smallest failure.
    private static let maximumRuns = 400

    init(_ fixtures: [Fixture], stubs: [StubFixture] = [], _ configuration: ReplayingTransport.Configuration) {
        self.fixtures = fixtures
        self.stubs = stubs
        self.configuration = configuration
    }

    /// The chunkings to try, once the first run has shown which fixtures are used.
    var chunkings: [Chunking] {
        let all: [ReplayingTransport.Chunking] =
            [.coalesced, .bytes(1), .bytes(2), .bytes(3), .bytes(7)] + (1...8).map { .seeded($0) }
        let places = [cuts(inside: ByteSeam.isInsideCharacter), cuts(inside: ByteSeam.isInsideLineEnd)]
        return places.filter { !$0.isEmpty }.map { .cuts($0) } + all.map { .same($0) }
    }

    // MARK: Runs

    /// Runs the test once. Except with the recorded chunks, its failures are not failures of the enclosing test.
    mutating func run<Value>(
        _ chunking: Chunking,
        _ body: (any Transport) async throws -> Value
    ) async -> TrialOutcome<Value> {
        runs += 1
        let transport = transport(chunking)
        var isRecorded = false
        if case .recorded = chunking { isRecorded = true }
        let outcome = await TrialOutcome.running(
            with: transport,
            clock: Ambient.clock,
            named: fixtures.first?.source.file ?? "withEveryChunking",
            hidesFailures: !isRecorded
        ) {
            try await body(transport)
        }
        if isRecorded { keepContents(playedBy: transport) }
        return outcome
    }

    /// Runs the test and returns how it failed; nil if it succeeded.
    mutating func fault<Value: Equatable>(
        with chunking: Chunking,
        expecting expected: Value,
        _ body: (any Transport) async throws -> Value
    ) async -> ChunkingFailure.Fault? {
        let outcome = await run(chunking, body)
        switch outcome.result {
        case .failure(let error): return .thrown(error)
        case .success(let value) where value != expected: return .different(expected: "\(expected)", found: "\(value)")
        case .success: return outcome.failure.map { .recorded($0) }
        }
    }

    private func transport(_ chunking: Chunking) -> ReplayingTransport {
        var configuration = configuration
        switch chunking {
        case .recorded: configuration.chunking = .recorded
        case .same(let chunking): configuration.chunking = chunking
        case .cuts(let cuts):
            let places = Dictionary(grouping: cuts, by: \.fixture).mapValues { $0.map(\.offset) }
            return ReplayingTransport(fixtures: fixtures, stubs: stubs, configuration: configuration) {
                .cuts(places[$0] ?? [])
            }
        }
        return ReplayingTransport(fixtures: fixtures, stubs: stubs, configuration: configuration)
    }

    private mutating func keepContents(playedBy transport: ReplayingTransport) {
        for fixture in transport.played {
            let bytes = fixtures[fixture].plan.content { _ in [] } ?? []
            if !bytes.isEmpty, bytes.count <= Self.maximumContent { contents[fixture] = bytes }
        }
    }

    private func cuts(inside isSeam: (Span<UInt8>, Int) -> Bool) -> [Cut] {
        contents.keys.sorted().flatMap { fixture in
            let content = contents[fixture, default: []][...]
            return (1..<max(content.count, 1)).filter { isSeam(content.span, $0) }.map {
                Cut(fixture: fixture, offset: $0)
            }
        }
    }

    // MARK: The smallest failure

    /// Finds the failure with as few cuts as possible (Zeller and Hildebrandt, "Simplifying and Isolating
    /// Failure-Inducing Input", 2002).
    mutating func smallestFailure<Value: Equatable>(
        from chunking: Chunking,
        _ fault: ChunkingFailure.Fault,
        expecting expected: Value,
        _ body: (any Transport) async throws -> Value
    ) async -> ChunkingFailure {
        var cuts = cuts(of: chunking)
        guard var smallest = await self.fault(with: .cuts(cuts), expecting: expected, body) else {
            return ChunkingFailure(chunking, fault)
        }
        if let fault = await self.fault(with: .cuts([]), expecting: expected, body) {
            return failure([], fault)
        }
        var parts = 2
        search: while cuts.count > 1, runs < Self.maximumRuns {
            let size = (cuts.count + parts - 1) / parts
            let starts = stride(from: 0, to: cuts.count, by: size)
            for candidate in starts.map({ Array(cuts[$0..<min($0 + size, cuts.count)]) }) {
                guard let fault = await self.fault(with: .cuts(candidate), expecting: expected, body) else { continue }
                (cuts, smallest, parts) = (candidate, fault, 2)
                continue search
            }
            for start in starts where parts > 2 {
                let candidate = Array(cuts[..<start] + cuts[min(start + size, cuts.count)...])
                guard let fault = await self.fault(with: .cuts(candidate), expecting: expected, body) else { continue }
                (cuts, smallest, parts) = (candidate, fault, max(parts - 1, 2))
                continue search
            }
            if size == 1 { break }
            parts = min(parts * 2, cuts.count)
        }
        return failure(cuts, smallest)
    }

    private func cuts(of chunking: Chunking) -> [Cut] {
        switch chunking {
        case .recorded: []
        case .cuts(let cuts): cuts
        case .same(let chunking):
            contents.keys.sorted().flatMap { fixture in
                chunking.offsets(in: contents[fixture, default: []]).map { Cut(fixture: fixture, offset: $0) }
            }
        }
    }

    private func failure(_ cuts: [Cut], _ fault: ChunkingFailure.Fault) -> ChunkingFailure {
        let reported = cuts.sorted { ($0.fixture, $0.offset) < ($1.fixture, $1.offset) }.map { cut in
            ChunkingFailure.Cut(
                request: fixtures[cut.fixture].pattern.summary,
                source: fixtures[cut.fixture].source,
                content: contents[cut.fixture, default: []],
                offset: cut.offset
            )
        }
        return ChunkingFailure(reported, fault)
    }
}

/// Places in content where a cut is likely to cause failures.
enum ByteSeam {
    /// Whether a UTF-8 sequence (RFC 3629 section 3) continues at `offset`.
    static func isInsideCharacter(_ content: Span<UInt8>, _ offset: Int) -> Bool {
        isContinuation(content[offset]) && (content[offset - 1] >= 0xC2 || isContinuation(content[offset - 1]))
    }

    /// Whether `offset` is between CR and LF.
    static func isInsideLineEnd(_ content: Span<UInt8>, _ offset: Int) -> Bool {
        content[offset - 1] == 0x0D && content[offset] == 0x0A
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
