// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseRedaction
@testable import RepriseText

/// Exchanges that are the same as a recent one, completely or up to some event.
@Suite struct RepeatedExchangeTests {
    private let folder = try! TemporaryFolder()
    private let other = try! TemporaryFolder()
    private let held = try! TemporaryFolder()

    private var withoutRepetitions: CassetteRecorder.Configuration {
        var configuration = CassetteRecorder.Configuration.ticking()
        configuration.recognizesRepetitions = false
        return configuration
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func recordsRepetitionsLikeOtherExchanges(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var scripts = [EventScript(using: &random)]
        for _ in 1...3 {
            scripts.append(scripts[0])
            scripts[scripts.count - 1].change(using: &random)
        }
        // Most exchanges are the same, or differ from one event on.
        let all = (0..<Int.random(in: 2...12, using: &random)).map { _ in
            var script = scripts.randomElement(using: &random)!
            if Int.random(in: 0..<3, using: &random) == 0 { script.change(using: &random) }
            return script
        }
        var schedule = all.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.events.count + 1) }
        if Bool.random(using: &random) { schedule.shuffle(using: &random) }
        var summaries: [CassetteRecorder.Summary] = []
        for (folder, configuration) in [(folder, .ticking()), (other, withoutRepetitions)] {
            let recorder = try CassetteRecorder(folder.cassette, configuration: configuration)
            var running = all.map { RunningScript(script: $0) }
            for index in schedule { running[index].step(recorder) }
            summaries.append(try recorder.finish())
        }
        #expect(summaries[0] == summaries[1])
        #expect(try folder.text("a.cassette.json") == other.text("a.cassette.json"))
        #expect(folder.names() == other.names())

