// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseCassettes
import RepriseFixtures
import RepriseReplay
import RepriseText
import Testing

/// Cassettes of format 2, replayed in the same process.
@Suite struct StandInReplayTests {
    private static func fixtures(_ answers: [(token: Int, text: String)]) -> [Fixture] {
        let exchanges = answers.map { token, text in
            let request = RecordedRequest(
                method: "GET",
                url: "https://api.example.com/me",
                headers: [HeaderLine(name: "Authorization", value: "Bearer [redacted~\(token)]")]
            )
            let response = RecordedResponse(status: 200, content: .body(RecordedBody(.bytes(Array(text.utf8)))))
            return Exchange(request: request, outcome: .response(response))
        }
        let standIns = [StandIn("[redacted~1]"), StandIn("[redacted~2]")]
        return Cassette(exchanges: exchanges, standIns: standIns).fixtures(file: "a", keepsRecordings: true)
    }

    private static let twoUsers = fixtures([(1, "a1"), (2, "b1"), (1, "a2"), (2, "b2")])

    private func get(_ token: String, _ transport: ReplayingTransport) async throws -> String {
        try await transport.request("/me", fields: [.authorization: "Bearer \(token)"]).text()
    }

    @Test func usersKeepTheirAnswers() async throws {
        let transport = ReplayingTransport(fixtures: Self.twoUsers)
        #expect(try await get("B", transport) == "a1")
        #expect(try await get("A", transport) == "b1")
        #expect(try await get("A", transport) == "b2")
        #expect(try await get("B", transport) == "a2")
        #expect(try transport.finish().isComplete)
    }

    @Test func customMatchersChooseAmongTheAnswersOfAUser() async throws {
        let matching = [Matcher].standard + [.custom("any") { _, _ in true }]
        let configuration = ReplayingTransport.Configuration(matching: matching)
        let transport = ReplayingTransport(fixtures: Self.twoUsers, configuration: configuration)
        #expect(try await get("A", transport) == "a1")
        #expect(try await get("A", transport) == "a2")
        #expect(try await get("B", transport) == "b1")
        #expect(try await get("B", transport) == "b2")
    }

    @Test func tokenThatIsNotRefreshedPlaysEverything() async throws {
        let transport = ReplayingTransport(
            fixtures: Self.fixtures([(1, "first"), (2, "second")]),
            configuration: .init(afterLast: .miss)
        )
        #expect(try await get("A", transport) == "first")
        #expect(try await get("A", transport) == "second")
        #expect(try transport.finish().isComplete)
    }

    @Test func compressedBodyMatchesItsDecodedRecording() async throws {
        let text = #"{"a": ""# + String(repeating: "text ", count: 40) + #""}"#
        let request = RecordedRequest(
            method: "POST",
            url: "https://api.example.com/a",
            headers: [HeaderLine(name: "Content-Type", value: "application/json")],
            body: RecordedBody(.bytes(Array(text.utf8)))
        )
        let response = RecordedResponse(status: 200, content: .body(RecordedBody(.bytes(Array("ok".utf8)))))
        let transport = ReplayingTransport(fixtures: [Fixture(Exchange(request: request, outcome: .response(response)))]
        )
        let http = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: "api.example.com",
            path: "/a",
            headerFields: [.contentType: "application/json", .contentEncoding: "gzip"]
        )
        let answer = try await transport.send(http, body: Body(Gzip.sample), options: RequestOptions())
        #expect(try await answer.text() == "ok")
    }

    @Test func canceledBodyEndsWhereTheClientLeft() async throws {
        let steps = [StreamStep(.bytes(Array("part".utf8))), StreamStep(.end(.cancelled))]
        let exchange = Exchange(
            request: RecordedRequest(method: "GET", url: "https://api.example.com/s"),
            outcome: .response(RecordedResponse(status: 200, content: .stream(steps)))
        )
        let transport = ReplayingTransport(fixtures: [Fixture(exchange)])
        let body = try await transport.request("/s").body
        var received = ""
        let error = await #expect(throws: TransportError.self) {
            for try await bytes in body { received += String(decoding: bytes, as: UTF8.self) }
        }
        #expect(received == "part")
        #expect(error?.code == .timedOut)
    }
}
