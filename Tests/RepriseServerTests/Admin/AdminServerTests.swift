// SPDX-License-Identifier: Apache-2.0

import RepriseAdmin
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Scenarios, settings, and the server itself, over a socket.
@Suite(.timeLimit(.minutes(1))) struct AdminServerTests {
    @Test func scenariosAreListedSetAndReset() async throws {
        let server = try await AdminTestServer.start()
        for (state, next) in [("Started", "two"), ("two", "three")] {
            try await server.add(
                #"{"scenarioName": "S", "requiredScenarioState": "\#(state)", "newScenarioState": "\#(next)", "request": {"url": "/s"}, "response": {"body": "\#(state)"}}"#
            )
        }
        #expect(try await server.send("GET", "/s").body == "Started")
        let scenario = try await server.admin("GET", "/scenarios").json.first("scenarios")
        #expect(scenario?["name"] == "S")
        #expect(scenario?["state"] == "two")
        #expect(scenario?["possibleStates"] == ["Started", "three", "two"])
        #expect(scenario?.list("mappings").count == 2)
        #expect(try await server.admin("PUT", "/scenarios/S/state", #"{"state": "Started"}"#).status == 200)
        #expect(try await server.send("GET", "/s").body == "Started")
        #expect(try await server.admin("PUT", "/scenarios/S/state", "").status == 200)
        #expect(try await server.send("GET", "/s").body == "Started")
        #expect(try await server.admin("POST", "/scenarios/reset").status == 200)
        #expect(try await server.send("GET", "/s").body == "Started")
        #expect(try await server.admin("PUT", "/scenarios/S/state", #"{"state": "nope"}"#).status == 422)
        #expect(try await server.admin("PUT", "/scenarios/S/state", "{").status == 422)
        #expect(try await server.admin("PUT", "/scenarios/S/state", #"{"stat": "two"}"#).pointer == "/stat")
        #expect(try await server.admin("PUT", "/scenarios/Z/state", #"{"state": "two"}"#).status == 404)
        await server.stop()
    }

    @Test func settingsDelayOnlyStubsWithoutOwnDelay() async throws {
        let server = try await AdminTestServer.start()
        try await server.add(#"{"request": {"url": "/a"}}"#)
        try await server.add(#"{"request": {"url": "/own"}, "response": {"fixedDelayMilliseconds": 1}}"#)
        #expect(try await server.admin("POST", "/settings", #"{"fixedDelay": 60}"#).body == "{}")
        #expect(try await server.admin("GET", "/settings").json == ["settings": ["fixedDelay": 60]])
        try await server.send("GET", "/a")
        #expect(await (server.server.journal.entries.last?.duration ?? .zero) >= .milliseconds(60))
        // With the delay of the settings, they would take an hour.
        #expect(try await server.admin("POST", "/settings", #"{"fixedDelay": 3600000}"#).status == 200)
        for (path, status) in [("/own", 200), ("/miss", 404)] {
            #expect(try await server.send("GET", path).status == status)
        }
        #expect(try await server.admin("PUT", "/settings", #"{"extended": {"a": {"b": 1}}}"#).status == 200)
        #expect(try await server.admin("PATCH", "/settings/extended", #"{"extended": {"a": {"c": 2}}}"#).status == 200)
        #expect(try await server.admin("GET", "/settings").json == ["settings": ["extended": ["a": ["b": 1, "c": 2]]]])
        for (text, pointer) in [
            ("{", "/"), (#"{"nope": 1}"#, "/nope"), (#"{"fixedDelay": "x"}"#, "/fixedDelay"),
            (#"{"delayDistribution": {"type": "x"}}"#, "/delayDistribution/type"), ("[]", "/"),
            (
                #"{"delayDistribution": {"type": "fixed", "milliseconds": ""}}"#, "/delayDistribution/milliseconds"
            ),
            (#"{"delayDistribution": {"type": "uniform", "lower": 2, "upper": 1}}"#, "/delayDistribution"),
        ] {
            let answer = try await server.admin("POST", "/settings", text)
            #expect(answer.status == 422)
            #expect(answer.pointer == .string(pointer), "\(answer.body)")
        }
        await server.stop()
    }

    /// Unlike in a stub, a mistake in the settings changes nothing.
    @Test(arguments: [
        (
            #"{"delayDistribution": {"type": "uniform", "lower": 2, "upper": 1}}"#,
            #"expected "upper" to be at least "lower" (2), found 1; the previous settings stay in use"#
        ),
        (
            #"{"delayDistribution": {"type": "fixed", "milliseconds": -5}}"#,
            #"expected milliseconds from 0 to 31 days for "milliseconds", found the number -5; the previous settings stay in use"#
        ),
        (
            #"{"fixedDelay": -1}"#,
            "expected milliseconds from 0 to 31 days for \"fixedDelay\", found the number -1; the previous settings stay in use"
        ),
    ])
    func mistakeInSettingsKeepsPreviousOnes(_ text: String, _ detail: String) async throws {
        let server = try await AdminTestServer.start()
        #expect(try await server.admin("POST", "/settings", #"{"fixedDelay": 1}"#).status == 200)
        let answer = try await server.admin("POST", "/settings", text)
        #expect(answer.json.first("errors")?["detail"] == .string(detail))
        #expect(try await server.admin("GET", "/settings").json == ["settings": ["fixedDelay": 1]])
        await server.stop()
    }

    @Test func settingsDelayRecordingsAndRoutes() async throws {
        let folder = try TemporaryFolder(["a.get.txt": "a", "b.get.txt": "b"])
        let server = try await AdminTestServer.start(folder)
        #expect(try await server.admin("POST", "/settings", #"{"fixedDelay": 60}"#).status == 200)
        let requests = [("GET", "/a", ""), ("HEAD", "/a", ""), ("GET", "/b", "Range: bytes=0-0\r\n")]
        for (method, path, line) in requests { try await server.send(method, path, nil, line) }
        var delays = await server.server.journal.entries.map { ($0.duration ?? .zero) >= .milliseconds(60) }
        #expect(delays == [true, true, true])
        // With the delay of the settings, a miss would take an hour.
        #expect(try await server.admin("POST", "/settings", #"{"fixedDelay": 3600000}"#).status == 200)
        #expect(try await server.send("GET", "/none").status == 404)
        let distribution = #"{"delayDistribution": {"type": "uniform", "lower": 60, "upper": 61}}"#
        #expect(try await server.admin("POST", "/settings", distribution).status == 200)
        #expect(try await server.send("GET", "/a").body == "a")
        delays = await server.server.journal.entries.map { ($0.duration ?? .zero) >= .milliseconds(60) }
        #expect(delays.last == true)
        #expect(try await server.admin("POST", "/settings", "{}").status == 200)
        #expect(try await server.send("GET", "/a").body == "a")
        await server.stop()
    }

    @Test func healthVersionAndDocumentationAreServed() async throws {
        let server = try await AdminTestServer.start()
        #expect(try await server.admin("GET", "/health").json["status"] == "healthy")
        #expect(try await server.admin("GET", "/version").json["version"] == .string(AdminAPI.version))
        #expect(try await server.admin("GET", "/docs").body.contains("/__admin/mappings/{id}"))
        let paths = try await server.admin("GET", "/docs/swagger").json["paths"]
        #expect(paths?["/__admin/mappings"]?["post"] != nil)
        #expect(try await server.admin("GET", "/certs/wiremock-ca.crt").status == 404)
        #expect(try await server.admin("GET", "/recordings/status").json == ["status": "NeverStarted"])
        await server.stop()
    }

    @Test func answersAreNeitherCachedNorReadableByOtherPages() async throws {
        let server = try await AdminTestServer.start()
        let head = try await server.admin("GET", "/mappings").head
        #expect(head.contains("Cache-Control: no-store"))
        #expect(!head.contains("Access-Control"))
        let foreign = try await server.admin("GET", "/mappings", nil, "Origin: http://evil.test\r\n")
        #expect(foreign.status == 403)
        #expect(try await server.admin("POST", "/mappings", "{}", "Origin: null\r\n").status == 403)
        #expect(try await server.admin("GET", "/mappings").json["meta"] == ["total": 0])
        await server.stop()
    }

    @Test func shutdownStopsTheServer() async throws {
        let server = try await AdminTestServer.start()
        #expect(try await server.admin("POST", "/shutdown").status == 200)
        await server.stop()
        await #expect(throws: (any Error).self) { try await server.admin("GET", "/health") }
    }

    @Test func disabledAPIPathIsOrdinary() async throws {
        var configuration = MockServer.Configuration()
        configuration.admin = .disabled
        let server = AdminTestServer(server: try await MockServer.start(fixtures: [], configuration: configuration))
        let answer = try await server.admin("GET", "/mappings")
        #expect(answer.status == 404)
        #expect(answer.json["errors"] == nil)
        #expect(await server.server.journal.entries.count == 1)
        await server.stop()
    }

    @Test(arguments: ["/__admi", "/__adminx", "/__", "/_", "/", "/__Admin", "/x/__admin"])
    func similarPathIsNotInAPI(path: String) async throws {
        let server = try await AdminTestServer.start()
        try await server.add(#"{"request": {"urlPath": "\#(path)"}, "response": {"body": "stub"}}"#)
        #expect(try await server.send("GET", path).body == "stub")
        await server.stop()
    }

    @Test func requestsAreAnsweredWhileTheListIsRead() async throws {
        let server = try await AdminTestServer.start()
        let id = try await server.add(#"{"request": {"url": "/a"}, "response": {"body": "hi"}}"#)
        for _ in 0..<50 { try await server.send("GET", "/a") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let stub = #"{"request": {"url": "/a"}, "response": {"body": "hi"}}"#
            for _ in 0..<4 {
                group.addTask {
                    let status = try await server.admin("GET", "/requests").status
                    #expect(status == 200)
                }
                group.addTask {
                    let body = try await server.send("GET", "/a").body
                    #expect(body == "hi")
                }
                group.addTask {
                    let status = try await server.admin("PUT", "/mappings/\(id)", stub).status
                    #expect(status == 200)
                }
            }
            try await group.waitForAll()
        }
        await server.stop()
    }
}
