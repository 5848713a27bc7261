// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseRecording
@testable import RepriseText

/// Random exchanges, whose events are interleaved at random, are read back unchanged.
@Suite struct RecordingPropertyTests {
    private let folder = try! TemporaryFolder()

    @Test(arguments: 0..<25 as Range<UInt64>)
    func readsBackInterleavedExchanges(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...8, using: &random)
        var running = (0..<count).map { RunningExchange(number: $0, using: &random) }
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        var expected: [RunningExchange] = []
        var active: [RunningExchange] = []
        while !running.isEmpty || !active.isEmpty {
            if !running.isEmpty, active.isEmpty || Bool.random(using: &random) {
                var exchange = running.removeFirst()
                exchange.begin(recorder)
                active.append(exchange)
                continue
            }
            let index = Int.random(in: active.indices, using: &random)
            active[index].step()
            if active[index].isOver { expected.append(active.remove(at: index)) }
        }
        _ = try recorder.finish()
        let exchanges = try folder.exchanges()
        #expect(exchanges.count == count)
        for (exchange, expectation) in zip(exchanges, expected.sorted { $0.number < $1.number }) {
            #expect(exchange.withBodiesInMemory == expectation.expected)
        }
        let rewritten = try CassetteWriter.write(Cassette(exchanges: exchanges), to: folder.cassette)
        #expect(rewritten.bytes == Array(try folder.text("a.cassette.json").utf8))
    }
}

/// An exchange that is recorded one event at a time.
private struct RunningExchange {
    let number: Int
    private var time = Duration.seconds(1)
    private var recording: ExchangeRecording?
    private var requestPieces: [[UInt8]]
    private var pieces: [ScriptedExchange.Piece]
    private let headers: [HeaderLine]
    private let ending: Ending
    private let kind: String
    private let isChunked: Bool
    private var state = 0
    private(set) var expected: Exchange

    var isOver: Bool { state == 4 }

    init(number: Int, using random: inout SeededGenerator) {
        self.number = number
        kind = ["text/plain", "text/event-stream", "application/json"].randomElement(using: &random)!
        isChunked = Bool.random(using: &random)
        ending = [.complete, .complete, .complete, .reset, .timedOut].randomElement(using: &random)!
        let framing =
            isChunked ? HeaderLine(name: "Transfer-Encoding", value: "chunked") : HeaderLine(name: "x", value: "y")
        headers = [HeaderLine(name: "Content-Type", value: kind), framing]
        let sizes = [0, 1, 2, 50, 5000, 40_000]
        requestPieces = Self.many(using: &random) { random in
            Self.bytes(sizes.randomElement(using: &random)!, using: &random)
        }
        pieces = Self.many(using: &random) { random in
            ScriptedExchange.Piece(
                Self.bytes(max(1, sizes.randomElement(using: &random)!), using: &random),
                endsChunk: Bool.random(using: &random),
                after: Double(Int.random(in: 1...4, using: &random))
            )
        }
        let body = requestPieces.flatMap { $0 }
        let request = RecordedRequest(
            method: "POST",
            url: "http://example.com/\(number)",
            body: body.isEmpty ? nil : RecordedBody(.bytes(body))
        )
        expected = Exchange(request: request, outcome: .failure(.dns))
        expected.outcome = .response(response)
        let total = pieces.reduce(0) { $0 + $1.after }
        let start = RecordingTime.text(microsecondsSince1970: 1_795_251_600_000_000 + Int64(number) * 1_000_000)
        expected.recorded = RecordingTime(at: start, milliseconds: 1 + 5 + total + 1)
    }

    private static func many<Element>(
        using random: inout SeededGenerator,
        _ make: (inout SeededGenerator) -> Element
    ) -> [Element] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in make(&random) }
    }

    private static func bytes(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
        let isText = Bool.random(using: &random)
        let start = UInt8.random(in: 0...9, using: &random)
        return (0..<count).map { index in
            let byte = UInt8(truncatingIfNeeded: index) &+ start
            return isText ? UInt8(ascii: "0") + byte % 10 : byte
        }
    }

    /// The expected response, built in the simplest way.
    private var response: RecordedResponse {
        var chunks: [(after: Double, bytes: [UInt8])] = []
        var sum = 0.0
        var isOpen = false
        for piece in pieces {
            sum += piece.after
            if isOpen, isChunked {
                chunks[chunks.count - 1].bytes += piece.bytes
            } else {
                chunks.append((sum, piece.bytes))
                sum = 0
            }
            isOpen = !piece.endsChunk
        }
        var response = RecordedResponse(status: 200, reason: "OK", headers: headers, delay: .milliseconds(5))
        if kind == "text/event-stream" || ending != .complete {
            let steps = chunks.map { StreamStep(after: .milliseconds($0.after), .bytes($0.bytes)) }
            // At least one byte of an interrupted chunk is missing.
            let missing = isChunked && isOpen && ending != .complete ? 1 : 0
            let end = StreamStep(after: .milliseconds(sum + 1), .end(ending), missing: missing)
            response.content = .stream(steps + [end])
        } else if !chunks.isEmpty {
            let sizes = isChunked && chunks.count > 1 ? chunks.map(\.bytes.count) : nil
            response.content = .body(RecordedBody(.bytes(chunks.flatMap(\.bytes)), chunks: sizes))
        }
        return response
    }

    mutating func begin(_ recorder: CassetteRecorder) {
        recording = recorder.begin(RecordedRequest(method: "POST", url: "http://example.com/\(number)"), at: time)
    }

    /// Records the next event.
    mutating func step() {
        switch state {
        case 0 where !requestPieces.isEmpty: recording?.requestBytes(requestPieces.removeFirst())
        case 0:
            time += .milliseconds(1)
            recording?.requestEnd(at: time)
            state = 1
        case 1:
            time += .milliseconds(5)
            recording?.head(status: 200, reason: "OK", headers: headers, at: time)
            state = 2
        case 2 where !pieces.isEmpty:
            let piece = pieces.removeFirst()
            time += .milliseconds(piece.after)
            recording?.bytes(piece.bytes, endsChunk: piece.endsChunk, at: time)
        default:
            recording?.end(ending, at: time + .milliseconds(1))
            state = 4
        }
    }
}

extension Exchange {
    /// A copy with the contents of body files in memory.
    fileprivate var withBodiesInMemory: Exchange {
        var copy = self
        if let source = request.body?.source { copy.request.body?.source = source.inMemory }
        if case .response(var response) = outcome, case .body(var body) = response.content {
            body.source = body.source.inMemory
            response.content = .body(body)
            copy.outcome = .response(response)
        }
        return copy
    }
}

extension ByteSource {
    fileprivate var inMemory: ByteSource {
        guard case .file(let file) = self else { return self }
        return .bytes(BodyPattern.contents(of: file) ?? [])
    }
}
