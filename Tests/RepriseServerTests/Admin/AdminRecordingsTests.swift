// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import RepriseDocuments
import RepriseFixtures
import RepriseIO
import RepriseRecording
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Recording another server over the admin API, through sockets.
@Suite struct AdminRecordingsTests {
    /// A server to record.
    private static func startFar() async throws -> AdminTestServer {
        let far = try await AdminTestServer.start()
        try await far.add(
            #"{"request": {"urlPath": "/json"}, "response": {"jsonBody": {"id": 7, "access_token": "s3cr3tvalue0123456789"}, "headers": {"Content-Type": "application/json", "X-A": "1"}}}"#
        )
        try await far.add(#"{"request": {"urlPath": "/text"}, "response": {"status": 201, "body": "far away"}}"#)
        for (state, next) in [("Started", "two"), ("two", "three")] {
            try await far.add(
                #"{"scenarioName": "S", "requiredScenarioState": "\#(state)", "newScenarioState": "\#(next)", "request": {"url": "/s"}, "response": {"body": "\#(state)"}}"#
            )
        }
        return far
    }

    private static func url(_ server: AdminTestServer) -> String { "http://127.0.0.1:\(server.server.port)" }

    private static func cassettes(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".cassette.json") }
    }

    @Test func recordingIsKeptAsCassetteAndServed() async throws {
        let (far, folder) = (try await Self.startFar(), try TemporaryFolder())
        let near = try await AdminTestServer.start(folder)
        try await near.add(#"{"request": {"url": "/own"}, "response": {"body": "own"}}"#)
        let events = await EventReader(near.server)
        #expect(try await near.admin("GET", "/recordings/status").json == ["status": "NeverStarted"])
        let start = try await near.admin("POST", "/recordings/start", #"{"targetBaseUrl": "\#(Self.url(far))"}"#)
        #expect(start.status == 200)
        #expect(start.body == "{}")
        #expect(try await near.admin("GET", "/recordings/status").json == ["status": "Recording"])
        guard case .recordingStarted(let path)? = await events.change() else { throw CancellationError() }
        #expect(try await near.send("GET", "/own").body == "own")
        #expect(try await near.send("GET", "/text?x=1").body == "far away")
        #expect(
            try await near.send("POST", "/json", #"{"q": [1, 2]}"#, "Content-Type: application/json\r\n").status == 200
        )
        for state in ["Started", "two"] { #expect(try await near.send("GET", "/s").body == state) }
        let stop = try await near.admin("POST", "/recordings/stop")
        #expect(stop.status == 200)
        await far.stop()

        let mappings = stop.json.list("mappings")
        #expect(mappings.map { $0["request"]?["url"] } == ["/text?x=1", "/json", "/s", "/s"])
        #expect(mappings.map { $0["name"] } == ["text", "json", "s", "s"])
        #expect(mappings[0]["response"]?["status"] == 201)
        #expect(mappings[0]["response"]?["body"] == "far away")
        #expect(mappings[0]["persistent"] == true)
        #expect(mappings[1].json(at: "request", "bodyPatterns")?.contains("equalToJson") == true)
        #expect(mappings[1]["response"]?["headers"]?["X-A"] == "1")
        #expect(mappings[2]["scenarioName"] == "scenario-1-s")
        #expect(mappings[2]["newScenarioState"] == "scenario-1-s-2")
        #expect(mappings[3]["requiredScenarioState"] == "scenario-1-s-2")
        #expect(!stop.body.contains("s3cr3t"))

        let names = try Self.cassettes(in: folder)
        #expect(names.count == 1)
        #expect(path == "\(folder.path)/\(names[0])")
        #expect(names[0].hasPrefix("127.0.0.1-\(far.server.port)-2"))
        let cassette = try String(contentsOfFile: path, encoding: .utf8)
        #expect(cassette.contains("far away") && !cassette.contains("s3cr3t"))
        #expect(await events.change() == .recordingFinished(path: path))

        #expect(try await near.send("GET", "/text?x=1").body == "far away")
        for state in ["Started", "two"] { #expect(try await near.send("GET", "/s").body == state) }
        #expect(try await near.send("GET", "/unknown").status == 404)
        #expect(try await near.send("GET", "/own").body == "own")
        #expect(try await near.admin("GET", "/recordings/status").json == ["status": "Stopped"])
        await near.stop()
    }

    @Test func recordingWithoutFileBecomesStubs() async throws {
        let far = try await Self.startFar()
        let near = try await AdminTestServer.start(threads: 3)
        let target = #""targetBaseUrl": "\#(Self.url(far))/""#
        #expect(try await near.admin("POST", "/recordings/start", "{\(target)}").status == 409)
        let spec =
            #"{\#(target), "persist": false, "outputFormat": "IDS", "repeatsAsScenarios": false, "captureHeaders": {"X-Q": {"caseInsensitive": true}}, "filters": {"method": "GET"}}"#
        #expect(try await near.admin("POST", "/recordings/start", spec).status == 200)
        #expect(try await near.send("GET", "/text", nil, "X-Q: a\r\n").body == "far away")
        #expect(try await near.send("POST", "/text", "x").status == 201)
        for _ in 0..<2 { _ = try await near.send("GET", "/s") }
        let ids = try await near.admin("POST", "/recordings/stop").json.list("ids")
        await far.stop()
        #expect(ids.count == 2)
        #expect(try await near.admin("GET", "/mappings").json.list("mappings").count == 2)
        #expect(try await near.send("GET", "/text", nil, "X-Q: A\r\n").body == "far away")
        #expect(try await near.send("GET", "/text").status == 404)
        #expect(try await near.send("POST", "/text", "x").status == 404)
        #expect(try await near.send("GET", "/s").body == "Started")
        #expect(try await near.send("GET", "/s").body == "Started")
        await near.stop()
    }

    /// The recording replaces each of these secrets by a text of the same shape, not by a marker.
    @Test func stubsMatchOtherSecretsOfSameShape() async throws {
        let far = try await AdminTestServer.start()
        try await far.add(
            #"{"request": {"urlPathPattern": "/.*"}, "response": {"body": "far away: [redacted~1]"}}"#
        )
        let near = try await AdminTestServer.start()
        let spec = #"{"targetBaseUrl": "\#(Self.url(far))", "persist": false, "captureHeaders": {"X-Api-Key": {}}}"#
        #expect(try await near.admin("POST", "/recordings/start", spec).status == 200)
        func ask(_ secrets: ShapedSecrets, amount: Int = 5) async throws -> (status: Int, body: String) {
            let answer = try await near.send(
                "POST",
                "/a/[redacted~1]?access_token=\(secrets.uuid)",
                #"{"refresh_token": "\#(secrets.jwt)", "pin": \#(secrets.pin), "amount": \#(amount)}"#,
                "X-Api-Key: \(secrets.hex)\r\nContent-Type: application/json\r\n"
            )
            return (answer.status, answer.body)
        }
        let recorded = ShapedSecrets(
            uuid: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            jwt: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0."
                + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
            pin: 739_415,
            hex: "9f86d081884c7d659a2feaa0c55ad015"
        )
        #expect(try await ask(recorded).status == 200)
        let stop = try await near.admin("POST", "/recordings/stop")
        await far.stop()
        for secret in [recorded.uuid, recorded.jwt, "\(recorded.pin)", recorded.hex] {
            #expect(!stop.body.contains(secret))
        }

        let other = ShapedSecrets(
            uuid: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
            jwt: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI5ODc2NTQzMjEwIn0."
                + "c2lnbmF0dXJlLW9mLXRoZS1vdGhlci10b2tlbi0wMDE",
            pin: 280_517,
            hex: "60303ae22b998861bce3b28f33eec1be"
        )
        #expect(try await ask(other) == (200, "far away: [redacted~1]"))
        #expect(try await ask(other, amount: 6).status == 404)
        await near.stop()
    }

    private struct ShapedSecrets {
        var uuid: String
        var jwt: String
        var pin: Int
        var hex: String
    }

    @Test func snapshotMakesStubsOfForwardedRequests() async throws {
        let (far, folder) = (try await Self.startFar(), try TemporaryFolder())
        let near = try await AdminTestServer.start(folder)
        try await near.add(#"{"request": {"url": "/own"}, "response": {"body": "own"}}"#)
        let proxy = try await near.add(
            #"{"priority": 9, "request": {"urlPattern": "/.*"}, "response": {"proxyBaseUrl": "\#(Self.url(far))"}}"#
        )
        for path in ["/own", "/text", "/json?access_token=s3cr3tvalue0123456789", "/none"] {
            try await near.send("GET", path)
        }
        let taken = try await near.admin("POST", "/recordings/snapshot")
        #expect(taken.status == 200)
        #expect(!taken.body.contains("s3cr3t"))
        let mappings = taken.json.list("mappings")
        #expect(mappings.count == 3)
        #expect(mappings[0]["response"]?["body"] == "far away")
        #expect(mappings[1]["request"]?["urlPattern"] != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/mappings").count == 3)
        await far.stop()
        try await near.admin("DELETE", "/mappings/\(proxy)")
        #expect(try await near.send("GET", "/text").body == "far away")
        #expect(try await near.send("GET", "/json?access_token=other").status == 200)
        let filtered = #"{"filters": {"urlPath": "/text"}, "persist": false, "outputFormat": "IDS"}"#
        #expect(try await near.admin("POST", "/recordings/snapshot", filtered).json.list("ids").count == 1)
        #expect(
            try await near.admin("POST", "/recordings/snapshot", #"{"outputFormat": "x"}"#).pointer == "/outputFormat"
        )
        await near.stop()
    }

    /// A stub names itself in its answer, so the lines of the stub that forwarded are not part of the recording. The
    /// length of content that HEAD does not get is known only from the recorded line.
    @Test(arguments: ["HEAD", "GET"]) func snapshotKeepsWhatOtherServerSaid(_ method: String) async throws {
        let (far, near) = (try await Self.startFar(), try await AdminTestServer.start())
        let proxy = try await near.add(
            #"{"name": "proxy", "request": {"urlPattern": "/.*"}, "response": {"proxyBaseUrl": "\#(Self.url(far))"}}"#
        )
        let forwarded = try await near.send(method, "/text")
        #expect(forwarded.head.contains("\r\nContent-Length: 8") && forwarded.head.contains("Matched-Stub-Name: proxy"))
        let mappings = try await near.admin("POST", "/recordings/snapshot").json.list("mappings")
        await far.stop()
        let headers = mappings.first?["response"]?["headers"]
        #expect(mappings.count == 1)
        #expect(headers?["Matched-Stub-Id"] == nil && headers?["Matched-Stub-Name"] == nil)
        try await near.admin("DELETE", "/mappings/\(proxy)")
        let played = try await near.send(method, "/text")
        #expect(played.head.contains("\r\nContent-Length: 8"))
        #expect(played.body == forwarded.body)
        #expect(played.head.components(separatedBy: "Matched-Stub-Id").count == 2)
        await near.stop()
    }

    @Test func mistakesAreRefusedAndNothingIsRecorded() async throws {
        let (far, folder) = (try await Self.startFar(), try TemporaryFolder())
        let near = try await AdminTestServer.start(folder)
        let stop = try await near.admin("POST", "/recordings/stop")
        #expect(stop.status == 400)
        #expect(stop.json.first("errors")?["code"] == 30)
        for (spec, pointer) in [
            ("{}", "/targetBaseUrl"), (#"{"targetBaseUrl": "nope"}"#, "/targetBaseUrl"), ("{", "/"), ("", "/"),
            (#"{"targetBaseUrl": "http://a", "nope": 1}"#, "/nope"),
            (#"{"targetBaseUrl": "http://a", "filters": {"urlPth": "/a"}}"#, "/filters/urlPth"),
            (#"{"targetBaseUrl": "http://a", "filters": {"bodyPatterns": []}}"#, "/filters/bodyPatterns"),
            (#"{"targetBaseUrl": "http://a", "transformers": ["x"]}"#, "/transformers"),
            (#"{"targetBaseUrl": "http://a", "requestBodyPattern": {"matcher": "x"}}"#, "/requestBodyPattern/matcher"),
        ] {
            let answer = try await near.admin("POST", "/recordings/start", spec)
            #expect(answer.status == 422, "\(spec) \(answer.body)")
            #expect(answer.pointer == .string(pointer), "\(spec) \(answer.body)")
        }
        #expect(try await near.admin("GET", "/recordings/status").json == ["status": "NeverStarted"])
        #expect(try await near.send("GET", "/text").status == 404)
        #expect(try await near.admin("GET", "/recorder").status == 404)

        let session = try await near.server.control.openSession()
        let inSession = try await near.admin(
            "POST",
            "/recordings/start",
            #"{"targetBaseUrl": "\#(Self.url(far))"}"#,
            "Reprise-Session: \(session.id)\r\n"
        )
        #expect(inSession.status == 403)
        for (target, status) in [(Self.url(far), 200), (Self.url(far), 200), ("http://127.0.0.1:1", 409)] {
            let answer = try await near.admin("POST", "/recordings/start", #"{"targetBaseUrl": "\#(target)"}"#)
            #expect(answer.status == status)
        }
        // Nothing was recorded, so there is no file.
        #expect(try await near.admin("POST", "/recordings/stop").json == ["mappings": []])
        #expect(try Self.cassettes(in: folder).isEmpty)
        await near.stop()
        await far.stop()
    }

    @Test func recordingSinceStartRefusesAnother() async throws {
        let (far, folder) = (try await Self.startFar(), try TemporaryFolder())
        let path = folder.path + "/a.cassette.json"
        var configuration = MockServer.Configuration()
        let recorder = try CassetteRecorder(path)
        configuration.upstream = try MockServer.Upstream(Self.url(far), recorder: recorder)
        let near = try await AdminTestServer.start(folder, configuration: configuration)
        #expect(try await near.admin("GET", "/recordings/status").json == ["status": "Recording"])
        let spec = #"{"targetBaseUrl": "http://127.0.0.1:1"}"#
        for (call, body) in [("start", spec), ("stop", nil)] {
            let answer = try await near.admin("POST", "/recordings/\(call)", body)
            #expect(answer.status == 409)
            #expect(answer.body.contains("into \(path); stop the server"))
        }
        #expect(try await near.send("GET", "/text").body == "far away")
        await near.stop()
        #expect(try recorder.finish().exchanges == 1)
        await far.stop()
    }

    @Test func stoppedServerKeepsRecording() async throws {
        let (far, folder) = (try await Self.startFar(), try TemporaryFolder())
        let near = try await AdminTestServer.start(folder)
        try await near.admin("POST", "/recordings/start", #"{"targetBaseUrl": "\#(Self.url(far))"}"#)
        #expect(try await near.send("GET", "/text").body == "far away")
        await near.stop()
        let names = try Self.cassettes(in: folder)
        #expect(names.count == 1)
        let set = try FixtureLoader.load([folder.path + "/" + (names.first ?? "")])
        #expect(set.fixtures.count == 1)
        await far.stop()
    }

    @Test func lostExchangeIsLoggedAtOnce() async throws {
        let (far, folder) = (try await AdminTestServer.start(), try TemporaryFolder())
        let body = String(repeating: "far away ", count: 50_000)
        try await far.add(#"{"request": {"url": "/long"}, "response": {"body": "\#(body)"}}"#)
        let errors = ErrorLog()
        var configuration = MockServer.Configuration()
        configuration.logger = errors.logger
        let near = try await AdminTestServer.start(folder, configuration: configuration)
        let events = await EventReader(near.server)
        try await near.admin("POST", "/recordings/start", #"{"targetBaseUrl": "\#(Self.url(far))"}"#)
        guard case .recordingStarted(let path)? = await events.change() else { throw CancellationError() }
        // A file is where the folder of the bodies must be.
        let bodies = path.replacing(".cassette.json", with: ".cassette.bodies")
        try Data("x".utf8).write(to: URL(fileURLWithPath: bodies))
        #expect(try await near.send("GET", "/long").body == body)
        #expect(errors.messages.count == 1)
        #expect(errors.messages.first?.contains("exchanges lost so far: 1") == true)
        await near.stop()
        await far.stop()
    }

    @Test func nameOfCassetteIsHostAndTime() {
        let date = Date(timeIntervalSince1970: 1_790_000_000)
        #expect(StartedRecording.name(host: "API.example.com:8443", at: date) == "api.example.com-8443-20260921T141320")
        #expect(StartedRecording.name(host: "[::1]", at: date).hasPrefix("1-2026"))
        #expect(StartedRecording.name(host: "../..", at: date).hasPrefix("recording-2026"))
    }
}

/// Collects the messages of errors.
private final class ErrorLog: Sendable {
    private let state = Locked<[String]>([])

    var messages: [String] { state.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: ErrorLog
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.error

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.state.withLock { $0.append(event.message.description) }
        }
    }
}

extension JSONTree {
    /// The text of a value.
    fileprivate func json(at names: String...) -> String? {
        var value: JSONTree? = self
        for name in names { value = value?[name] }
        return value.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}
