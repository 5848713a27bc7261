// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseCassettes
import RepriseFixtures
import RepriseReplay
import RepriseTesting
import Testing

@Suite struct EveryChunkingTests {
    private static let base = "https://api.example.com"

    private static func fixture(_ path: String, line: Int, _ chunks: [String]) -> Fixture {
        let steps = chunks.map { StreamStep(after: .zero, .bytes(Array($0.utf8))) }
        let response = RecordedResponse(
            status: 200,
            reason: "OK",
            headers: ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"].compactMap { HeaderLine($0) },
            content: .stream(steps + [StreamStep(after: .zero, .end(.complete))])
        )
        let request = RecordedRequest(method: "GET", url: base + path)
        return Fixture(
            Exchange(request: request, outcome: .response(response)),
            source: FixtureSource(file: "test.cassette.json", location: FilePosition(line: line, column: 1)),
            keepsRecording: true
        )
    }

    private func fixtures(_ text: String) -> [Fixture] {
        [
            Self.fixture("/other", line: 2, ["nothing to see"]),
            Self.fixture("/chat", line: 9, text.isEmpty ? [] : [text]),
        ]
    }

    @Test func splitsAnswersOfStubMappings() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"request": {"urlPath": "/a"}, "response": {"body": "abcdef"}}"#, to: "mappings/a.json")
        await #expect(throws: ChunkingFailure.self) {
            try await withEveryChunking(of: folder.url.path) { transport in
                let body = try await Client(Self.base, transport: transport).get("/a").stream().body
                return try await body.reduce(into: 0) { count, _ in count += 1 }
            }
        }
    }

    @Test(arguments: ["data: café\r\n\r\ndata: 日本\r\rdata: c\n\n", "data: a\ndata: b\n\n", ""])
    func findsNoFailureInRobustDecoder(text: String) async throws {
        let events = try await withEveryChunking(of: fixtures(text)) { transport in
            var events: [String] = []
            for try await event in try await Client(Self.base, transport: transport).get("/chat").events() {
                events.append(event.data)
            }
            return events
        }
        #expect(events.count == text.split(separator: "data: ").count - (text.hasPrefix("data: a\n") ? 1 : 0))
    }

    private func body(_ transport: any Transport) async throws -> Body {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/chat")
        return try await transport.send(request, body: nil, options: RequestOptions()).body
    }

    /// Decodes each chunk on its own, as if no character were ever cut.
    private func naiveText(_ transport: any Transport) async throws -> String {
        var text = ""
        for try await chunk in try await body(transport) { text += String(decoding: chunk, as: UTF8.self) }
        return text
    }

    @Test func findsCutInsideCharacter() async throws {
        let failure = await #expect(throws: ChunkingFailure.self) {
            try await withEveryChunking(of: fixtures("data: plain\n\ndata: café au lait\n\n"), naiveText)
        }
        #expect(failure?.cuts.map(\.offset) == [23])
        let text = failure?.description ?? ""
        #expect(text.contains("one cut makes it fail"))
        #expect(text.contains("GET /chat (test.cassette.json:9): after byte 23 of 34, inside a character"))
        #expect(text.contains(#"data: plain\n\ndata: caf\xC3 | \xA9 au lait\n\n"#))
        #expect(text.contains("Expected: data: plain"))
        #expect(text.contains("chunking: .cuts([23])"))
    }

    /// Treats a CR at the end of a chunk as a line end, and the LF after it as another.
    private func naiveLines(_ transport: any Transport) async throws -> [String] {
        var lines: [String] = []
        var line = ""
        for try await chunk in try await body(transport) {
            for character in String(decoding: chunk, as: UTF8.self) {
                if character.isNewline {
                    lines.append(line)
                    line = ""
                } else {
                    line.append(character)
                }
            }
        }
        return lines + [line]
    }

    @Test func findsCutBetweenCRAndLF() async throws {
        let failure = await #expect(throws: ChunkingFailure.self) {
            try await withEveryChunking(of: fixtures("a\r\nb"), naiveLines)
        }
        #expect(failure?.cuts.map(\.offset) == [2])
        #expect(failure?.description.contains("between CR and LF") == true)
    }

    @Test func findsFailureThatNeedsSeveralCuts() async throws {
        struct TooMany: Error {}
        let failure = await #expect(throws: ChunkingFailure.self) {
            try await withEveryChunking(of: fixtures("0123456789")) { transport in
                var count = 0
                for try await _ in try await body(transport) { count += 1 }
                if count > 3 { throw TooMany() }
            }
        }
        #expect(failure?.cuts.count == 3)
        #expect(failure?.description.contains("It threw: TooMany()") == true)
    }

    @Test func reportsFailureWithSingleChunk() async throws {
        struct OneChunk: Error {}
        let fixtures: [Fixture] = [Self.fixture("/chat", line: 5, ["a", "b"])]
        let failure = await #expect(throws: ChunkingFailure.self) {
            try await withEveryChunking(of: fixtures) { transport in
                var count = 0
                for try await _ in try await body(transport) { count += 1 }
                if count < 2 { throw OneChunk() }
            }
        }
        #expect(failure?.cuts == [])
        #expect(failure?.description.contains("chunking: .coalesced") == true)
    }

    @Test func findsCutThatFailsExpectation() async throws {
        let failure = await #expect(throws: ChunkingFailure.self) {
            try await withEveryChunking(of: fixtures("data: plain\n\ndata: café au lait\n\n")) { transport in
                let text = try await naiveText(transport)
                #expect(text.hasSuffix("café au lait\n\n"))
            }
        }
        #expect(failure?.cuts.map(\.offset) == [23])
        #expect(failure?.description.contains("It failed: Expectation failed") == true)
    }

    @Test func runsOnceIfRecordedChunkingFails() async throws {
        var runs = 0
        await withKnownIssue {
            try await withEveryChunking(of: fixtures("a")) { transport in
                runs += 1
                let text = try await naiveText(transport)
                #expect(text == "b")
            }
        }
        #expect(runs == 1)
    }

    @Test func rethrowsErrorOfRecordedChunking() async {
        struct Wrong: Error {}
        await #expect(throws: Wrong.self) {
            try await withEveryChunking(of: fixtures("a")) { _ in throw Wrong() }
        }
    }

    @Test func setsAmbientTransport() async throws {
        let text = try await withEveryChunking(of: fixtures("a")) { _ in
            try await Client(Self.base).get("/chat").send().text
        }
        #expect(text == "a")
    }

    @Test func readsFixturesFromFolder() async throws {
        let folder = try TemporaryFolder()
        try folder.write("data: é\n\n", to: "chat.get.sse")
        await #expect(throws: ChunkingFailure.self) { try await withEveryChunking(of: folder.url.path, naiveText) }
    }
}
