// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseRecording
@testable import RepriseText

@Suite struct CassetteRecorderTests {
    private let folder = try! TemporaryFolder()

    @Test func writesRecordedExchange() throws {
        var exchange = ScriptedExchange.get("/users?page=1", #"{"a": 1.0}"#)
        exchange.method = "POST"
        exchange.requestHeaders = ["Content-Type: application/json", "content-type: twice"]
        exchange.requestBody = [#"{"pro"#, #"mpt":"hi"}"#]
        let summary = try folder.record(exchange)
        #expect(summary == CassetteRecorder.Summary(exchanges: 1))
        #expect(
            try folder.text("a.cassette.json") == """
                {
                  "reprise": 1,
                  "exchanges": [
                    {
                      "request": {
                        "method": "POST",
                        "url": "http://example.com/users?page=1",
                        "headers": [
                          "Content-Type: application/json",
                          "content-type: twice"
                        ],
                        "body": {"json": {"prompt": "hi"}}
                      },
                      "response": {
                        "status": "200 OK",
                        "after": 10.0,
                        "headers": [
                          "Content-Type: text/plain",
                          "Content-Length: 10"
                        ],
                        "body": {"json": {"a": 1.0}, "layout": "spaced"}
                      },
                      "recorded": {"at": "2026-11-21T09:00:00.000000Z", "milliseconds": 14.0}
                    }
                  ]
                }

                """
        )
        #expect(folder.names() == ["a.cassette.json"])
    }

    @Test func matchesOutputOfCassetteWriter() throws {
        try folder.record(.get("/1"), .get("/2", "[1,2]"), ScriptedExchange(failure: .dns))
        let cassette = Cassette(exchanges: try folder.exchanges())
        #expect(try CassetteWriter.write(cassette).bytes == Array(try folder.text("a.cassette.json").utf8))
    }

    @Test func writesExchangesInRequestOrder() throws {
        let recorder = try CassetteRecorder(folder.cassette)
        let recordings = (0..<3).map { index in
            recorder.begin(ScriptedExchange.get("/\(index)").request, at: .zero)
        }
        for recording in recordings.reversed() {
            recording.head(status: 204, reason: "", headers: [], at: .zero)
            recording.end(.complete, at: .zero)
        }
        #expect(try recorder.finish().exchanges == 3)
        let urls = try folder.exchanges().map(\.request.url)
        #expect(urls == (0..<3).map { "http://example.com/\($0)" })
    }

    @Test func omitsUnfinishedExchanges() throws {
        let recorder = try CassetteRecorder(folder.cassette)
        let open = recorder.begin(ScriptedExchange.get("/open").request, at: .zero)
        recorder.begin(ScriptedExchange.get("/dropped").request, at: .zero).discard()
        _ = recorder.begin(ScriptedExchange.get("/forgotten").request, at: .zero)
        recorder.record(.get("/over"))
        let summary = try recorder.finish()
        #expect(summary.exchanges == 1)
        #expect(summary.notes == ["1 exchange had not ended when the recording ended, and was left out"])
        open.head(status: 200, reason: "", headers: [], at: .zero)
        open.end(.complete, at: .zero)
        recorder.record(.get("/late"))
        #expect(try recorder.finish() == summary)
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/over"])
        #expect(folder.names() == ["a.cassette.json"])
    }

    @Test(arguments: [
        (1, "1 exchange had not ended when the recording ended, and was left out"),
        (2, "2 exchanges had not ended when the recording ended, and were left out"),
    ])
    func notesNumberOfUnfinishedExchanges(count: Int, note: String) throws {
        let recorder = try CassetteRecorder(folder.cassette)
        let open = (0..<count).map { recorder.begin(ScriptedExchange.get("/\($0)").request, at: .zero) }
        recorder.record(.get("/over"))
        #expect(try recorder.finish().notes == [note])
        withExtendedLifetime(open) {}
    }

    /// Many requests can fail for the same reason, and share a note.
    @Test(arguments: [(1, ""), (2, " and 1 more request"), (3, " and 2 more requests")])
    func notesRequestsThatNothingAnswered(count: Int, more: String) throws {
        let recorder = try CassetteRecorder(folder.cassette)
        for number in 1...count {
            recorder.begin(ScriptedExchange.get("/\(number)").request, at: .zero).discard(because: "no network")
            recorder.begin(ScriptedExchange.get("/other").request, at: .zero).discard(because: "reason \(number)")
        }
        let summary = recorder.summary
        #expect(summary.notes.count == 1 + count)
        #expect(summary.notes.first == "GET http://example.com/1\(more): not recorded: no network")
        #expect((summary.exchanges, summary.refused, summary.lost) == (0, 0, 0))
        // None of them is open any longer.
        recorder.record(.get("/over"))
        #expect(try recorder.finish().notes == summary.notes)
    }

    /// The cassette lists exchanges in the order in which they started, by any clock.
    @Test func clockSetBackKeepsOrderOfTimes() throws {
        let times = Locked<[Int64]>([3_000_000, 1_000_000, 2_000_000, 4_000_000])
        var configuration = CassetteRecorder.Configuration()
        configuration.wallClock = { times.withLock { $0.removeFirst() } }
        try folder.record(.get("/1"), .get("/2"), .get("/3"), .get("/4"), configuration: configuration)
        let seconds = try folder.exchanges().compactMap { $0.recorded?.at.dropFirst(17).prefix(2) }
        #expect(seconds == ["03", "03", "03", "04"])
    }

    @Test func recordsFailure() throws {
        var exchange = ScriptedExchange(failure: .connectionRefused)
        exchange.requestBody = ["x"]
        try folder.record(exchange)
        let recorded = try #require(try folder.exchanges().first)
        #expect(recorded.outcome == .failure(.connectionRefused))
        #expect(recorded.request.body?.source == .bytes(Array("x".utf8)))
        #expect(recorded.recorded?.milliseconds == 2)
    }

    @Test func measuresDelayFromEndOfRequest() throws {
        let recorder = try CassetteRecorder(folder.cassette)
        for requestEnd in [3, 9, nil] as [Int?] {
            let recording = recorder.begin(ScriptedExchange.get("/").request, at: .milliseconds(1))
            if let requestEnd, requestEnd < 5 { recording.requestEnd(at: .milliseconds(requestEnd)) }
            recording.head(status: 204, reason: "", headers: [], at: .milliseconds(5))
            if let requestEnd, requestEnd > 5 { recording.requestEnd(at: .milliseconds(requestEnd)) }
            recording.end(.complete, at: .milliseconds(9))
        }
        _ = try recorder.finish()
        let delays = try folder.exchanges().map { exchange -> Duration? in
            if case .response(let response) = exchange.outcome { response.delay } else { nil }
        }
        #expect(delays == [.milliseconds(2), .zero, .milliseconds(4)])
    }

    @Test(arguments: [nil, "the first half"])
    func notesResponseBeforeEndOfRequest(body: String?) throws {
        let recorder = try CassetteRecorder(folder.cassette)
        let recording = recorder.begin(ScriptedExchange.get("/early").request, at: .zero)
        if let body { recording.requestBytes(Array(body.utf8)) }
        recording.head(status: 413, reason: "", headers: [], at: .zero)
        recording.end(.complete, at: .zero)
        let notes = try recorder.finish().notes
        #expect(notes.count == 1)
        #expect(notes.first?.contains("before it had received the complete body") == true)
        let recorded = try #require(try folder.exchanges().first?.request)
        #expect(recorded.body?.source == body.map { .bytes(Array($0.utf8)) })
        #expect(recorded.note?.contains("answered before the complete body") == true)
        // The next request may send more of the body.
        let body = Array("the first half and the other".utf8)
        let index = FixtureIndex(try folder.exchanges().map { Fixture($0) })
        let isHit =
            if case .hit = index.match(OwnedRequest(method: "GET", url: "/early", body: body)) { true } else { false }
        #expect(isHit)
    }

    @Test func refusesExchangeWithInvalidURL() throws {
        let summary = try folder.record(ScriptedExchange(url: "nonsense", status: 204), .get("/"))
        #expect(summary.exchanges == 1)
        #expect(summary.refused == 1)
        #expect(summary.notes.first?.hasPrefix("GET nonsense: not recorded: expected an http or https URL") == true)
    }

    @Test func recordsTimeFromWallClock() throws {
        var configuration = CassetteRecorder.Configuration()
        configuration.wallClock = { 1_795_251_600_123_456 }
        try folder.record(.get("/"), configuration: configuration)
        #expect(try folder.exchanges().first?.recorded?.at == "2026-11-21T09:00:00.123456Z")
    }

    @Test func producesIdenticalFilesEachTime() throws {
        func record() throws -> [String: String] {
            var stream = ScriptedExchange(headers: ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"])
            stream.pieces = (0..<1000).map { .init("data: \($0)\n\n" + String(repeating: "x", count: 100)) }
            var big = ScriptedExchange.get("/big", String(repeating: "x", count: 100_000))
            big.requestBody = [String(repeating: "y", count: 70_000)]
            try folder.record(.get("/"), stream, big, configuration: .ticking(mode: .overwrite))
            let names = folder.names("a.cassette.bodies").map { "a.cassette.bodies/\($0)" } + ["a.cassette.json"]
            return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.text($0)) })
        }
        let first = try record()
        #expect(first.count == 3)
        #expect(try record() == first)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (951_782_400_000_001, "2000-02-29T00:00:00.000001Z"),
            (1_795_251_600_123_456, "2026-11-21T09:00:00.123456Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"), (-5, "1970-01-01T00:00:00.000000Z"),
        ] as [(Int64, String)]
    )
    func formatsTimeAsRFC3339(microseconds: Int64, text: String) {
        #expect(RecordingTime.text(microsecondsSince1970: microseconds) == text)
    }
}
