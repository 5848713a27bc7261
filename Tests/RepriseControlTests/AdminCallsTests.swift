// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseAdmin
import RepriseDocuments
import RepriseServer
import RepriseStubs
import RepriseText
import Testing

@testable import RepriseControl

/// What a test's calls send to the admin API.
@Suite struct AdminCallsTests {
    /// A call of an endpoint.
    private struct Call: Hashable {
        var request: String
        var content: JSONTree?
        var timeout: Double
    }

    /// Access to a server that gives every call the same answer.
    private actor EmptyServer: AdminRoad {
        nonisolated let base = "http://empty.test"
        private(set) var calls: [Call] = []
        private let status: Int
        private let content: [UInt8]

        init(status: Int, content: [UInt8]) {
            self.status = status
            self.content = content
        }

        func answer(
            _ method: String,
            _ target: String,
            _ content: [UInt8]?,
            timeout: Double
        ) async throws(ControlError) -> (status: Int, content: [UInt8]) {
            let content = content.flatMap { try? JSONTree(parsing: $0) }
            calls.append(Call(request: "\(method) \(target)", content: content, timeout: timeout))
            return (status, self.content)
        }

        func road(to session: ServerSession) async throws(ControlError) -> any AdminRoad { self }
    }

    /// Returns the calls that `body` makes to a server on which every call fails, or has the same answer.
    private func calls(
        status: Int = 404,
        content: String = "",
        _ body: (MockServerControl) async throws -> Void
    ) async throws -> [Call] {
        let server = EmptyServer(status: status, content: Array(content.utf8))
        let control = MockServerControl(try #require(URL(string: server.base)), server)
        try? await body(control)
        return await server.calls
    }

    @Test func callsHaveMethodAndPath() async throws {
        let calls = try await calls { control in
            _ = try? await control.stub(.get("/a"), .text("a"))
            try? await control.stub([StubMapping(.get("/a"), .text("a"))])
            try? await control.remove(stub: "1")
            _ = try? await control.stubs
            _ = try? await control.scenarios
            try? await control.resetScenarios()
            try? await control.reset()
            _ = try? await control.requests(matching: .get("/a"))
            _ = try? await control.unansweredRequests()
            // An older server has them at WireMock's path.
            _ = try? await control.events
            _ = try? await control.openSession()
            // Sends nothing, because the control does not belong to a session.
            try? await control.close()
        }
        #expect(
            calls.map(\.request) == [
                "POST /mappings", "POST /mappings/import", "DELETE /mappings/1", "GET /mappings", "GET /scenarios",
                "POST /scenarios/reset", "POST /reset", "POST /requests/find", "GET /requests/unmatched",
                "GET /reprise/requests", "GET /requests", "POST /reprise/sessions",
            ]
        )
        #expect(calls.allSatisfy { $0.timeout == 30 })
        let requests = calls.filter { $0.content != nil }.map(\.request)
        #expect(
            requests == ["POST /mappings", "POST /mappings/import", "POST /requests/find", "POST /reprise/sessions"]
        )
    }

    @Test(arguments: [
        (401, ControlError.Reason.refused), (403, .refused), (404, .notFound), (400, .invalid), (409, .invalid),
        (413, .invalid), (415, .invalid), (422, .invalid), (402, .unexpectedAnswer), (500, .unexpectedAnswer),
        (503, .unexpectedAnswer), (0, .unexpectedAnswer), (199, .unexpectedAnswer), (300, .unexpectedAnswer),
    ])
    func statusIsReasonOfError(status: Int, reason: ControlError.Reason) async throws {
        _ = try await calls(status: status) { control in
            let error = await #expect(throws: ControlError.self) { try await control.reset() }
            #expect(error?.reason == reason)
            #expect(error?.description == "POST http://empty.test/__admin/reset was answered with \(status)")
        }
    }

    @Test(arguments: [200, 201, 204, 299]) func everySuccessIsOne(status: Int) async throws {
        let calls = try await calls(status: status) { control in
            await #expect(throws: Never.self) { try await control.resetScenarios() }
        }
        #expect(calls.count == 1)
    }

    /// The text of an answer is shown up to its limit, without its line ending.
    @Test(arguments: [
        (#"{"errors": [{"code": 10, "source": {"pointer": "/a"}, "title": "t", "detail": "d"}]}"#, ": /a: d"),
        (#"{"errors": [{"code": 10, "title": "t"}, {"code": 10, "title": "u"}]}"#, ": t\nu"),
        ("no such page\r\n\n", ": no such page"), ("\n", ""), (" a\nb ", ":  a\nb "),
        (String(repeating: "x", count: 1001), ": " + String(repeating: "x", count: 1000)),
    ])
    func contentOfFailureIsShown(content: String, shown: String) async throws {
        _ = try await calls(content: content) { control in
            let error = await #expect(throws: ControlError.self) { try await control.reset() }
            #expect(error?.description == "POST http://empty.test/__admin/reset was answered with 404\(shown)")
        }
    }

    /// Only a server that does not know the path is asked at WireMock's.
    @Test(arguments: [(404, 2), (403, 1), (500, 1), (200, 1)])
    func olderPathIsForOlderServers(status: Int, count: Int) async throws {
        let calls = try await calls(status: status, content: "{}") { control in
            _ = try? await control.events
        }
        #expect(calls.map(\.request) == Array(["GET /reprise/requests", "GET /requests"].prefix(count)))
    }

    @Test func answerThatIsNotUnderstoodIsReported() async throws {
        _ = try await calls(status: 200, content: "[]") { control in
            let error = await #expect(throws: ControlError.self) { try await control.stubs }
            #expect(error?.reason == .unexpectedAnswer)
            #expect(
                error?.description.contains("GET http://empty.test/__admin/mappings was answered with JSON") == true
            )
        }
    }

    /// A near miss belongs to a request if both the method and the URL are equal.
    @Test(arguments: [
        ("GET", "/a", "GET", "/a", true), ("GET", "/a", "POST", "/a", false), ("GET", "/a", "GET", "/b", false),
        ("GET", "/a", "POST", "/b", false),
    ])
    func nearMissIsOfRequest(
        method: String,
        url: String,
        otherMethod: String,
        otherURL: String,
        isShown: Bool
    ) async throws {
        let content = """
            {"requests": [{"method": "\(method)", "url": "\(url)"}], "nearMisses": [{
              "request": {"method": "\(otherMethod)", "url": "\(otherURL)"},
              "stubMapping": {"request": {"method": "PUT", "url": "/near"}, "response": {}},
              "matchResult": {"distance": 0.5}
            }]}
            """
        _ = try await calls(status: 200, content: content) { control in
            let text = try #require(await control.unansweredExplanation())
            #expect(text.hasPrefix("The mock server had no answer to:\n  \(method) \(url)"))
            #expect(text.contains("The nearest stub: ") == isShown, "\(text)")
        }
    }

    @Test(arguments: [(200, #"{"requests": []}"#), (200, "[]"), (500, "")])
    func nothingUnansweredHasNoExplanation(status: Int, content: String) async throws {
        let calls = try await calls(status: status, content: content) { control in
            #expect(await control.unansweredExplanation() == nil)
        }
        #expect(calls.map(\.request) == ["GET /requests/unmatched"])
    }

    /// A failed wait gives its request back.
    @Test func failedWaitSkipsNothingLater() async throws {
        let calls = try await calls { control in
            for _ in 1...2 { _ = try? await control.next(.get("/a"), within: .zero) }
        }
        #expect(calls.map { $0.content?["skip"] ?? .integer(0) } == [.integer(0), .integer(0)])
    }

    /// The server waits for at most a minute, and the call for half a minute longer.
    @Test(
        arguments: [
            (.zero, 0, 30), (.milliseconds(1), 1, 30.001), (.milliseconds(1500), 1500, 31.5),
            (.seconds(60), 60_000, 90),
            (.seconds(61), 60_000, 90), (.seconds(Int64.max), 60_000, 90),
        ] as [(Duration, Int, Double)]
    )
    func waitIsSentInMilliseconds(time: Duration, milliseconds: Int, timeout: Double) async throws {
        let calls = try await calls { control in _ = try await control.next(.get("/a"), within: time) }
        let wait = RequestWait(.get("/a"), milliseconds: milliseconds)
        #expect(calls == [Call(request: "POST /reprise/requests/next", content: wait.json, timeout: timeout)])
    }

    /// Concurrent waits get different requests. A wait that ends without a request does not make the next one skip any.
    @Test func waitsSkipWhatWasTaken() {
        let waits = MockServerControl.Waits()
        let skipped: [Int] = [StubRequest.get("/a"), .get("/a"), .get("/b")].map { waits.take($0) }
        #expect(skipped == [0, 1, 0])
        waits.giveBack(.get("/a"))
        #expect(waits.take(.get("/a")) == 1)
        waits.reset()
        #expect(waits.take(.get("/a")) == 0)
        #expect(waits.take(.get("/b")) == 0)
        // What was taken before a reset is given back after it.
        waits.reset()
        waits.giveBack(.get("/a"))
        #expect(waits.take(.get("/a")) == 0)
    }

    @Test(arguments: [
        ("cart", "cart"), ("AZaz09-._~", "AZaz09-._~"), ("a b/c?d", "a%20b%2Fc%3Fd"), ("é", "%C3%A9"),
        ("\u{F}\u{10}", "%0F%10"),
    ])
    func nameOfScenarioIsPartOfPath(name: String, segment: String) async throws {
        let calls = try await calls { control in try await control.setScenario(name, to: "two") }
        #expect(calls.map(\.request) == ["PUT /scenarios/\(segment)/state"])
        #expect(calls.first?.content == ["state": "two"])
    }

    /// A server without an admin API receives the calls as requests.
    @Test(arguments: [("t0ken", "Bearer t0ken"), (nil, "Bearer none")])
    func callsHaveTokenAndType(token: String?, authorization: String) async throws {
        let configuration = MockServer.Configuration(admin: .disabled)
        let server = try await MockServer.start(stubs: [], configuration: configuration)
        let control = MockServerControl(server.url, token: token)
        await #expect(throws: ControlError.self) { try await control.stub(.get("/a"), .text("a")) }
        await #expect(throws: ControlError.self) { try await control.stubs }
        let received = await server.journal.entries
        #expect(received.map(\.target) == ["/__admin/mappings", "/__admin/mappings"])
        #expect(
            received.map { $0.headers.first { $0.hasName("Authorization") }?.value } == [authorization, authorization]
        )
        #expect(received.first?.headers.first { $0.hasName("Content-Type") }?.value == "application/json")
        await server.stop(grace: .zero)
    }
}
