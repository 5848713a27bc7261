// SPDX-License-Identifier: Apache-2.0

import RepriseAdmin
import RepriseServer
import Testing

@testable import RepriseControl

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

@Suite struct MockServerControlTests {
    private func withControl(
        admin: MockServer.Admin = .init(),
        token: String? = nil,
        _ body: (MockServerControl) async throws -> Void
    ) async throws {
        var configuration = MockServer.Configuration()
        configuration.admin = admin
        let server = try await MockServer.start(stubs: [], configuration: configuration)
        try await body(MockServerControl(server.url, token: token))
        await server.stop(grace: .zero)
    }

    /// Sends a request to the server and returns the status and the text of the answer.
    @discardableResult
    private func ask(
        _ control: MockServerControl,
        _ path: String,
        method: String = "GET",
        body: String? = nil
    ) async throws -> (status: Int, text: String) {
        var request = URLRequest(url: URL(string: control.url.absoluteString + path)!)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    @Test func stubIsAddedAndRemoved() async throws {
        try await withControl { control in
            let id = try await control.stub(.get("/profile"), .text("Ada"))
            #expect(try await ask(control, "/profile").text == "Ada")
            #expect(try await control.stubs.map(\.id) == [id])
            try await control.remove(stub: id)
            #expect(try await ask(control, "/profile").status == 404)
            let error = await #expect(throws: ControlError.self) { try await control.remove(stub: id) }
            #expect(error?.reason == .notFound)
        }
    }

    /// An older server, and WireMock, know nothing below `/reprise`.
    private struct OlderServer: AdminRoad {
        let base = "older"

        func answer(
            _ method: String,
            _ target: String,
            _ content: [UInt8]?,
            timeout: Double
        ) async throws(ControlError) -> (status: Int, content: [UInt8]) {
            guard target == "/requests" else { return (404, []) }
            let event = """
                {"id": "1", "request": {"url": "/a", "method": "GET"}, "response": {"status": 200},
                 "stubMapping": {}, "reprise": {"fixture": "a.get.txt", "ordinal": 2}}
                """
            return (200, Array(#"{"requests": [\#(event)]}"#.utf8))
        }

        func road(to session: ServerSession) async throws(ControlError) -> any AdminRoad { self }
    }

    @Test func eventsOfOlderServerHaveTheirOrigin() async throws {
        let control = MockServerControl(URL(string: "http://localhost")!, OlderServer())
        #expect(try await control.events.map(\.origin?.fixture) == ["a.get.txt"])
    }

    @Test func eventsNameTheFixtureThatAnswered() async throws {
        try await withControl { control in
            try await control.stub(.get("/profile"), .text("Ada"))
            try await ask(control, "/profile")
            #expect(try await control.events.map(\.origin?.ordinal) == [1])
        }
    }

    @Test func firstStubOfSeveralAnswers() async throws {
        try await withControl { control in
            try await control.stub([
                StubMapping(.get("/a"), .text("first")), StubMapping(.get("/a"), .text("second")),
            ])
            #expect(try await ask(control, "/a").text == "first")
        }
    }

    @Test func invalidStubIsReportedWithItsPlace() async throws {
        try await withControl { control in
            let error = await #expect(throws: ControlError.self) {
                try await control.stub(.get("/a").header("X", .matches("(")), .text(""))
            }
            #expect(error?.reason == .invalid)
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("/request/headers/X"))
            let stubs = try await control.stubs
            #expect(stubs.isEmpty)
        }
    }

    @Test func scenarioIsReadAndSet() async throws {
        try await withControl { control in
            try await control.stub(StubMapping(.get("/cart"), .text("[]")).inScenario("a cart/1", requires: "Started"))
            try await control.stub(StubMapping(.get("/cart"), .text("[1]")).inScenario("a cart/1", requires: "full"))
            try await control.setScenario("a cart/1", to: "full")
            #expect(try await control.scenarios.map(\.state) == ["full"])
            #expect(try await ask(control, "/cart").text == "[1]")
            try await control.resetScenarios()
            #expect(try await ask(control, "/cart").text == "[]")
            let error = await #expect(throws: ControlError.self) { try await control.setScenario("none", to: "full") }
            #expect(error?.reason == .notFound)
        }
    }

    @Test func receivedRequestsAreFound() async throws {
        try await withControl { control in
            try await control.stub(.any("/users"), .text("ok"))
            try await ask(control, "/users", method: "POST", body: #"{"name":"Ada"}"#)
            try await ask(control, "/users?page=2")
            try await ask(control, "/nothing")
            #expect(try await control.requests(matching: .get("/users")).map(\.url) == ["/users?page=2"])
            #expect(try await control.requests().map(\.url) == ["/users", "/users?page=2", "/nothing"])
            #expect(try await control.unansweredRequests().map(\.url) == ["/nothing"])
            #expect(try await control.events.map(\.response.status) == [200, 200, 404])
            let found = await control.verify(.post("/users").body(.matchesJSONPath("$.name")), .exactly(1))
            #expect(found.map(\.text) == [#"{"name":"Ada"}"#])
            try await control.reset()
            #expect(try await control.requests().isEmpty)
        }
    }

    @Test func failedVerificationIsRecordedAtItsLine() async throws {
        try await withControl { control in
            try await ask(control, "/user", method: "POST")
            await withKnownIssue {
                await control.verify(.post("/users"), .exactly(1), line: 17)
            } matching: { issue in
                let text = issue.comments.map(\.rawValue).joined()
                return text.contains("expected exactly 1 request for POST /users, found 0")
                    && text.contains("url: expected [path] /users, found /user") && issue.sourceLocation?.line == 17
            }
        }
    }

    @Test func verificationExpectsRequestByDefault() async throws {
        try await withControl { control in
            await withKnownIssue {
                await control.verify(.get("/none"))
            } matching: { issue in
                issue.comments.map(\.rawValue).joined().contains("expected at least 1 request for GET /none, found 0")
            }
            try await ask(control, "/some")
            #expect(await control.verify(.get("/some")).map(\.url) == ["/some"])
        }
    }

    /// The requests that were found are not compared once more.
    @Test func failedVerificationOfFoundRequestsNamesNoOthers() async throws {
        try await withControl { control in
            try await ask(control, "/some")
            try await ask(control, "/sone")
            await withKnownIssue {
                #expect(await control.verify(.get("/some"), .exactly(2)).map(\.url) == ["/some"])
            } matching: { issue in
                let text = issue.comments.map(\.rawValue).joined()
                return text.hasSuffix("expected exactly 2 requests for GET /some, found 1")
            }
        }
    }

    @Test func failedWaitNamesNumberAndNearestRequest() async throws {
        try await withControl { control in
            try await ask(control, "/analytics", method: "POST", body: "1")
            _ = try await control.next(.post("/analytics"), within: .zero)
            try await ask(control, "/analytic", method: "POST")
            let error = await #expect(throws: ControlError.self) {
                try await control.next(.post("/analytics"), within: .milliseconds(1))
            }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("expected at least 2 requests for POST /analytics, found 1\nThe nearest request"))
            #expect(text.contains("  POST /analytic\n    url: expected [path] /analytics, found /analytic"))
            #expect(text.hasSuffix("\nNo further request arrived within 0.001 seconds."))
        }
    }

