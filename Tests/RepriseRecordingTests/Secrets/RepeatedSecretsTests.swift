// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseRedaction
@testable import RepriseText

/// A secret that was redacted once is redacted wherever it occurs in the recording.
@Suite struct RepeatedSecretsTests {
    private let folder = try! TemporaryFolder()

    private func record(_ exchanges: ScriptedExchange...) throws -> [Exchange] {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        for exchange in exchanges {
            recorder.record(exchange)
            #expect(try !folder.everything().contains("hunter2"))
        }
        #expect(try recorder.finish().notes == [])
        #expect(try !folder.everything().contains("hunter2"))
        return try folder.exchanges()
    }

    private func login(_ answer: String..., type: String = "text/plain") -> ScriptedExchange {
        var exchange = ScriptedExchange(
            method: "POST",
            url: "http://example.com/login",
            headers: ["Content-Type: \(type)"],
            pieces: answer.map { .init($0) }
        )
        exchange.requestHeaders = ["Content-Type: application/json"]
        exchange.requestBody = [#"{"password":"hunter2#\u0041x"}"#]
        return exchange
    }

    private func text(_ exchange: Exchange) -> String {
        guard case .response(let response) = exchange.outcome, case .body(let body) = response.content,
            case .bytes(let bytes) = body.source
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func redactsRepetitionInResponse() throws {
        #expect(
            try text(record(login("expected x, found hunter2#Ax.", " And hunter", "2#Ax"))[0])
                == "expected x, found [redacted~1]. And [redacted~1]"
        )
    }

    @Test(arguments: ["hunter2#Ax", "hunter2%23Ax", #"hunter2#\u0041x"#])
    func redactsEachEncodingOfSecret(_ spelling: String) throws {
        var next = ScriptedExchange.get("/b?q=\(spelling.replacing("#", with: "%23"))&x=1", "log: \(spelling)!")
        next.requestHeaders = ["X-Log: \(spelling)"]
        next.trailers = ["X-Trailer: \(spelling)"]
        if spelling.contains("\\") { next.url = "http://example.com/c" }
        let exchanges = try record(login("ok"), next)
        #expect(text(exchanges[1]) == "log: [redacted~1]!")
        #expect(exchanges[1].request.headers.map(\.value) == ["[redacted~1]"])
    }

    @Test func redactsPasswordOfBasicCredentials() throws {
        var first = ScriptedExchange.get("/a")
        first.requestHeaders = [
            "Authorization: Basic " + String(decoding: Base64.encode(Array("bob:hunter2hunter2".utf8)), as: UTF8.self)
        ]
        #expect(try text(record(first, .get("/b", "bob used hunter2hunter2"))[1]) == "bob used [redacted~2]")
    }

    @Test func redactsRepeatedBearerToken() throws {
        var first = ScriptedExchange.get("/a", "your token is hunter2-abcdefgh")
        first.requestHeaders = ["Authorization: Bearer hunter2-abcdefgh"]
        let exchanges = try record(first, .get("/hunter2-abcdefgh/b?x=hunter2-abcdefgh"))
        #expect(text(exchanges[0]) == "your token is [redacted~1]")
        #expect(exchanges[1].request.url == "http://example.com/[redacted~1]/b?x=[redacted~1]")
    }

    @Test func redactsEarlierOccurrencesInSameExchange() throws {
        var exchange = ScriptedExchange(url: "http://example.com/a?x=hunter2-abc")
        exchange.headers = ["Content-Type: application/json", "X-Echo: hunter2-abc"]
        exchange.pieces = [.init(#"{"echo":"hunter2-abc","password":"hunter2-abc"}"#)]
        #expect(try text(record(exchange)[0]) == #"{"echo":"[redacted~1]","password":"[redacted~1]"}"#)
    }

    /// Until then, the secret is in the log, but never in a cassette.
    @Test func redactsOccurrencesInEarlierExchange() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        recorder.record(.get("/session/hunter2-abcdefgh", "welcome hunter2-abcdefgh"))
        var second = ScriptedExchange(url: "http://example.com/me")
        second.requestHeaders = ["Authorization: Bearer hunter2-abcdefgh"]
        recorder.record(second)
        _ = try recorder.finish()
        #expect(try !folder.everything().contains("hunter2"))
        let first = try folder.exchanges()[0]
        #expect(first.request.url == "http://example.com/session/[redacted~1]")
        #expect(text(first) == "welcome [redacted~1]")
    }

    @Test func redactsRepetitionInLargeBody() throws {
        let padding = String(repeating: "x", count: 50_000)
        var pieces = ["hunt", "er2#Ax \(padding)", padding, "\(padding) hun", "ter2#A", "x"].map {
            ScriptedExchange.Piece($0)
        }
        pieces.append(.init(" end"))
        var exchange = login()
        exchange.pieces = pieces
        _ = try record(exchange)
        #expect(try folder.everything().contains("xx [redacted~1] end"))
    }

    /// A secret that a language model generates, with a few letters in each event.
    @Test(arguments: 1...5, ["text/event-stream", "application/x-ndjson"])
    func redactsSecretSplitAcrossEvents(size: Int, type: String) throws {
        let key = Array("sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1w")
        let words = stride(from: 0, to: key.count, by: size).map { String(key[$0..<min($0 + size, key.count)]) }
        let prefix = type == "text/event-stream" ? "data: " : ""
        let events = (["my "] + words + [" end"]).map { word in
            "\(prefix){\"created\":1700000000,\"choices\":[{\"delta\":{\"content\":\"\(word)\"},\"index\":0}]}\n\n"
        }
        var exchange = login(type: type)
        exchange.pieces = events.map { ScriptedExchange.Piece($0) }
        _ = try record(exchange)
        let everything = try folder.everything()
        #expect(everything.contains("[redacted~"))
        #expect(!words.dropFirst(4).contains { $0.count > 3 && everything.contains("\"\($0)\"") })
    }

    /// A marker replaces one path segment, so each segment has its own.
    @Test func redactsSecretSpanningPathSegments() throws {
        var first = ScriptedExchange(url: "http://example.com/a")
        first.requestHeaders = ["X-Api-Key: hunter2/Cd34/Ef56"]
        let exchanges = try record(first, .get("/files/hunter2/Cd34/Ef56/x?y=hunter2/Cd34/Ef56"))
        #expect(
            exchanges[1].request.url
                == "http://example.com/files/[redacted~1]/[redacted~2]/[redacted~3]/x?y=[redacted~1]"
        )
    }

    @Test func redactsRepetitionInStream() throws {
        let exchange = login("data: got hun", "ter2#Ax\n\n", "data: b\n\n", type: "text/event-stream")
        guard case .response(let response) = try record(exchange)[0].outcome, case .stream(let steps) = response.content
        else {
            Issue.record("expected a stream")
            return
        }
        #expect(steps[0].event == .bytes(Array("data: got [redacted~1]".utf8)))
        #expect(steps[1].event == .bytes(Array("\n\n".utf8)))
    }

    @Test func preservesRepetitionsOfCommonValues() throws {
        var first = ScriptedExchange.get("/a?password=true&secret=12345678&api_key=password&client_secret=banana")
        first.requestHeaders = ["Cookie: theme=dark-mode"]
        let text = "true 12345678 password banana dark-mode"
        var exchanges: [Exchange] = []
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        for exchange in [first, .get("/b", text)] { recorder.record(exchange) }
        _ = try recorder.finish()
        exchanges = try folder.exchanges()
        #expect(self.text(exchanges[1]) == text)
    }

    @Test func findsValuesOfAnyLengthAtAnyOffset() {
        var table = SecretTable()
        let values = (6...40).map { length in
            (0..<length).map { UInt8(truncatingIfNeeded: 33 + ($0 * 7 + length) % 90) }
        }
        for value in values { table.insert(value, secret: 0) }
        for value in values {
            for offset in 0..<12 {
                let bytes = [UInt8](repeating: 0, count: offset) + value + [0, 0]
                #expect(table.cuts(in: bytes).first?.range.lowerBound == offset)
            }
        }
    }
}
