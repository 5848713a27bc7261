// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseHashing
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseRecording
@testable import RepriseText

/// How the content of a response is recorded.
@Suite struct RecordedContentTests {
    private let folder = try! TemporaryFolder()
    private let chunked = ["Content-Type: text/plain", "Transfer-Encoding: chunked"]

    private func content(_ exchange: ScriptedExchange) throws -> RecordedResponse.Content? {
        try folder.record(exchange)
        return try folder.response()?.content
    }

    @Test func recordsChunkSizes() throws {
        let pieces: [ScriptedExchange.Piece] = [
            .init("ab", endsChunk: false), .init("c"), .init("d"), .init("e", endsChunk: false), .init("f"),
        ]
        let content = try content(ScriptedExchange(headers: chunked, pieces: pieces))
        #expect(content == .body(RecordedBody(.bytes(Array("abcdef".utf8)), chunks: [3, 1, 2])))
    }

    @Test func omitsSizesOfSingleChunkAndUnchunkedBody() throws {
        let whole = RecordedResponse.Content.body(RecordedBody(.bytes(Array("ab".utf8))))
        #expect(try content(ScriptedExchange(headers: chunked, pieces: [.init("ab")])) == whole)
        let plain = ScriptedExchange(headers: ["Content-Length: 2"], pieces: [.init("a"), .init("b")])
        #expect(try content(plain) == whole)
    }

    @Test(
        arguments: [
            "text/event-stream", "Text/Event-Stream; charset=utf-8", "application/x-ndjson", "application/ndjson",
            "application/jsonl", "application/json-seq", "application/geo+json-seq",
            "multipart/x-mixed-replace; boundary=x",
        ]
    )
    func recordsStepsOfStream(type: String) throws {
        let pieces: [ScriptedExchange.Piece] = [
            .init("a\n", after: 41.2), .init("b", endsChunk: false, after: 22), .init("\n", after: 3),
        ]
        let headers = ["Content-Type: \(type)", "Transfer-Encoding: chunked"]
        let steps: [StreamStep] = [
            StreamStep(after: .microseconds(41_200), .bytes(Array("a\n".utf8))),
            StreamStep(after: .milliseconds(22), .bytes(Array("b\n".utf8))),
            StreamStep(after: .milliseconds(4), .end(.complete)),
        ]
        #expect(try content(ScriptedExchange(headers: headers, pieces: pieces)) == .stream(steps))
    }

    @Test(arguments: [Ending.truncated, .reset, .timedOut])
    func recordsStepsOfIncompleteResponse(ending: Ending) throws {
        var exchange = ScriptedExchange(headers: ["Content-Length: 10"], pieces: [.init("abc")])
        exchange.ending = ending
        let steps: [StreamStep] = [
            StreamStep(after: .milliseconds(1), .bytes(Array("abc".utf8))),
            StreamStep(after: .milliseconds(1), .end(ending)),
        ]
        #expect(try content(exchange) == .stream(steps))
        exchange.pieces = []
        #expect(try content(exchange) == .stream([StreamStep(after: .milliseconds(1), .end(ending))]))
    }

    /// Of a chunk that had started, at least a byte is missing.
    @Test(arguments: [
        (true, 0, Ending.reset, 0), (true, 1, .reset, 1), (true, 5, .truncated, 5), (false, 0, .reset, 1),
        (false, 3, .timedOut, 3), (true, 0, .truncated, 0), (false, 0, .truncated, 1),
    ])
    func recordsBytesThatChunkLacks(endsChunk: Bool, missing: Int, ending: Ending, expected: Int) throws {
        for headers in [chunked, ["Content-Length: 10"]] {
            let recorder = try CassetteRecorder(folder.cassette)
            let recording = recorder.begin(ScriptedExchange().request, at: .zero)
            recording.requestEnd(at: .zero)
            recording.head(status: 200, reason: "OK", headers: headers.compactMap { HeaderLine($0) }, at: .zero)
            recording.bytes([65], endsChunk: endsChunk, at: .zero)
            recording.end(ending, missing: missing, at: .milliseconds(1))
            _ = try recorder.finish()
            guard case .stream(let steps)? = try folder.response()?.content else {
                Issue.record("expected a stream")
                continue
            }
            let isChunked = headers == chunked
            #expect(steps.last == StreamStep(after: .milliseconds(1), .end(ending), missing: isChunked ? expected : 0))
        }
    }

    /// What is missing of a stream that was complete is nothing.
    @Test func completeStreamLacksNothing() throws {
        let recorder = try CassetteRecorder(folder.cassette)
        let recording = recorder.begin(ScriptedExchange().request, at: .zero)
        recording.requestEnd(at: .zero)
        let headers = ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"].compactMap { HeaderLine($0) }
        recording.head(status: 200, reason: "OK", headers: headers, at: .zero)
        recording.bytes([65], endsChunk: false, at: .zero)
        recording.end(.complete, missing: 2, at: .zero)
        _ = try recorder.finish()
        guard case .stream(let steps)? = try folder.response()?.content else {
            Issue.record("expected a stream")
            return
        }
        #expect(steps.last == StreamStep(after: .zero, .end(.complete)))
    }