    @Test func sessionHasItsOwnStubsUntilItIsClosed() async throws {
        try await withControl { control in
            try await control.stub(.get("/a"), .text("root"))
            let session = try await control.openSession()
            #expect(session.sessionID != nil)
            #expect(session.url != control.url)
            #expect(session.launchEnvironment == ["REPRISE_SERVER": session.url.absoluteString])
            try await session.stub(.get("/a"), .text("session"))
            #expect(try await ask(session, "/a").text == "session")
            #expect(try await ask(control, "/a").text == "root")
            #expect(try await session.requests().count == 1)
            // A session within a session is one of the server.
            let other = try await session.openSession()
            #expect(try await ask(other, "/a").text == "root")
            try await session.close()
            let error = await #expect(throws: ControlError.self) { try await session.close() }
            #expect(error?.reason == .notFound)
            #expect(try await ask(other, "/a").text == "root")
            try await other.close()
        }
    }

    /// The port of the session cannot be reached, or leads to another server.
    @Test func sessionIsReachedByPrefixIfNotByPort() async throws {
        try await withControl { control in
            let opened = try await control.openSession()
            let id = try #require(opened.sessionID)
            let road = HTTPRoad(base: control.client.base, token: "t")
            let header = NamedValues("Reprise-Session", [id])
            let prefix = "\(control.client.base)/__session/\(id)"
            for url in [nil, "http://127.0.0.1:0", control.client.base, opened.client.base] {
                let session = ServerSession(
                    id: url == control.client.base ? "other" : id,
                    url: url,
                    prefixURL: "",
                    header: header
                )
                let found = try await road.road(to: session)
                let expected =
                    url == opened.client.base
                    ? opened.client.base : prefix.replacing(id, with: session.id)
                #expect(found.base == expected)
                #expect((found as? HTTPRoad)?.token == "t")
            }
        }
    }

