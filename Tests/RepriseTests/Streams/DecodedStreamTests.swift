// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct DecodedStreamTests {
    @Test func decodesLinesEventsAndValuesAcrossChunks() async throws {
        let lines = ScriptedChunks(["a\n\nb", "\u{E9}\r", "\nc"]).lines()
        #expect(try await all(lines) == ["a", "", "b\u{E9}", "c"])
        let events = ScriptedChunks(["data: x\n", "\ndata:", "y\n\ndata: z"]).events()
        #expect(try await all(events).map(\.data) == ["x", "y"])
        let numbers = ScriptedChunks(["1\n2", "3\n", "\n4"]).ndjson(as: Int.self)
        #expect(try await all(numbers) == [1, 23, 4])
    }

    @Test func decodesBodies() async throws {
        let body = Body("1\n2\n")
        #expect(try await all(body.lines()) == ["1", "2"])
        #expect(try await all(body.ndjson(as: Int.self)) == [1, 2])
        #expect(try await all(body.events()).isEmpty)
    }

    @Test func requestsChunksOnlyWhenNeeded() async throws {
        let chunks = ScriptedChunks(["a\nb\nc", "d\n"])
        var iterator = chunks.lines().makeAsyncIterator()
        #expect(chunks.log.requests == 0)
        #expect(try await iterator.next() == "a")
        #expect(try await iterator.next() == "b")
        #expect(chunks.log.requests == 1)
        #expect(try await iterator.next() == "cd")
        #expect(chunks.log.requests == 2)
        #expect(try await iterator.next() == nil)
        #expect(chunks.log.requests == 3)
        #expect(try await iterator.next() == nil)
        #expect(chunks.log.requests == 3)
    }

    @Test func releasesChunksWhenLoopEndsEarly() async throws {
        let chunks = ScriptedChunks(["a\nb\n", "c\n"])
        let lines = chunks.lines()
        for try await _ in lines { break }
        #expect(chunks.log.isReleased)
    }

    @Test func cancelsBodyWhenLoopEndsEarly() async throws {
        let source = ScriptedSource([.bytes(Array("data: x\n\n".utf8), endsChunk: true)])
        let body = Body(source)
        for try await _ in body.events() { break }
        #expect(source.isCancelled)
        #expect(body.ending == nil)
    }

    @Test func releasesChunksAtEnd() async throws {
        let chunks = ScriptedChunks(["a"])
        var iterator = chunks.lines().makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        #expect(chunks.log.isReleased)
        #expect(try await iterator.next() == nil)
    }

    /// A truncated line must not pass for a complete one, and a truncated event must not be dropped silently.
    @Test func rethrowsErrorOfChunks() async throws {
        let chunks = ScriptedChunks(["data: x\n\n", "data: y\n"], failing: TransportError(.truncated, "cut off"))
        var events = chunks.events().makeAsyncIterator()
        #expect(try await events.next()?.data == "x")
        let error = await #expect(throws: TransportError.self) { try await events.next() }
        #expect(error?.code == .truncated)
        #expect(chunks.log.isReleased)
        #expect(try await events.next() == nil)

        var lines = chunks.lines().makeAsyncIterator()
        for expected in ["data: x", "", "data: y"] { #expect(try await lines.next() == expected) }
        await #expect(throws: TransportError.self) { try await lines.next() }
        #expect(try await lines.next() == nil)
    }

    @Test func endsAtDecodingError() async throws {
        let chunks = ScriptedChunks(["1\n", "x\n2\n", "3\n"])
        var iterator = chunks.ndjson(as: Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: StreamDecodingError.self) { try await iterator.next() }
        #expect(error?.line == 2)
        #expect(chunks.log.isReleased)
        #expect(try await iterator.next() == nil)
        #expect(chunks.log.requests == 2)
    }

    @Test func restartsWithEachIteration() async throws {
        let lines = ScriptedChunks(["a", "b\n"]).lines()
        #expect(try await all(lines) == ["ab"])
        #expect(try await all(lines) == ["ab"])
    }

    @Test @MainActor func iteratesOnMainActor() async throws {
        var texts: [String] = []
        for try await line in ScriptedChunks(["a\nb\n", "c"]).lines() {
            MainActor.assertIsolated()
            texts.append(line)
        }
        #expect(texts == ["a", "b", "c"])
    }

    private func all<Sequence: AsyncSequence>(_ sequence: Sequence) async throws -> [Sequence.Element] {
        var elements: [Sequence.Element] = []
        for try await element in sequence { elements.append(element) }
        return elements
    }
}
