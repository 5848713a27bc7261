// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseControl

@Suite struct ControlEnvironmentTests {
    @Test func serverAndTokenAreFoundInEnvironment() throws {
        let control = try MockServerControl.fromEnvironment([
            "REPRISE_SERVER": "http://127.0.0.1:8080/", "MOCKSERVER_ADMIN_TOKEN": "t0ken",
        ])
        #expect(control.client.base == "http://127.0.0.1:8080")
        #expect((control.client.road as? HTTPRoad)?.token == "t0ken")
        #expect(control.launchEnvironment == ["REPRISE_SERVER": "http://127.0.0.1:8080/"])
    }

    @Test(arguments: [[:], ["REPRISE_SERVER": ""]])
    func missingServerIsReported(environment: [String: String]) {
        #expect {
            try MockServerControl.fromEnvironment(environment)
        } throws: { error in
            "\(error)".contains("expected the URL of a mock server in REPRISE_SERVER, found nothing")
        }
    }

    @Test(arguments: ["localhost:8080", "8080", "ftp://127.0.0.1", "http://", "not a url"])
    func invalidURLIsReported(text: String) {
        #expect {
            try MockServerControl.fromEnvironment(["REPRISE_SERVER": text])
        } throws: { error in
            "\(error)".contains("found '\(text)'")
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://127.0.0.1:8080//", "http://127.0.0.1:8080"),
        ("HTTPS://mock.test/a/", "HTTPS://mock.test/a"),
    ])
    func baseHasNoSlashAtItsEnd(text: String, base: String) throws {
        let control = try MockServerControl.fromEnvironment(["REPRISE_SERVER": text])
        #expect(control.client.base == base)
        #expect(control.root.base == base)
        #expect(control.sessionID == nil)
        #expect((control.client.road as? HTTPRoad)?.token == nil)
    }

    @Test func unreachableServerIsReported() async throws {
        // Nothing can listen on port 0.
        let control = try MockServerControl.fromEnvironment(["REPRISE_SERVER": "http://127.0.0.1:0"])
        let error = await #expect(throws: ControlError.self) { try await control.reset() }
        #expect(error?.reason == .unreachable)
    }

    @Test func failedVerificationNamesNearestRequestAndItsFields() {
        var request = LoggedRequest(method: "POST", url: "/user")
        request.body = []
        let near = NearMiss(
            request,
            pattern: .post("/users"),
            distance: 0.1,
            conditions: [
                NearMiss.Condition(field: "method", expected: "POST", found: "POST", isMatch: true),
                NearMiss.Condition(field: "url", expected: "/users", found: "/user", isMatch: false),
            ]
        )
        let failure = VerificationFailure(.post("/users"), expected: .exactly(1), found: 0, nearest: [near])
        #expect(
            failure.description == """
                expected exactly 1 request for POST /users, found 0
                The nearest request:
                  POST /user
                    url: expected /users, found /user
                """
        )
    }

    @Test func patternWithMoreConditionsIsShownAsJSON() {
        let failure = VerificationFailure(.post("/a").header("X", .equalTo("1")), expected: .never, found: 2)
        #expect(
            failure.description
                == #"expected no request for {"urlPath":"/a","method":"POST","headers":{"X":{"equalTo":"1"}}}, found 2"#
        )
    }
}