        let recorder = try CassetteRecorder(held.cassette, configuration: .ticking())
        // Like the proxy, this passes the same object for the same head.
        let heads = KnownHeads()
        var running = all.map { RunningScript(script: $0, holdsLine: true, heads: heads) }
        for index in schedule {
            running[index].step(recorder)
            if Int.random(in: 0..<8, using: &random) == 0 { recorder.writeBufferedLines() }
        }
        #expect(try recorder.finish() == summaries[0])
        #expect(try held.text("a.cassette.json") == folder.text("a.cassette.json"))
        #expect(held.names() == folder.names())
    }

    @Test func recognizesRepetition() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        var exchange = ScriptedExchange.get("/poll")
        exchange.requestHeaders = ["Authorization: Bearer kJ8sQ2pX9vLm4nRt"]
        // The first one names the token, so it was not searched for it from its start.
        recorder.record(exchange)
        #expect(recorder.recentExchange(ReceivedRequest(exchange.request), secretCount: 1) == nil)
        recorder.record(exchange)
        #expect(recorder.recentExchange(ReceivedRequest(exchange.request), secretCount: 1) != nil)
        recorder.record(exchange)
        #expect(try recorder.finish().exchanges == 3)
        #expect(recorder.recentExchange(ReceivedRequest(exchange.request), secretCount: 1) == nil)
        let exchanges = try folder.exchanges()
        #expect(Set(exchanges.map(\.recorded?.at)).count == 3)
        #expect(Set(exchanges.map(\.request)).count == 1)
        #expect(try !folder.text("a.cassette.json").contains("kJ8sQ2pX9vLm4nRt"))
    }

    /// Compares an exchange event by event. Heads are equal by identity or by value.
    @Test func recognizesEqualEvents() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let exchange = ScriptedExchange.get("/poll", "same")
        for _ in 0..<2 { recorder.record(exchange) }
        let received = ReceivedRequest(exchange.request)
        let recent = try #require(recorder.recentExchange(received, secretCount: 0))
        let start = ExchangeStart(
            files: ExchangeFiles(recorder: recorder, ordinal: 3),
            time: .zero,
            startedAt: 0,
            known: 0
        )
        let head = recent.response.head
        var other = head.response
        other.status = 404
        let isChunk = recent.response.endsChunk
        for same in [head, ReceivedHead(head.response)] {
            var repetition = ExchangeRepetition(of: recent, start)
            repetition.endRequest(at: .milliseconds(1))
            var isEqual = [repetition.begin(ReceivedHead(other), at: .milliseconds(2))]
            isEqual.append(repetition.begin(same, at: .milliseconds(2)))
            isEqual.append(repetition.begin(same, at: .milliseconds(2)))
            #expect(isEqual == [false, true, false])
            #expect(repetition.finished(.complete, at: .milliseconds(4)) == nil, "without the content")
            isEqual = []
            for (text, endsChunk) in [("sane", isChunk), ("same", !isChunk), ("same", isChunk), ("same", isChunk)] {
                let bytes = Array(text.utf8)[...]
                isEqual.append(repetition.append(bytes.span, endsChunk: endsChunk, at: .milliseconds(3)))
            }
            #expect(isEqual == [false, false, true, false])
            #expect(repetition.finished(.reset, at: .milliseconds(4)) == nil)
            let finished = try #require(repetition.finished(.complete, at: .milliseconds(4)))
            #expect(finished.ordinal == 3)
            #expect(finished.times.delay == .milliseconds(1))
            #expect(finished.times.length == .milliseconds(4))
        }
    }

    /// Most requests are sent once, and their exchanges need not be kept.
    @Test func keepsExchangeWhoseRequestIsRepeated() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        for isKept in [false, true] {
            recorder.record(.get("/poll"))
            let kept = recorder.recentExchange(ReceivedRequest(ScriptedExchange.get("/poll").request), secretCount: 0)
            #expect((kept != nil) == isKept)
        }
    }

    /// URL, header lines, and content together have at most 16 KiB.
    @Test(arguments: [(0, true), (1, false)]) func keepsExchangeUpToLimit(excess: Int, isKept: Bool) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let lines = "http://example.com/pollContent-Type: text/plainContent-Length: 12345".utf8.count
        let exchange = ScriptedExchange.get(
            "/poll",
            String(repeating: "x", count: RecentExchange.limit - lines + excess)
        )
        for _ in 1...2 { recorder.record(exchange) }
        #expect((recorder.recentExchange(ReceivedRequest(exchange.request), secretCount: 0) != nil) == isKept)
    }

    /// The log of an interrupted recording contains repetitions like other exchanges.
    @Test func survivesInterruption() throws {
        do {
            let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
            for _ in 1...3 { recorder.record(.get("/poll")) }
        }
        _ = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: .append)).finish()
        let exchanges = try folder.exchanges()
        #expect(exchanges.count == 3)
        #expect(Set(exchanges.map(\.outcome)).count == 1)
    }

    /// The path says that `value` is secret, and a part of the path is a secret itself.
    @Test func divergesWithRequestAsSent() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        var login = ScriptedExchange.get("/login")
        login.requestHeaders = ["X-Api-Key: abc123-secret"]
        recorder.record(login)
        for value in ["kJ8sQ2pX9vLm4nRt", "kJ8sQ2pX9vLm4nRt", "Zx81QwLk22TtYb7P"] {
            var exchange = ScriptedExchange.get("/abc123-secret/config", "{\"value\": \"\(value)\"}")
            exchange.headers = ["Content-Type: application/json"]
            recorder.record(exchange)
        }
        _ = try recorder.finish()
        #expect(try !folder.text("a.cassette.json").contains("Zx81QwLk22TtYb7P"))
    }

    /// A URL can be equal to another one in Unicode, but not on the wire.
    @Test func comparesURLsByteForByte() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        for _ in 1...2 { recorder.record(.get("/caf\u{E9}")) }
        recorder.record(.get("/cafe\u{301}"))
        _ = try recorder.finish()
        #expect(try folder.exchanges()[2].request.url.utf8.elementsEqual("http://example.com/cafe\u{301}".utf8))
    }

    /// A known secret gets another spelling, which a recent response contains.
    @Test func searchesAgainForFurtherSpelling() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        var first = ScriptedExchange.get("/key")
        first.requestHeaders = ["X-Api-Key: YWRtaW46MTIzNA=="]
        recorder.record(first)
        recorder.record(.get("/text", "it was admin:1234 then"))
        first.requestHeaders = ["Authorization: Basic YWRtaW46MTIzNA=="]
        recorder.record(first)
        recorder.record(.get("/text", "it was admin:1234 then"))
        #expect(try !folder.text("a.cassette.json.recording-log").contains("admin:1234"))
        _ = try recorder.finish()
    }

    @Test func savesStreamThatBeginsLikeRecentOne() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: .append))
        let request = ScriptedExchange.get("/events").request
        func begin() -> ExchangeRecording {
            let recording = recorder.begin(request, at: .zero)
            recording.requestEnd(at: .zero)
            let type = HeaderLine(name: "Content-Type", value: "text/event-stream")
            recording.head(status: 200, reason: "OK", headers: [type], at: .zero)
            recording.bytes(Array("data: a\n\n".utf8), endsChunk: true, at: .zero)
            return recording
        }
        for _ in 1...2 { begin().end(.complete, at: .zero) }
        let recording = begin()
        recorder.saveLongRunning(includingNew: true)
        #expect(try folder.text("a.cassette.json.recording-log").contains("isOpen"))
        recording.discard()
    }

    /// A response with the same parts as a recent one, reordered or repeated, is not a repetition.
    @Test func reorderedPartsAreNotRepetition() throws {
        for (folder, configuration) in [(folder, .ticking()), (other, withoutRepetitions)] {
            let recorder = try CassetteRecorder(folder.cassette, configuration: configuration)
            let head = EventScript.Event.head(200, [HeaderLine(name: "Content-Type", value: "text/plain")])
            let content = EventScript.Event.bytes(Array("hello".utf8), endsChunk: true)
            for parts in [[head, content], [head, content, head], [content, head], [head, content, content]] {
                let request = RecordedRequest(method: "GET", url: "http://example.com/")
                var running = RunningScript(
                    script: EventScript(request: request, events: [.requestEnd] + parts + [.end(.complete)])
                )
                for _ in 0...running.script.events.count { running.step(recorder) }
            }
            _ = try recorder.finish()
        }
        #expect(try folder.text("a.cassette.json") == other.text("a.cassette.json"))
    }

    /// The value is first in a response that comes twice, and is then named by a request.
    @Test(arguments: [false, true])
    func searchesAgainAfterValueIsNamed(isRunning: Bool) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let exchange = ScriptedExchange.get("/text", "see kJ8sQ2pX9vLm4nRt")
        recorder.record(exchange)
        let recording = recorder.begin(exchange.request, at: .zero)
        recording.requestEnd(at: .zero)
        if isRunning {
            let lines = exchange.headers.compactMap { HeaderLine($0) }
            recording.head(status: 200, reason: "OK", headers: lines, at: .zero)
            recording.bytes(exchange.pieces[0].bytes, endsChunk: true, at: .zero)
        }
        var login = ScriptedExchange.get("/login")
        login.requestHeaders = ["Authorization: Bearer kJ8sQ2pX9vLm4nRt"]
        recorder.record(login)
        if isRunning { recording.end(.complete, at: .zero) } else { recording.discard() }
        recorder.record(exchange)
        #expect(try !folder.text("a.cassette.json.recording-log").contains("kJ8sQ2pX9vLm4nRt"))
        _ = try recorder.finish()
        #expect(try !folder.text("a.cassette.json").contains("kJ8sQ2pX9vLm4nRt"))
    }
}

