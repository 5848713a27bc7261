// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseStubs
import RepriseTestSupport
import Testing

@testable import RepriseServer

/// The admin API of a server that lets every page read its other answers.
@Suite struct AdminCrossOriginTests {
    private func answer(_ request: String) async throws -> String {
        let configuration = MockServer.Configuration(isCrossOriginAllowed: true)
        let server = try await MockServer.start(fixtures: [Fixture](), configuration: configuration)
        let client = try await RawClient.connect(port: server.port)
        try await client.send("\(request)\r\nConnection: close\r\n\r\n")
        let answer = try await client.readToEnd().text
        await server.stop()
        return answer
    }

    @Test(arguments: [
        "GET /__admin/mappings HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000",
        "OPTIONS /__admin/mappings HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nAccess-Control-Request-Method: POST",
        "POST /__admin/shutdown HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 0",
    ])
    func refusesPagesWithoutCrossOriginLines(_ request: String) async throws {
        let answer = try await answer(request)
        #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(!answer.lowercased().contains("access-control-"))
    }

    /// Long answers, in pieces, are written in another way than short ones.
    @Test func longAnswerToOwnPageHasNoCrossOriginLines() async throws {
        let configuration = MockServer.Configuration(isCrossOriginAllowed: true)
        let server = try await MockServer.start(fixtures: [Fixture](), configuration: configuration)
        let text = String(repeating: "x", count: 300_000)
        try await server.stub((0..<3).map { StubMapping(.get("/\($0)"), .text(text)) })
        let client = try await RawClient.connect(port: server.port)
        try await client.send(
            "GET /__admin/mappings HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nConnection: close\r\n\r\n"
        )
        let answer = try await client.readToEnd().text
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.utf8.count > 600_000)
        #expect(!answer.lowercased().contains("access-control-"))
        await server.stop()
    }

    @Test(arguments: ["/__admin/mappings", "/__admin/metrics", "/__admin/none"])
    func answersProgramsWithoutCrossOriginLines(_ path: String) async throws {
        let answer = try await answer("GET \(path) HTTP/1.1\r\nHost: localhost")
        #expect(!answer.lowercased().contains("access-control-"))
    }

    /// Otherwise, the token would end up in logs and histories.
    @Test func tokenInURLIsNotAccepted() async throws {
        let configuration = MockServer.Configuration(admin: MockServer.Admin(token: "s3cret"))
        let server = try await MockServer.start(fixtures: [Fixture](), configuration: configuration)
        for target in ["/__admin/mappings?token=s3cret", "http://x:s3cret@localhost/__admin/mappings"] {
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answer = try await client.readToEnd().text
            #expect(!answer.hasPrefix("HTTP/1.1 200 "))
            #expect(!answer.contains("s3cret"))
        }
        await server.stop()
    }
}