    @Test func sessionIsClosedAfterFailure() async throws {
        struct Failure: Error {}
        try await withControl { control in
            var ended: MockServerControl?
            await #expect(throws: Failure.self) {
                try await control.withSession { session in
                    ended = session
                    throw Failure()
                }
            }
            await #expect(throws: ControlError.self) { try await ended?.close() }
            let count = try await control.withSession { try await $0.stubs.count }
            #expect(count == 0)
        }
    }

    /// Runs in a separate process, which has no test to attach them to.
    @Test func unansweredRequestsAreShownWithNearestStub() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let server = try await MockServer.start(stubs: [])
            let control = MockServerControl(server.url)
            await control.attachUnansweredRequests()
            try await control.stub(.get("/users/7"), .text(""))
            try await control.stub(.post("/orders"), .text(""))
            for (method, path) in [("GET", "/users/8"), ("PUT", "/orders")] {
                var request = URLRequest(url: URL(string: server.url.absoluteString + path)!)
                request.httpMethod = method
                _ = try await URLSession.shared.data(for: request)
            }
            await control.attachUnansweredRequests()
            exit(EXIT_SUCCESS)
        }
        let text = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
        let expected = """
            unanswered-requests.txt:
            The mock server had no answer to:
              PUT /orders
                method: expected POST, found PUT
                The nearest stub: POST /orders
              GET /users/8
                url: expected [path] /users/7, found /users/8
                The nearest stub: GET /users/7

            """
        #expect(text.contains(expected), "\(text)")
        #expect(text.components(separatedBy: "unanswered-requests.txt").count == 2)
    }

    @Test func nextRequestAfterResetIsTheFirst() async throws {
        try await withControl { control in
            for number in 1...3 {
                try await ask(control, "/analytics", method: "POST", body: "\(number)")
                #expect(try await control.next(.post("/analytics"), within: .seconds(30)).text == "\(number)")
                try await control.reset()
            }
        }
    }

    @Test func nextRequestIsAwaited() async throws {
        try await withControl { control in
            try await control.stub(.any("/analytics"), .text("ok"))
            async let first = control.next(.post("/analytics"), within: .seconds(30))
            try await ask(control, "/analytics")
            try await ask(control, "/analytics", method: "POST", body: "1")
            #expect(try await first.text == "1")
            try await ask(control, "/analytics", method: "POST", body: "2")
            #expect(try await control.next(.post("/analytics"), within: .zero).text == "2")
            let error = await #expect(throws: ControlError.self) {
                try await control.next(.post("/analytics"), within: .milliseconds(1))
            }
            #expect(error?.reason == .timedOut)
            try await ask(control, "/analytics", method: "POST", body: "3")
            #expect(try await control.next(.post("/analytics"), within: .zero).text == "3")
        }
    }

    @Test func tokenIsSent() async throws {
        try await withControl(admin: .init(token: "s3cret"), token: "s3cret") { control in
            let stubs = try await control.stubs
            #expect(stubs.isEmpty)
        }
        try await withControl(admin: .init(token: "s3cret"), token: "wrong") { control in
            let error = await #expect(throws: ControlError.self) { try await control.stubs }
            #expect(error?.reason == .refused)
            let text = error.map { "\($0)" } ?? ""
            #expect(!text.contains("s3cret"))
        }
    }
}
