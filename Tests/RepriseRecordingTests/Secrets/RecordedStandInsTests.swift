// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseRedaction
@testable import RepriseText

/// The texts that stand for secrets in a recording, and the table of them.
@Suite struct RecordedStandInsTests {
    private let folder = try! TemporaryFolder()

    private func cassette() throws -> Cassette { try folder.readCassette() }

    private func login(as user: String, token: String) -> ScriptedExchange {
        var exchange = ScriptedExchange(method: "POST", url: "http://example.com/login")
        exchange.requestHeaders = ["Content-Type: application/json"]
        exchange.requestBody = [#"{"password":"\#(user)"}"#]
        exchange.headers = ["Content-Type: application/json"]
        exchange.pieces = [.init(#"{"access_token":"\#(token)"}"#)]
        return exchange
    }

    private func me(_ token: String) -> ScriptedExchange {
        var exchange = ScriptedExchange.get("/me")
        exchange.requestHeaders = ["Authorization: Bearer \(token)"]
        return exchange
    }

    private func body(_ exchange: Exchange) -> String {
        guard case .response(let response) = exchange.outcome, case .body(let body) = response.content,
            case .bytes(let bytes) = body.source
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func tokenOfLoginIsSameSecretInLaterRequest() throws {
        try folder.record(
            login(as: "alice-pass", token: "token-alice-1"),
            login(as: "bob-pass", token: "token-bob-2"),
            me("token-bob-2"),
            me("token-alice-1")
        )
        let cassette = try cassette()
        #expect(cassette.standIns == (1...4).map { StandIn("[redacted~\($0)]") })
        #expect(body(cassette.exchanges[0]) == #"{"access_token":"[redacted~2]"}"#)
        #expect(body(cassette.exchanges[1]) == #"{"access_token":"[redacted~4]"}"#)
        #expect(
            cassette.exchanges.flatMap { $0.request.headers.filter { $0.hasName("Authorization") }.map(\.value) }
                == ["Bearer [redacted~4]", "Bearer [redacted~2]"]
        )
    }

    @Test func recordingWithoutSecretHasFormat1() throws {
        try folder.record(.get("/"))
        #expect(try cassette().standIns == nil)
        #expect(try folder.text("a.cassette.json").contains("\"reprise\": 1,"))
    }

    /// In format 1, it would match any value.
    @Test func recordingWithLiteralMarkerHasFormat2() throws {
        try folder.record(.get("/?q=[redacted]", "[redacted] and [redacted~1]"))
        #expect(try cassette().standIns == [])
        #expect(try body(cassette().exchanges[0]) == "[redacted] and [redacted~1]")
    }

    @Test func literalMarkerThatIsListedHasEntry() throws {
        try folder.record(me("token-alice-1"), .get("/", "see [redacted~1]"))
        #expect(
            try cassette().standIns == [StandIn("[redacted~1]"), StandIn("[redacted~2]", literal: "[redacted~1]")]
        )
        #expect(try body(cassette().exchanges[1]) == "see [redacted~2]")
    }

    @Test func appendContinuesNumbers() throws {
        try folder.record(me("token-alice-1"))
        try folder.record(me("token-bob-2"), configuration: .ticking(mode: .append))
        let cassette = try cassette()
        #expect(cassette.standIns == [StandIn("[redacted~1]"), StandIn("[redacted~2]")])
        #expect(
            cassette.exchanges.map { $0.request.headers[0].value } == ["Bearer [redacted~1]", "Bearer [redacted~2]"]
        )
    }

    @Test func appendAfterLongestNumberCanBeRead() throws {
        try folder.record(.get("/", "see [redacted~999999999]"))
        try folder.record(me("token-bob-2"), configuration: .ticking(mode: .append))
        #expect(try cassette().standIns == [StandIn("[redacted~1]")])
        #expect(try body(cassette().exchanges[0]) == "see [redacted~999999999]")
    }

    @Test func appendToFormat1KeepsMeaningOfMarkers() throws {
        let old = """
            {
              "reprise": 1,
              "exchanges": [
                {
                  "request": {"method": "GET", "url": "http://example.com/?key=[redacted]&k=[redacted:bob]"},
                  "response": {"status": "200 OK"}
                }
              ]
            }

            """
        try Data(old.utf8).write(to: URL(fileURLWithPath: folder.cassette))
        try folder.record(.get("/"), configuration: .ticking(mode: .append))
        #expect(try cassette().standIns == nil)
        try folder.record(me("token-bob-2"), .get("/", "[redacted:bob]"), configuration: .ticking(mode: .append))
        #expect(
            try cassette().standIns == [
                StandIn("[redacted]"), StandIn("[redacted:bob]"), StandIn("[redacted~3]"),
                StandIn("[redacted~4]", literal: "[redacted:bob]"),
            ]
        )
        #expect(try folder.text("a.cassette.json").hasPrefix("{\n  \"reprise\": 2,\n  \"standIns\": [\n"))
        #expect(try cassette().exchanges.count == 4)
    }

