// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct RecordingRedactionTests {
    private let folder = try! TemporaryFolder()
    private let token = "sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6"

    /// Everything on the disk, during and after a recording.
    private func everything() throws -> String {
        var text = ""
        for name in folder.names() where !FileManager.default.isFolder("\(folder.path)/\(name)") {
            text +=
                name
                + String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")), as: UTF8.self)
        }
        for name in folder.names("a.cassette.bodies") { text += name + (try folder.text("a.cassette.bodies/\(name)")) }
        return text
    }

    @Test func writesNoSecretToDisk() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let request = RecordedRequest(
            method: "POST",
            url: "http://example.com/login?api_key=hunter21",
            headers: [
                HeaderLine(name: "Authorization", value: "Bearer hunter22"),
                HeaderLine(name: "Content-Type", value: "application/json"),
            ]
        )
        let recording = recorder.begin(request, at: .zero)
        let padding = String(repeating: "x", count: 100_000)
        for piece in [#"{"pad":""#, padding, #"","password":"hun"#, #"ter23","n":1}"#] {
            recording.requestBytes(Array(piece.utf8))
        }
        recording.requestEnd(at: .zero)
        let headers = ["Content-Type: text/event-stream", "Transfer-Encoding: chunked", "Set-Cookie: id=hunter24"]
        recording.head(status: 200, reason: "OK", headers: headers.compactMap { HeaderLine($0) }, at: .zero)
        recording.bytes(Array("data: \(padding)\n\ndata: \(token.prefix(12))".utf8), endsChunk: true, at: .seconds(1))
        recording.bytes(Array("\(token.dropFirst(12)) end\n\n".utf8), endsChunk: true, at: .seconds(2))
        for _ in 0..<5 { recording.bytes(Array("data: \(padding)\n\n".utf8), endsChunk: true, at: .seconds(3)) }
        #expect(try !everything().contains("hunter2"))
        #expect(try everything().contains("xxx"))
        recording.trailers([HeaderLine(name: "X-Api-Key", value: "hunter25")])
        recording.end(.complete, at: .seconds(4))
        #expect(try everything().contains("[redacted~"))
        #expect(try !everything().contains("hunter2"))
        #expect(try recorder.finish() == CassetteRecorder.Summary(exchanges: 1))
        let text = try everything()
        #expect(!text.contains("hunter2"))
        #expect(!text.contains(token.prefix(12)) && !text.contains(token.suffix(12)))
        guard case .response(let response)? = try folder.exchanges().first?.outcome,
            case .stream(let steps) = response.content
        else {
            Issue.record("expected a stream")
            return
        }
        // The marker is where the secret began, with the time of that chunk.
        #expect(steps[1].event == .bytes(Array(" end\n\n".utf8)))
        #expect(steps[1].after == .seconds(1))
    }

    @Test func refusesUnscannableBody() throws {
        var exchange = ScriptedExchange.get("/br?api_key=hunter2")
        exchange.headers.append("Content-Encoding: br")
        let summary = try folder.record(exchange, .get("/"))
        #expect(summary.exchanges == 1)
        #expect(summary.refused == 1)
        let note = try #require(summary.notes.first)
        #expect(
            note.hasPrefix(
                "GET http://example.com/br?api_key=[redacted~1]: not recorded: its response's body cannot be"
            )
        )
        #expect(note.contains("--allow-unscanned"))
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/"])
        #expect(folder.names() == ["a.cassette.json"])
    }

    @Test func recordsUnscannableBodyIfAllowed() throws {
        var exchange = ScriptedExchange.get("/br", "coded ")
        exchange.headers = ["Content-Encoding: br"]
        exchange.pieces.append(.init("bytes"))
        let summary = try folder.record(exchange, configuration: .ticking(allowsUnscanned: true))
        #expect(summary == CassetteRecorder.Summary(exchanges: 1))
        #expect(try folder.response()?.content == .body(RecordedBody(.bytes(Array("coded bytes".utf8)))))
    }

    @Test func recordsWholeBodyThatBecomesUnscannableIfAllowed() throws {
        var exchange = ScriptedExchange.get("/late", "")
        exchange.headers = ["Transfer-Encoding: chunked"]
        exchange.pieces = ["a", "b", "stop", "c", "d"].map { .init($0) }
        for allows in [false, true] {
            let configuration = CassetteRecorder.Configuration.ticking(allowsUnscanned: allows) { _ in LateRedactor() }
            let summary = try folder.record(exchange, configuration: configuration)
            #expect(summary.refused == (allows ? 0 : 1))
            let body = RecordedBody(.bytes(Array("abstopcd".utf8)), chunks: [1, 1, 4, 1, 1])
            guard allows else {
                #expect(folder.names().isEmpty)
                continue
            }
            #expect(try folder.response()?.content == .body(body))
        }
    }

    @Test func preservesTimesOfDelayedPieces() throws {
        var exchange = ScriptedExchange(headers: ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"])
        exchange.pieces = [.init("a"), .init("b", after: 20), .init("c", endsChunk: false, after: 300), .init("d")]
        try folder.record(exchange, configuration: .ticking { _ in LateRedactor() })
        let steps: [StreamStep] = [
            StreamStep(after: .milliseconds(1), .bytes([0x61])), StreamStep(after: .milliseconds(20), .bytes([0x62])),
            StreamStep(after: .milliseconds(300), .bytes([0x63, 0x64])),
            StreamStep(after: .milliseconds(2), .end(.complete)),
        ]
        #expect(try folder.response()?.content == .stream(steps))
    }

    @Test func omitsContentEncodingOfDecodedBodies() throws {
        var exchange = ScriptedExchange.get("/", "secret")
        exchange.headers += ["content-encoding: gzip", "Vary: a"]
        exchange.requestHeaders = ["Content-Encoding: gzip"]
        exchange.requestBody = ["secret"]
        try folder.record(exchange, configuration: .ticking { _ in DecodingRedactor() })
        let recorded = try #require(try folder.exchanges().first)
        #expect(recorded.request.headers == [])
        #expect(recorded.request.note?.contains("gzip") == true)
        let response = try #require(try folder.response())
        #expect(response.headers.map(\.name) == ["Content-Type", "Content-Length", "Vary"])
        #expect(response.note?.contains("gzip") == true)
        #expect(response.content == .body(RecordedBody(.bytes(Array("decoded".utf8)))))
    }

    @Test func redactsReasonPhrase() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let recording = recorder.begin(ScriptedExchange.get("/").request, at: .zero)
        recording.head(status: 401, reason: "No key \(token)", headers: [], at: .zero)
        recording.end(.complete, at: .zero)
        #expect(try !everything().contains(token.prefix(12)))
        _ = try recorder.finish()
        #expect(try folder.response()?.reason == "No key [redacted~1]")
    }

    @Test func redactsNonUTF8ReasonPhrase() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let recording = recorder.begin(ScriptedExchange.get("/").request, at: .zero)
        recording.head(status: 401, reasonBytes: [0xE9, 0x20] + Array(token.utf8), headers: [], at: .zero)
        recording.end(.complete, at: .zero)
        #expect(try !everything().contains(token.prefix(12)))
        _ = try recorder.finish()
        #expect(try folder.response()?.reasonBytes == [0xE9, 0x20] + Array("[redacted~1]".utf8))
        #expect(try folder.text("a.cassette.json").contains("\"status\": {\"base64\": \""))
    }

    @Test func replacesEntrySelectedBySecretQuery() throws {
        try folder.record(.get("/a?api_key=hunter2", "old"), .get("/b"))
        let only = CassetteRecorder.Configuration.ticking(only: try RequestSelection("GET /a?api_key=hunter2"))
        let recorder = try CassetteRecorder(folder.cassette, configuration: only)
        let recording = recorder.begin(ScriptedExchange.get("/a?api_key=hunter2").request, at: .zero)
        recording.head(status: 204, reason: "", headers: [], at: .zero)
        recording.end(.complete, at: .zero)
        #expect(try !everything().contains("hunter2"))
        _ = try recorder.finish()
        let paths = ["/a?api_key=[redacted~2]", "/b"]
        #expect(try folder.exchanges().map(\.request.url) == paths.map { "http://example.com\($0)" })
        #expect(try folder.response()?.status == 204)
    }

    static let gzipped = [
        ("H4sIAAAAAAACA6tWKkgsLi7PL0pRslLKKM0rSS0yUqoFALPZbSUWAAAA", #"{"password":"[redacted~1]"}"#),
        ("H4sIAAAAAAACA6tWSlSyUkpSqgUAnFz2awkAAAA=", #"{"a":"b"}"#),
    ]

    @Test(arguments: gzipped)
    func recordsGzippedRequestDecoded(base64: String, expected: String) throws {
        let recorder = try CassetteRecorder(folder.cassette)
        var request = ScriptedExchange.get("/").request
        request.method = "POST"
        request.headers = [HeaderLine(name: "Content-Encoding", value: "gzip")]
        let recording = recorder.begin(request, at: .zero)
        recording.requestBytes(try #require(Base64.decode(Array(base64.utf8)[...])))
        recording.requestEnd(at: .zero)
        recording.head(status: 204, reason: "", headers: [], at: .zero)
        recording.end(.complete, at: .zero)
        #expect(try recorder.finish().notes == [])
        let recorded = try #require(try folder.exchanges().first)
        #expect(recorded.request.comparesBody)
        #expect(recorded.request.headers == [])
        #expect(
            recorded.request.note
                == "the body was recorded decoded, without Content-Encoding: gzip, because requests are compared decoded"
        )
        #expect(recorded.request.body?.source == .bytes(Array(expected.utf8)))
    }

    @Test func notesBodyOverBudget() throws {
        var exchange = ScriptedExchange.get("/", String(repeating: "a b ", count: 80 << 10))
        exchange.headers = ["Content-Type: text/plain"]
        try folder.record(exchange)
        #expect(try folder.response()?.note?.starts(with: "the body is over 256 KiB, so encoded") == true)
    }

    /// Chunks could divide a secret, so they are refused, whatever was redacted before.
    @Test(arguments: [false, true]) func chunksOfUploadDoNotDependOnEarlierBodies(isChunkedFirst: Bool) throws {
        var cache = RedactionCache(.standard)
        let body = Array("2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n".utf8)
        for isChunked in isChunkedFirst ? [true, false] : [false, true] {
            let lines = ["Content-Type: text/plain"] + (isChunked ? ["Content-Encoding: aws-chunked"] : [])
            let headers = lines.compactMap { HeaderLine($0) }
            var redactor = cache.bodyRedactor(for: headers, at: "http://example.com/a", isRequest: true)
            let isRefused = (try? redactor.append(body)).flatMap { _ in try? redactor.finish() } == nil
            #expect(isRefused == isChunked)
        }
    }

    @Test func omitsChunksEmptiedByRedaction() throws {
        var exchange = ScriptedExchange(headers: ["Transfer-Encoding: chunked"])
        exchange.pieces = [.init("token \(token.prefix(9))"), .init(String(token.dropFirst(9))), .init(" end")]
        try folder.record(exchange)
        let body = RecordedBody(.bytes(Array("token [redacted~1] end".utf8)), chunks: [18, 4])
        #expect(try folder.response()?.content == .body(body))
    }
}

/// Returns all pieces at the end, and fails at `stop`.
private struct LateRedactor: BodyRedacting {
    var count = 0
    private var pieces: [[UInt8]] = []

    mutating func append(_ piece: [UInt8]) throws(BodyRedactor.Unscannable) -> [[UInt8]] {
        if piece == Array("stop".utf8) { throw BodyRedactor.Unscannable("stopped") }
        pieces.append(piece)
        return []
    }

    mutating func finish() throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder {
        BodyRedactor.Remainder(pieces: pieces)
    }
}

/// Acts as if it found a secret in a compressed body.
private struct DecodingRedactor: BodyRedacting {
    var count = 0

    mutating func append(_ piece: [UInt8]) -> [[UInt8]] {
        count = 1
        return []
    }

    mutating func finish() -> BodyRedactor.Remainder {
        BodyRedactor.Remainder(pieces: count > 0 ? [Array("decoded".utf8)] : [], isDecoded: count > 0)
    }
}

extension FileManager {
    fileprivate func isFolder(_ path: String) -> Bool {
        (try? attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeDirectory
    }
}
