// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import Testing

@testable import Reprise

@Suite struct BodyTests {
    @Test func readsInMemoryBodyRepeatedly() async throws {
        let body: Body = "hello"
        #expect(body.length == 5)
        #expect(body.isReplayable)
        #expect(try await body.collect() == Array("hello".utf8))
        #expect(try await body.collect() == Array("hello".utf8))
        #expect(body.ending == .complete)
    }

    @Test func emptyBodyHasNoChunks() async throws {
        for try await chunk in Body.empty { Issue.record("unexpected chunk of \(chunk.count) bytes") }
        #expect(Body.empty.length == 0)
    }

    @Test func omitsEmptyChunks() async throws {
        let body = Body(chunks(["a", "", "bc"]))
        var received: [[UInt8]] = []
        for try await chunk in body { received.append(chunk) }
        #expect(received == [Array("a".utf8), Array("bc".utf8)])
        #expect(body.ending == .complete)
    }

    @Test func failsWhenSingleUseBodyIsReadTwice() async throws {
        let body = Body(chunks(["a"]))
        _ = try await body.collect()
        let error = await #expect(throws: TransportError.self) { try await body.collect() }
        #expect(error?.code == .bodyConsumed)
    }

    @Test func readsReplayableSequenceRepeatedly() async throws {
        let body = Body(Repeatable(chunks: ["a", "b"]), isReplayable: true)
        #expect(try await body.collect() == Array("ab".utf8))
        #expect(try await body.collect() == Array("ab".utf8))
    }

    @Test func collectsUpToLimit() async throws {
        #expect(try await Body(chunks(["ab", "c"])).collect(upTo: 3) == Array("abc".utf8))
        await #expect(throws: Body.TooLarge(limit: 2)) { try await Body(chunks(["ab", "c"])).collect(upTo: 2) }
        await #expect(throws: Body.TooLarge(limit: 2)) { try await Body("abc").collect(upTo: 2) }
    }

    @Test func preservesChunksAndTrailers() async throws {
        let trailers = [Array("X-Sum: \t1 ".utf8), Array("no field".utf8)]
        let source = ScriptedSource([
            .bytes([1], endsChunk: false), .bytes([2], endsChunk: true), .trailers(trailers),
        ])
        let body = Body(source)
        #expect(body.ending == nil)
        #expect(body.trailers == nil)
        var parts: [Body.Part] = []
        for try await part in body.parts { parts.append(part) }
        #expect(parts == source.parts)
        #expect(body.ending == .complete)
        #expect(body.rawTrailers == trailers)
        #expect(body.trailers == [HTTPField.Name("X-Sum")!: "1"])
        #expect(!source.isCancelled)
    }

    @Test func cancelsSourceWhenLoopExits() async throws {
        let source = ScriptedSource([.bytes([1], endsChunk: true), .bytes([2], endsChunk: true)])
        let body = Body(source)
        for try await _ in body { break }
        #expect(source.isCancelled)
        #expect(body.ending == nil)
        #expect(body.progress?.state.withLock { $0.isOver } == true)
    }

    @Test(arguments: [
        (TransportError.Code.truncated, Ending?.some(.truncated)), (.reset, .reset), (.timedOut, .timedOut),
        (.cancelled, nil), (.malformedResponse, .reset),
    ])
    func mapsFailureToEnding(code: TransportError.Code, ending: Ending?) async throws {
        let source = ScriptedSource([.bytes([1], endsChunk: true)], failing: TransportError(code, "so"))
        let body = Body(source)
        let error = await #expect(throws: TransportError.self) { try await body.collect() }
        #expect(error?.code == code)
        #expect(body.ending == ending)
        #expect(!source.isCancelled)
    }

    private func chunks(_ texts: [String]) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }
    }
}

/// Starts over for each reader.
private struct Repeatable: AsyncSequence {
    let chunks: [String]

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: chunks[...])
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<String>

        mutating func next() async -> String.UTF8View? {
            rest.popFirst()?.utf8
        }
    }
}

/// Returns scripted parts, then throws its error.
final class ScriptedSource: BodySource {
    let parts: [Body.Part]
    private let failure: TransportError?
    private let state = Locked((position: 0, isCancelled: false))

    init(_ parts: [Body.Part], failing failure: TransportError? = nil) {
        self.parts = parts
        self.failure = failure
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// How many times a part was requested.
    var asked: Int { state.withLock { $0.position } }

    func next() async throws(TransportError) -> Body.Part? {
        let position = state.withLock { state in
            defer { state.position += 1 }
            return state.position
        }
        if position < parts.count { return parts[position] }
        if let failure { throw failure }
        return nil
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }
}