/// The events of an exchange.
private struct EventScript {
    enum Event {
        case requestBytes([UInt8])
        case requestTrailers([HeaderLine])
        case requestEnd
        case base(String)
        case informational([HeaderLine])
        case head(Int, [HeaderLine])
        case bytes([UInt8], endsChunk: Bool)
        case note(String)
        case trailers([HeaderLine])
        case end(Ending)
        case fail(Failure)
        case discard
    }

    var request: RecordedRequest
    var events: [Event]

    init(request: RecordedRequest, events: [Event]) {
        (self.request, self.events) = (request, events)
    }

    private static let tokens = ["kJ8sQ2pX9vLm4nRt", "Zx81QwLk22TtYb7P"]

    init(using random: inout SeededGenerator) {
        request = Self.request(using: &random)
        events = [.requestEnd, Self.head(using: &random)]
        let texts = ["hello", "{\"id\": 1}", "{\"access_token\": \"\(Self.tokens[0])\"}", "see \(Self.tokens[1])"]
        if Bool.random(using: &random) {
            let text = texts.randomElement(using: &random)!
            events.append(.bytes(Array(text.utf8), endsChunk: Bool.random(using: &random)))
        }
        events.append(.end(.complete))
    }

    private static func request(using random: inout SeededGenerator) -> RecordedRequest {
        var request = RecordedRequest(
            method: ["GET", "HEAD"].randomElement(using: &random)!,
            url: "http://example.com/\(Int.random(in: 0...1, using: &random))"
        )
        request.headers = [HeaderLine(name: "Accept", value: "text/plain")]
        if Bool.random(using: &random) {
            request.headers.append(
                HeaderLine(name: "Authorization", value: "Bearer \(tokens.randomElement(using: &random)!)")
            )
        }
        return request
    }