    /// Without chunked coding, bytes that arrive at the same time form one step, unless a chunk ends between them.
    @Test func groupsByArrivalWithoutChunks() throws {
        let pieces: [ScriptedExchange.Piece] = [
            .init("a", endsChunk: false), .init("b", endsChunk: false, after: 0), .init("c", endsChunk: false),
            .init("d", endsChunk: true, after: 0), .init("e", after: 0),
        ]
        let exchange = ScriptedExchange(headers: ["Content-Type: text/event-stream"], pieces: pieces)
        guard case .stream(let steps)? = try content(exchange) else {
            Issue.record("expected a stream")
            return
        }
        let texts = steps.compactMap { step -> String? in
            if case .bytes(let bytes) = step.event { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
        #expect(texts == ["ab", "cd", "e"])
        #expect(steps.map(\.after) == [.milliseconds(1), .milliseconds(1), .zero, .milliseconds(1)])
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func recordsNoContentWhereNoneIsAllowed(method: String, status: Int) throws {
        let headers = ["Content-Type: text/event-stream", "Content-Length: 10"]
        let exchange = ScriptedExchange(method: method, status: status, headers: headers)
        #expect(try content(exchange) == RecordedResponse.Content.none)
    }

    @Test func recordsTrailersAndHTTPVersion() throws {
        let recorder = try CassetteRecorder(folder.cassette)
        let recording = recorder.begin(ScriptedExchange().request, at: .zero)
        recording.head(status: 200, reason: "", httpVersion: "2", headers: [], at: .zero)
        recording.bytes([1], endsChunk: true, at: .zero)
        recording.trailers([HeaderLine(name: "X-Sum", value: "1")])
        recording.end(.complete, at: .zero)
        _ = try recorder.finish()
        let response = try #require(try folder.response())
        #expect(response.httpVersion == "2")
        #expect(response.trailers.map(\.value) == ["1"])
    }

    @Test(arguments: [
        (65_536, true), (65_537, true), (4_096, false), (4_097, false), (300_000, true), (300_000, false),
    ])
    func storesLargeBodiesInFiles(size: Int, isText: Bool) throws {
        let bytes = (0..<size).map {
            isText ? UInt8(ascii: "a") + UInt8($0 % 26) : UInt8(truncatingIfNeeded: $0 | 0x80)
        }
        let pieces = stride(from: 0, to: size, by: 999).map { start in
            ScriptedExchange.Piece(Array(bytes[start..<min(start + 999, size)]))
        }
        let headers = ["Content-Type: image/png", "Content-Length: \(size)"]
        let recorded = try content(ScriptedExchange(headers: headers, pieces: pieces))
        let isFile = size > (isText ? 65_536 : 4_096)
        let name = SHA256.hexadecimal(of: bytes).prefix(16) + ".png"
        #expect(folder.names("a.cassette.bodies") == (isFile ? [String(name)] : []))
        guard case .body(let body)? = recorded else {
            Issue.record("expected a body")
            return
        }
        switch body.source {
        case .bytes(let kept): #expect(kept == bytes)
        case .file(let file): #expect(BodyPattern.contents(of: file) == bytes)
        }
        #expect(folder.names().allSatisfy { !$0.hasSuffix(".recording-log") && !$0.hasSuffix(".tmp") })
    }

    @Test func storesLongStreamsInCassette() throws {
        let padding = String(repeating: "x", count: 100)
        var exchange = ScriptedExchange(headers: ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"])
        exchange.pieces = (0..<1000).map { .init("data: \($0) é\n\n\(padding)", after: Double($0 % 7)) }
        exchange.pieces.append(.init([0xFF, 0x00]))
        exchange.pieces.append(.init([]))
        try folder.record(exchange, .get("/"))
        let steps = exchange.pieces.map { StreamStep(after: .milliseconds($0.after), .bytes($0.bytes)) }
        #expect(
            try folder.response()?.content == .stream(steps + [StreamStep(after: .milliseconds(1), .end(.complete))])
        )
        #expect(folder.names() == ["a.cassette.json"])
        let cassette = Cassette(exchanges: try folder.exchanges())
        #expect(try CassetteWriter.write(cassette).bytes == Array(try folder.text("a.cassette.json").utf8))
    }

    @Test func recordsHugeChunks() throws {
        let size = 1_200_000
        for bytes in [Array(String(repeating: "é\n€😀", count: size / 10).utf8), (0..<size).map { UInt8($0 % 251) }] {
            var exchange = ScriptedExchange(headers: ["Content-Length: 1000000000"])
            exchange.pieces = [.init("first"), .init(bytes), .init("last")]
            exchange.ending = .truncated
            try folder.record(exchange)
            guard case .stream(let steps)? = try folder.response()?.content else {
                Issue.record("expected a stream")
                continue
            }
            #expect(steps.count == 4)
            #expect(steps[1].event == .bytes(bytes))
            #expect(try folder.text("a.cassette.json").contains("base64") == (bytes[0] == 0))
            #expect(folder.names() == ["a.cassette.json"])
        }
    }

    @Test func clampsTimesOutOfRange() throws {
        let recorder = try CassetteRecorder(folder.cassette)
        let recording = recorder.begin(ScriptedExchange().request, at: .seconds(10))
        recording.head(status: 200, reason: "", headers: chunked.compactMap { HeaderLine($0) }, at: .seconds(5))
        recording.bytes([65], endsChunk: true, at: .seconds(1))
        recording.bytes([66], endsChunk: true, at: .seconds(10_000_000_000))
        recording.end(.reset, at: .zero)
        _ = try recorder.finish()
        guard case .stream(let steps)? = try folder.response()?.content else {
            Issue.record("expected a stream")
            return
        }
        #expect(steps.map(\.after) == [.zero, .seconds(31 * 86_400), .zero])
    }
}