    /// The markers occur only in files, and in Base64.
    @Test func appendToFormat1FindsMarkersInBodies() throws {
        let padding = String(repeating: "lorem ipsum ", count: 10_000)
        func exchange(_ request: RecordedBody?, _ response: [UInt8]) -> Exchange {
            Exchange(
                request: RecordedRequest(method: "POST", url: "http://example.com/", headers: [], body: request),
                outcome: .response(
                    RecordedResponse(status: 200, headers: [], content: .body(RecordedBody(.bytes(response))))
                )
            )
        }
        let files = exchange(
            RecordedBody(.bytes(Array("\(padding)[redacted:alice]\(padding)".utf8))),
            Array("\(padding)[redacted~2]\(padding)".utf8)
        )
        let base64 = exchange(nil, [0xFF] + Array("[redacted~3]".utf8))
        let output = try CassetteWriter.write(Cassette(exchanges: [files, base64]), to: folder.cassette)
        try folder.write(output.bytes, to: "a.cassette.json")
        for (name, bytes) in output.bodies { try folder.write(bytes, to: "a.cassette.bodies/\(name)") }
        #expect(try folder.text("a.cassette.json").contains("\"reprise\": 1,"))
        #expect(try !folder.text("a.cassette.json").contains("[redacted"))
        try folder.record(me("token-bob-2"), configuration: .ticking(mode: .append))
        #expect(try cassette().standIns == [StandIn("[redacted:alice]"), StandIn("[redacted~4]")])
    }

