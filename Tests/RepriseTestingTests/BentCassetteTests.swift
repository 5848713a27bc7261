// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseReplay
import RepriseTesting
import Testing

/// The text of the events so far, and how the stream ended.
private struct Chat: Equatable {
    var text = ""
    var isComplete = false
    var failure: TransportError.Code?

    init(_ transport: (any Transport)? = nil) async throws {
        let base = "https://api.example.com"
        let api = transport.map { Client(base, transport: $0) } ?? Client(base)
        do {
            for try await event in try await api.post("/v1/chat").events() {
                if event.name == "message_stop" { isComplete = true } else { text += event.data }
            }
        } catch let error as ClientError {
            failure = (error.underlying as? TransportError)?.code
        }
    }
}

@Suite struct BentCassetteTests {
    @Test(.cassette("chat").bent(.afterEvent(2), .reset)) func resetCutsStream() async throws {
        let chat = try await Chat()
        #expect(chat.text == "The Lighthouse")
        #expect(!chat.isComplete)
        #expect(chat.failure == .reset)
    }

    @Test(.cassette("chat").bent(.event(3), .stall)) func stallTakesNoTime() async throws {
        let start = ContinuousClock.now
        let chat = try await Chat()
        #expect(chat.failure == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test(.cassette("chat").bent(.rechunk(1)).bent(.event(2), .replace("event: text\ndata: Salt\n\n")))
    func editsCombine() async throws {
        let chat = try await Chat()
        #expect(chat.text == "The Salt Atlas")
        #expect(chat.isComplete)
    }

    @Test func longDelayTakesNoTime() async throws {
        let bends = [Bend(.afterEvent(1), .delay(.seconds(3600)), of: "POST /v1/chat")]
        try await withCassette("chat", pace: .virtual, bending: bends) { _ in
            let chat = try await Chat()
            #expect(chat.isComplete)
        }
    }

    @Test func firstAnswersAreEditedThenRecordingPlays() async throws {
        let bends = [
            Bend(.status(529), of: "#1", answers: 2), Bend(.header("Retry-After", "2"), answers: 2),
            Bend(.body("overloaded"), answers: 2),
        ]
        try await withCassette("chat", bending: bends) { cassette in
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await status(cassette.transport)) }
            #expect(statuses == [529, 529, 200, 200])
        }
        // An answer that is never requested is not an unused exchange.
        try await withCassette("chat", bending: bends) { cassette in
            let status = try await status(cassette.transport)
            #expect(status == 529)
        }
    }

    private func status(_ transport: any Transport) async throws -> Int {
        let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example.com", path: "/v1/chat")
        let response = try await transport.send(request, body: nil, options: RequestOptions())
        _ = try await response.body.collect()
        return response.status.code
    }

    @Test(
        arguments: [
            (Bend(.afterEvent(9), .reset), "cannot edit POST /v1/chat: expected event 9, but the response has 4"),
            (Bend(.afterEvent(1), .reset, of: "POST /chat"), "expected the recorded exchange 'POST /chat' to edit"),
            (Bend(.afterEvent(1), .reset, of: "#2"), "found 'POST /v1/chat'"),
            (Bend(.reset, answers: 0), "expected a number of answers from 1 to 999, found 0"),
        ] as [(Bend, String)]
    )
    func rejectsEditsThatCannotApply(bend: Bend, message: String) async throws {
        let error = await #expect(throws: (any Error).self) {
            // No request is needed to see the error.
            try await withCassette("chat", bending: [bend]) { _ in }
        }
        let description = "\(try #require(error))"
        #expect(description.contains(message))
    }

    @Test func fixturesInMemoryFailEachRequest() async throws {
        let set = try FixtureLoader.load([path("chat")])
        let configuration = ReplayingTransport.Configuration(bends: [Bend(.afterEvent(9), .reset)])
        let transport = ReplayingTransport(fixtures: set.fixtures, configuration: configuration)
        let chat = try await Chat(transport)
        #expect(chat.failure == .noFixture)
        #expect(throws: FixtureProblems.self) { try transport.finish() }
        #expect(throws: FixtureProblems.self) {
            try ReplayingTransport(paths: [path("chat")], configuration: configuration)
        }
    }

    private func path(_ name: String, file: String = #filePath) -> String {
        file.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Fixtures/\(name).cassette.json"
    }
}
