// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseMatching
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Cassettes of format 2, played through sockets.
@Suite struct StandInServerTests {
    /// The same request by two users, twice each.
    private static func users() -> [Fixture] {
        let exchanges = ["a1", "b1", "a2", "b2"].map { answer in
            let number = answer.hasPrefix("a") ? 1 : 2
            let request = RecordedRequest(
                method: "GET",
                url: "https://api.example.com/me",
                headers: [HeaderLine(name: "Authorization", value: "Bearer [redacted~\(number)]")]
            )
            return Exchange(request: request, outcome: .response(.text(answer)))
        }
        let standIns = [StandIn("[redacted~1]"), StandIn("[redacted~2]")]
        return Cassette(exchanges: exchanges, standIns: standIns).fixtures(file: "a.cassette.json")
    }

    /// Returns the content of an answer.
    private func get(_ token: String, port: Int, _ lines: String...) async throws -> String {
        let client = try await RawClient.connect(port: port)
        let head = ["GET /me HTTP/1.1", "Host: x", "Connection: close", "Authorization: Bearer \(token)"] + lines
        try await client.send(head.joined(separator: "\r\n") + "\r\n\r\n")
        let answer = try await client.readToEnd().text
        return answer.firstRange(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
    }

    @Test func usersKeepTheirAnswers() async throws {
        try await withServer(Self.users()) { (server: MockServer) async throws in
            #expect(try await get("B", port: server.port) == "a1")
            #expect(try await get("A", port: server.port) == "b1")
            #expect(try await get("A", port: server.port) == "b2")
            #expect(try await get("B", port: server.port) == "a2")
            #expect(try await get("[redacted~2]", port: server.port) == "b2")
        }
    }

    @Test func resetAndSessionsBindAnew() async throws {
        let server = try await MockServer.start(fixtures: Self.users())
        #expect(try await get("A", port: server.port) == "a1")
        let session = try await server.control.openSession()
        #expect(try await get("B", port: session.port) == "a1")
        #expect(try await get("B", port: server.port) == "b1")
        #expect(try await get("A", port: session.port) == "b1")
        await server.control.resetToFiles()
        #expect(try await get("C", port: server.port) == "a1")
        #expect(try await get("B", port: session.port) == "a2")
        await server.stop()
    }

    @Test func informationalResponsesPrecedeTheResponse() async throws {
        var response = RecordedResponse.text("ok")
        response.informational = [
            RecordedResponse.Informational(status: 102, reason: "Processing"),
            RecordedResponse.Informational(
                status: 103,
                reason: "Early Hints",
                headers: [HeaderLine(name: "Link", value: "</a.css>")]
            ),
        ]
        let fixture = Fixture.recorded("https://api.example.com/a", response: response)
        try await withServer([fixture]) { server in
            let client = try await RawClient.connect(port: server.port)
            let final = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            let all = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + final
            try await client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.read(count: all.utf8.count).text == all)
            try await client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.read(count: all.utf8.count - 2).text == all.dropLast(2))
            try await client.send("GET /a HTTP/1.0\r\nHost: x\r\n\r\n")
            let closing = final.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
            #expect(try await client.readToEnd().text == closing)
        }
    }

    @Test func latencyOfInformationalResponsesIsPlayed() {
        let serializer = PlanSerializer(pace: .instant, latency: .recorded)
        var response = RecordedResponse.text("ok")
        response.delay = .milliseconds(30)
        response.informational = [RecordedResponse.Informational(status: 103, delay: .milliseconds(10))]
        let plan = Fixture.recorded("https://api.example.com/a", response: response).plan
        let script = serializer.response(for: plan)
        #expect(script.latency == 10_000_000)
        #expect(String(decoding: script.head, as: UTF8.self) == "HTTP/1.1 103 \r\n\r\n")
        #expect(script.steps.first == .wait(nanoseconds: 20_000_000))
        #expect(script.steps.count == 3)
    }

    /// `{"a": "text text …"}` in gzip.
    private static let coded = Array(
        Data(base64Encoded: "H4sIAAAAAAACA6tWSlSyUlAqSa0oURgGhFItAI4S1iDRAAAA") ?? Data()
    )

    @Test func compressedBodyMatchesItsDecodedRecording() async throws {
        let text = #"{"a": ""# + String(repeating: "text ", count: 40) + #""}"#
        let fixtures = [text, "{}"].map { body in
            Fixture.recorded(
                "https://api.example.com/a",
                method: "POST",
                body: body,
                contentType: "application/json",
                response: .text("\(body.utf8.count)")
            )
        }
        try await withServer(fixtures) { server in
            let head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
            let client = try await RawClient.connect(port: server.port)
            try await client.send(Array((head + "Content-Length: \(Self.coded.count)\r\n\r\n").utf8) + Self.coded)
            #expect(try await client.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200 OK"))
            #expect(try await client.read(count: 3).text == "\(text.utf8.count)")
            // Invalid content is compared as it is.
            try await client.send(head + "Content-Length: 2\r\nConnection: close\r\n\r\n[]")
            let miss = try await client.readToEnd().text
            #expect(miss.hasPrefix("HTTP/1.1 404") && miss.contains("save the request's body as BODY"), "\(miss)")
            let other = try await RawClient.connect(port: server.port)
            let length = "Content-Length: \(Self.coded.count)\r\nConnection: close\r\n\r\n"
            let unknown = head.replacing("/a", with: "/b")
            try await other.send(Array((unknown + length).utf8) + Self.coded)
            #expect(try await other.readToEnd().text.contains("printf"))
        }
    }
}