    private static func head(using random: inout SeededGenerator) -> Event {
        let type = ["application/json", "application/json", "text/event-stream"].randomElement(using: &random)!
        var lines = [HeaderLine(name: "Content-Type", value: type)]
        if Bool.random(using: &random) { lines.append(HeaderLine(name: "Transfer-Encoding", value: "chunked")) }
        if Bool.random(using: &random) {
            lines.append(HeaderLine(name: "Set-Cookie", value: "sid=9f86d081884c7d659a2f"))
        }
        return .head([200, 404].randomElement(using: &random)!, lines)
    }

    /// Changes, adds, or removes an event, or changes the request.
    mutating func change(using random: inout SeededGenerator) {
        let note = HeaderLine(name: "X-Extra", value: "1")
        let extra: [Event] = [
            .requestBytes([0x61]), .requestTrailers([note]), .base("http://example.com"), .informational([note]),
            .bytes(Array("more".utf8), endsChunk: true), .bytes(Array(repeating: 0x61, count: 20_000), endsChunk: true),
            .note("a note"), .trailers([note]),
        ]
        switch Int.random(in: 0...6, using: &random) {
        case 0: request = Self.request(using: &random)
        case 1: events[1] = Self.head(using: &random)
        case 2 where events.count > 3: events[2] = .bytes(Array("other".utf8), endsChunk: true)
        case 4: events.remove(at: Int.random(in: events.indices.dropLast(), using: &random))
        case 3:
            events[events.count - 1] = [.end(.reset), .end(.truncated), .fail(.dns), .discard].randomElement(
                using: &random
            )!
        default: events.insert(extra.randomElement(using: &random)!, at: Int.random(in: events.indices, using: &random))
        }
    }
}

/// Returns the same object for equal heads.
private final class KnownHeads {
    private var requests: [RecordedRequest: ReceivedRequest] = [:]
    private var heads: [RecordedResponse: ReceivedHead] = [:]

    func request(_ request: RecordedRequest) -> ReceivedRequest {
        if let known = requests[request] { return known }
        let received = ReceivedRequest(request)
        requests[request] = received
        return received
    }

    func head(_ head: RecordedResponse) -> ReceivedHead {
        if let known = heads[head] { return known }
        let received = ReceivedHead(head)
        heads[head] = received
        return received
    }
}

/// A script that is recorded one event at a time.
private struct RunningScript {
    let script: EventScript
    let holdsLine: Bool
    private var time = Duration.seconds(1)
    private var next = 0
    private var recording: ExchangeRecording?

    private let heads: KnownHeads?

    init(script: EventScript, holdsLine: Bool = false, heads: KnownHeads? = nil) {
        self.script = script
        self.holdsLine = holdsLine
        self.heads = heads
    }

    mutating func step(_ recorder: CassetteRecorder) {
        time += .milliseconds(1)
        guard let recording else {
            let request = heads?.request(script.request) ?? ReceivedRequest(script.request)
            recording = recorder.begin(request, at: time)
            return
        }
        defer { next += 1 }
        switch script.events[next] {
        case .requestBytes(let bytes): recording.requestBytes(bytes)
        case .requestTrailers(let lines): recording.requestTrailers(lines)
        case .requestEnd: recording.requestEnd(at: time)
        case .base(let base): recording.setBase(base)
        case .informational(let lines):
            recording.informational(status: 103, reasonBytes: [], headers: lines, at: time)
        case .head(let status, let lines):
            let head = RecordedResponse(status: status, headers: lines)
            recording.head(heads?.head(head) ?? ReceivedHead(head), at: time)
        case .bytes(let bytes, let endsChunk): recording.bytes(bytes, endsChunk: endsChunk, at: time)
        case .note(let text): recording.note(onResponse: text)
        case .trailers(let lines): recording.trailers(lines)
        case .end(let ending): recording.end(ending, at: time, holdsLine: holdsLine)
        case .fail(let failure): recording.fail(failure, at: time)
        case .discard: recording.discard()
        }
    }
}