    @Test func responseOfInterruptedRecordingKeepsItsStandIns() throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: .ticking())
        recorder?.record(me("token-alice-1"))
        recorder = nil
        recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        recorder?.record(me("token-bob-2"))
        _ = try recorder?.finish()
        #expect(try cassette().standIns == [StandIn("[redacted~1]"), StandIn("[redacted~2]")])
        #expect(
            try cassette().exchanges.map { $0.request.headers[0].value }
                == ["Bearer [redacted~1]", "Bearer [redacted~2]"]
        )
    }

    /// The recovery can itself be interrupted.
    @Test(arguments: [false, true])
    func numbersOfInterruptedRecordingAreNotUsedAgainAfterDamage(isInterruptedAgain: Bool) throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: .ticking())
        recorder?.record(me("token-alice-1"))
        recorder?.record(.get("/", "see [redacted~7]"))
        recorder = nil
        let log = try folder.text("a.cassette.json.recording-log")
        let damaged = log.replacing(#"{"standIns": [{"text""#, with: #"{"standIns": [{"tixt""#)
        #expect(damaged != log)
        try folder.write(Array(damaged.utf8), to: "a.cassette.json.recording-log")
        recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        #expect(
            recorder?.summary.notes.last
                == "\(folder.cassette).recording-log: 2 markers, such as [redacted~1], are in no list of stand-ins, "
                + "probably because a line is damaged; they were added to the cassette's standIns; if a client or server "
                + "sent one of them as text, remove it there"
        )
        if isInterruptedAgain {
            try recorder?.abandon()
            recorder = nil
            recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        }
        recorder?.record(me("token-bob-2"))
        _ = try recorder?.finish()
        let cassette = try cassette()
        #expect(cassette.standIns == [1, 7, 3].map { StandIn("[redacted~\($0)]") })
        #expect(
            cassette.exchanges.flatMap { $0.request.headers.map(\.value) }
                == ["Bearer [redacted~1]", "Bearer [redacted~3]"]
        )
    }

    /// A torn line at the end is one of an exchange.
    @Test func literalMarkerOfInterruptedRecordingStaysLiteral() throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: .ticking())
        recorder?.record(.get("/", "see [redacted~1]"))
        recorder = nil
        let log = try folder.text("a.cassette.json.recording-log")
        try folder.write(Array((log + "{\"ordinal\": 7, \"exch").utf8), to: "a.cassette.json.recording-log")
        try folder.record(me("token-bob-2"))
        #expect(try cassette().standIns == [StandIn("[redacted~2]")])
    }

    @Test func shapedStandInMatchesItsRequest() throws {
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        var exchange = ScriptedExchange.get("/?api_key=\(id)", "your key is \(id)")
        exchange.requestHeaders = ["X-Api-Key: \(id)"]
        // A note would say that the request does not match its own recording.
        #expect(try folder.record(exchange).notes == [])
        let text = "4edac7ed-0000-4000-8000-000000000001"
        #expect(try cassette().standIns == [StandIn(text, shape: .uuid)])
        #expect(try cassette().exchanges[0].request.url == "http://example.com/?api_key=\(text)")
        #expect(try body(cassette().exchanges[0]) == "your key is \(text)")
    }

    @Test func recordersOfOneProcessShareSecrets() throws {
        let other = try TemporaryFolder()
        var configuration = CassetteRecorder.Configuration.ticking()
        let one = try CassetteRecorder(folder.cassette, configuration: configuration)
        configuration.wallClock = { 0 }
        let two = try CassetteRecorder(other.cassette, configuration: configuration)
        one.record(me("token-alice-1"))
        two.record(.get("/", "seen token-alice-1"))
        _ = try one.finish()
        _ = try two.finish()
        #expect(try body(other.exchanges()[0]) == "seen [redacted~1]")
    }

    @Test func shortCookieStaysInPath() throws {
        var exchange = ScriptedExchange.get("/users/alice1")
        exchange.requestHeaders = ["Cookie: user=alice1; session=a1b2c3d4e5f6a7b8c9-0"]
        try folder.record(exchange, .get("/users/alice1?s=a1b2c3d4e5f6a7b8c9-0"))
        #expect(
            try folder.exchanges().map(\.request.url) == [
                "http://example.com/users/alice1", "http://example.com/users/alice1?s=[redacted~2]",
            ]
        )
    }

    @Test(arguments: ["Content-MD5", "Digest", "Content-Digest", "Repr-Digest", "x-amz-checksum-crc32"])
    func digestOfChangedBodyIsNoted(name: String) throws {
        var exchange = login(as: "alice-pass", token: "token-alice-1")
        exchange.headers.append("\(name): abc")
        try folder.record(exchange)
        #expect(
            try folder.response()?.note?.starts(with: "\(name) doesn't match the body, because a secret was removed")
                == true
        )
    }

    @Test func digestOfUnchangedBodyIsNotNoted() throws {
        var exchange = ScriptedExchange.get("/?api_key=hunter2")
        exchange.headers.append("Digest: abc")
        try folder.record(exchange)
        #expect(try folder.response()?.note == nil)
    }

    @Test func recordAgainFindsEntryWithOtherNumber() throws {
        try folder.record(.get("/a?api_key=hunter2", "old"), .get("/b"))
        let only = CassetteRecorder.Configuration.ticking(only: try RequestSelection("GET /a?api_key=hunter2"))
        try folder.record(.get("/a?api_key=hunter2", "new"), configuration: only)
        #expect(try cassette().exchanges.map { body($0) } == ["new", "hello"])
    }
}
