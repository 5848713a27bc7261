// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseRecording
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct CassetteRedactionTests {
    private let folder = try! TemporaryFolder()
    private let secret = "q7Hd0pLx93Zb-kT4mWvN"

    /// Writes a cassette as someone else recorded it.
    private func write(_ exchanges: Exchange..., note: String? = nil) throws {
        var cassette = Cassette(exchanges: exchanges)
        cassette.note = note
        let output = try CassetteWriter.write(cassette, to: folder.cassette)
        try folder.write(output.bytes, to: "a.cassette.json")
        for (name, bytes) in output.bodies { try folder.write(bytes, to: "a.cassette.bodies/\(name)") }
    }

    private func exchange(_ path: String, _ headers: String..., body: String) -> Exchange {
        Exchange(
            request: RecordedRequest(
                method: "GET",
                url: "http://example.com\(path)",
                headers: headers.compactMap { HeaderLine($0) }
            ),
            outcome: .response(
                RecordedResponse(
                    status: 200,
                    headers: [HeaderLine(name: "Content-Type", value: "text/plain")],
                    content: .body(RecordedBody(.bytes(Array(body.utf8))))
                )
            ),
            note: "by hand"
        )
    }

    private func redaction() throws -> CassetteRedaction {
        try CassetteRedaction(folder.cassette, memory: SecretMemory())
    }

    private func redact() throws -> [String] {
        let redaction = try self.redaction()
        try redaction.write()
        return redaction.findings.map(\.description)
    }

    @Test func findsSecretsInTrailersAndInformationalResponses() throws {
        var exchange = exchange("/1", body: "ok")
        exchange.request.trailers = [HeaderLine(name: "X-Api-Key", value: secret)]
        guard case .response(var response) = exchange.outcome else { return }
        var hints = RecordedResponse.Informational(status: 103)
        hints.headers = [HeaderLine(name: "Set-Cookie", value: "session=\(secret)")]
        response.informational = [hints]
        exchange.outcome = .response(response)
        #expect(
            Redaction.standard.findings(in: exchange).secrets.map(\.field)
                == ["request trailer X-Api-Key", "informational response header Set-Cookie"]
        )
        try write(exchange)
        let request = "entry 1, GET http://example.com/1"
        #expect(
            try redact() == [
                "\(request): request trailer X-Api-Key", "\(request): informational response header Set-Cookie",
            ]
        )
        #expect(try !folder.everything().contains(secret))
        #expect(try redact() == [])
    }

    @Test func notesDigestOfChangedBody() throws {
        var exchange = exchange("/1", body: "api_key=\(secret)")
        guard case .response(var response) = exchange.outcome else { return }
        response.headers.append(HeaderLine(name: "Content-MD5", value: "abc"))
        exchange.outcome = .response(response)
        try write(exchange)
        #expect(try redact() == ["entry 1, GET http://example.com/1: response body"])
        #expect(
            try folder.response()?.note?.starts(with: "Content-MD5 doesn't match the body, because a secret was")
                == true
        )
    }

    @Test func removesSecretsAndKeepsTheRest() throws {
        let long = String(repeating: "lorem ipsum ", count: 10_000)
        try write(
            exchange("/1", body: "nothing"),
            exchange("/2?q=\(secret)", body: "a \(secret) b"),
            exchange("/3", "Authorization: Bearer \(secret)", body: "ok"),
            exchange("/4", body: long + secret + " " + long),
            note: "shared"
        )
        let old = try folder.text("a.cassette.json")
        let bodies = folder.names("a.cassette.bodies")
        let preview = try redaction()
        try preview.discard()
        #expect(try folder.text("a.cassette.json") == old)
        #expect(folder.names("a.cassette.bodies") == bodies)
        #expect(folder.names() == ["a.cassette.bodies", "a.cassette.json"])

        #expect(
            try redact() == [
                "entry 2, GET http://example.com/2?q=[redacted~1]: URL",
                "entry 2, GET http://example.com/2?q=[redacted~1]: response body",
                "entry 3, GET http://example.com/3: request header Authorization",
                "entry 4, GET http://example.com/4: response body",
            ]
        )
        #expect(try !folder.everything().contains(secret))
        #expect(folder.names() == ["a.cassette.bodies", "a.cassette.json"])
        #expect(folder.names("a.cassette.bodies").count == 1)
        #expect(folder.names("a.cassette.bodies") != bodies)
        let exchanges = try folder.exchanges()
        #expect(exchanges.count == 4)
        #expect(exchanges.allSatisfy { $0.note == "by hand" })
        let text = try folder.text("a.cassette.json")
        #expect(text.contains("\"note\": \"shared\""))
        // The table of stand-ins is new, and what follows up to the first secret is as before.
        #expect(text.contains("\"standIns\": [\n    {\"text\": \"[redacted~1]\"}\n  ],"))
        let start = try #require(old.range(of: "\"exchanges\"")).lowerBound
        let end = try #require(old.range(of: "/2?q=")).lowerBound
        #expect(text.contains(old[start..<end]))

        // A second run finds nothing and changes nothing.
        #expect(try redact() == [])
        #expect(try folder.text("a.cassette.json") == text)
    }

    @Test func appliesRulesBesideCassette() throws {
        try folder.write(Array("redact:\n  names:\n    - name: ssn\n      as: number\n".utf8), to: "reprise.yaml")
        try write(exchange("/1?ssn=12-345", body: "x"))
        #expect(try redact() == ["entry 1, GET http://example.com/1?ssn=[redacted:number~1]: URL"])
        #expect(try redact() == [])
    }

    @Test func redactsStreamStepByStep() throws {
        var stream = exchange("/1", "X-Api-Key: \(secret)", body: "")
        stream.outcome = .response(
            RecordedResponse(
                status: 200,
                headers: [HeaderLine(name: "Content-Type", value: "text/event-stream")],
                content: .stream([
                    StreamStep(after: .milliseconds(1), .bytes(Array("data: a\n\n".utf8))),
                    StreamStep(after: .milliseconds(2), .bytes(Array("data: q7Hd0pLx93".utf8))),
                    StreamStep(after: .milliseconds(3), .bytes(Array("Zb-kT4mWvN\n\n".utf8))),
                    StreamStep(after: .milliseconds(4), .end(.reset)),
                ])
            )
        )
        try write(stream)
        #expect(try redact().last?.hasSuffix("response body") == true)
        guard case .stream(let steps)? = try folder.response()?.content else {
            Issue.record("expected a stream")
            return
        }
        #expect(steps.map(\.after) == [1, 2, 3, 4].map { .milliseconds($0) })
        #expect(steps[1].event == .bytes(Array("data: [redacted~1]".utf8)))
        #expect(steps[2].event == .bytes(Array("\n\n".utf8)))
    }

    @Test func refusesCassetteThatIsMissingOrInUse() throws {
        let missing = try #require(throws: RecordingError.self) { try redaction() }
        #expect(missing.description.contains("expected a cassette, found nothing"))
        #expect(folder.names() == [])
        try write(exchange("/1", body: "x"))
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: .append))
        recorder?.record(.get("/2"))
        let busy = try #require(throws: RecordingError.self) { try redaction() }
        #expect(busy.description.contains("found another"))
        #expect(WaitingRecording.all(in: [folder.path]) == [])
        recorder = nil
        let waiting = try #require(throws: RecordingError.self) { try redaction() }
        #expect(waiting.description.contains("mockserver cassette recover \(folder.cassette)"))
        #expect(WaitingRecording.all(in: [folder.path]).map(\.cassette) == [folder.cassette])
        #expect(WaitingRecording.all(in: [folder.cassette]).count == 1)
        try folder.record(configuration: .ticking(mode: .append))
        #expect(WaitingRecording.all(in: [folder.path, folder.cassette]) == [])
    }

    /// An empty file, or a folder, with the name of a log contains no exchanges.
    @Test func onlyLogWithContentWaits() throws {
        try folder.write([], to: "a.cassette.json.recording-log")
        try folder.write([1], to: "b.cassette.json.recording-log/x")
        #expect(WaitingRecording.all(in: [folder.path]) == [])
        try folder.write([1], to: "deep/folder/c.cassette.json.recording-log")
        try folder.write([1], to: ".hidden/d.cassette.json.recording-log")
        try folder.write([1], to: "e.bodies/e.cassette.json.recording-log")
        #expect(
            WaitingRecording.all(in: [folder.path]).map(\.cassette) == ["\(folder.path)/deep/folder/c.cassette.json"]
        )
    }

    /// Folders are searched to a depth of 32, and a path may end with a slash.
    @Test(arguments: [(31, true), (32, false)]) func logIsFoundInFoldersWithin(depth: Int, isFound: Bool) throws {
        let path = (0..<depth).map { "f\($0)/" }.joined() + "a.cassette.json"
        try folder.write([1], to: path + ".recording-log")
        let found = WaitingRecording.all(in: ["\(folder.path)/"]).map(\.cassette)
        #expect(found == (isFound ? ["\(folder.path)/\(path)"] : []))
    }

    /// Once it is named, a secret is removed from every text.
    @Test func findsSecretInEveryPlace() throws {
        var exchange = exchange("/\(secret)", "Authorization: Bearer \(secret)", "X-Other: \(secret)", body: secret)
        exchange.request.body = RecordedBody(.bytes(Array("see \(secret)".utf8)))
        exchange.request.trailers = [HeaderLine(name: "X-Request", value: secret)]
        guard case .response(var response) = exchange.outcome else { return }
        response.reasonBytes = Array("OK \(secret)".utf8)
        response.headers.append(HeaderLine(name: "X-Response", value: secret))
        response.trailers = [HeaderLine(name: "X-Trailer", value: secret)]
        var hints = RecordedResponse.Informational(status: 103)
        hints.reasonBytes = Array("Hints \(secret)".utf8)
        hints.headers = [HeaderLine(name: "X-Hint", value: secret)]
        response.informational = [hints]
        exchange.outcome = .response(response)
        try write(exchange)
        let places = [
            "URL", "request header Authorization", "request header X-Other", "request body",
            "request trailer X-Request",
            "reason phrase", "response header X-Response", "response body", "trailer X-Trailer",
            "reason phrase of informational response", "informational response header X-Hint",
        ]
        #expect(try redact() == places.map { "entry 1, GET http://example.com/[redacted~1]: \($0)" })
        #expect(try !folder.everything().contains(secret))
    }

    /// The rest of an edited body is one more chunk. A chunk that has nothing left would end the body.
    @Test(arguments: 1...9) func redactionKeepsRestOfBodyWithChunks(size: Int) throws {
        let text = "api_key=\(secret)&x=1"
        var exchange = exchange("/1", body: "")
        guard case .response(var response) = exchange.outcome else { return }
        response.headers.append(HeaderLine(name: "Transfer-Encoding", value: "chunked"))
        var body = RecordedBody(.bytes(Array(text.utf8)))
        body.chunks = size == 9 ? [1, .max] : Array(repeating: size, count: size % 2 == 0 ? 9 : text.utf8.count / size)
        response.content = .body(body)
        exchange.outcome = .response(response)
        try write(exchange)
        #expect(try redact().count == 1)
        guard case .body(let redacted)? = try folder.response()?.content, case .bytes(let bytes) = redacted.source
        else {
            Issue.record("expected a body")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "api_key=[redacted~1]&x=1")
        let chunks = try #require(redacted.chunks)
        #expect(!chunks.isEmpty)
        #expect(chunks.allSatisfy { $0 > 0 })
        #expect(chunks.reduce(0, +) <= bytes.count)
    }
}
