// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseRedaction
@testable import RepriseText

/// A secret is removed from what was written before it was named, also if the recording is interrupted.
@Suite struct NamedLaterTests {
    private let folder = try! TemporaryFolder()
    /// Each recorder has its own memory, as if it were in another process.
    private var append: CassetteRecorder.Configuration { .ticking(mode: .append) }
    private let secret = "q7Hd0pLx93Zb-kT4mWvN"

    private func mention(_ text: String, size: Int = 0, type: String = "text/plain") -> ScriptedExchange {
        let padding = String(repeating: "lorem ipsum ", count: size / 12)
        var exchange = ScriptedExchange(url: "http://example.com/a", headers: ["Content-Type: \(type)"])
        exchange.pieces = [.init(padding), .init("see \(text)."), .init(padding)].filter { !$0.bytes.isEmpty }
        return exchange
    }

    private func naming(_ text: String) -> ScriptedExchange {
        var exchange = ScriptedExchange.get("/login")
        exchange.requestHeaders = ["Authorization: Bearer \(text)"]
        return exchange
    }

    private func isOnDisk(_ text: String) throws -> Bool { try folder.everything().contains(text) }

    /// In the log at once, not only when the recording ends.
    @Test(arguments: [0, 200_000], ["text/plain", "text/event-stream"])
    func namingRemovesSecretFromEarlierExchange(size: Int, type: String) throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        recorder?.record(mention(secret, size: size, type: type))
        recorder?.record(mention("nothing", size: size, type: type))
        #expect(try isOnDisk(secret))
        recorder?.record(naming(secret))
        #expect(try !isOnDisk(secret))
        // As if the process had ended.
        recorder = nil
        try folder.record(.get("/last"), configuration: append)
        #expect(try !isOnDisk(secret))
        let exchanges = try folder.exchanges()
        #expect(exchanges.count == 4)
        #expect(try folder.everything().contains("see [redacted~1]."))
        #expect(try folder.everything().contains("see nothing."))
        #expect(folder.names("a.cassette.bodies").count == (size > 0 && type == "text/plain" ? 2 : 0))
    }

    /// Such a body is in a file, which is searched in blocks.
    @Test(arguments: [true, false], [[], [0xFF, 0xFE]])
    func namingRemovesSecretFromLargeBodyInUTF16(isNamedFirst: Bool, mark: [UInt8]) throws {
        func wide(_ text: String) -> [UInt8] { Array(text.utf8).flatMap { byte -> [UInt8] in [byte, 0] } }
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        if isNamedFirst { recorder.record(naming(secret)) }
        var exchange = mention("", type: "text/plain")
        let padding = String(repeating: "lorem ipsum ", count: 20_000)
        exchange.pieces = [.init(mark + wide(padding)), .init(wide("see \(secret).")), .init(wide(padding))]
        recorder.record(exchange)
        if !isNamedFirst { recorder.record(naming(secret)) }
        _ = try recorder.finish()
        let name = try #require(folder.names("a.cassette.bodies").first)
        let body = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/a.cassette.bodies/\(name)"))
        #expect(Array(body) == mark + wide(padding + "see [redacted~1]." + padding))
    }

    /// A recorder of another cassette names the secret, so this one has no stand-in for it until it is found.
    @Test(arguments: [false, true])
    func logListsStandInBeforeItsUse(isFinished: Bool) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(mention(secret))
        recorder.memory.remember(Array(secret.utf8))
        // With a folder in the way, the cassette cannot be written, and the log stays.
        if isFinished {
            try folder.write([1], to: "a.cassette.json/x")
            #expect(throws: RecordingError.self) { try recorder.finish() }
        } else {
            recorder.record(.get("/last"))
        }
        let log = try folder.text("a.cassette.json.recording-log")
        let table = try #require(log.range(of: #"{"standIns": [{"text": "[redacted~1]"}]}"#))
        let use = try #require(log.range(of: "see [redacted~1]."))
        #expect(table.lowerBound < use.lowerBound)
    }

    /// Another thread names a secret after the values to remove were read.
    @Test func secretNamedMeanwhileIsLookedForNextTime() throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        recorder?.record(mention(secret))
        recorder = nil
        let log = try RecordingLog(cassette: folder.cassette)
        let written = WrittenText(fingerprints: FingerprintSearch([], salt: log.salt))
        var state = CassetteRecorder.State(log: log, nextOrdinal: 1, written: written)
        let memory = SecretMemory()
        let standIns = StandIns(memory)
        func removeNamedValues(_ table: SecretTable?, known: Int) throws {
            let removal = SecretRemoval(
                table: try #require(table),
                replacement: Redaction.standard.replacing(with: standIns).replacement
            )
            let bodies = BodyFolder(cassette: folder.cassette)
            try state.removeNamedValues(standIns, removal, known: known, bodies)
        }
        memory.remember(Array("other-9Lr2-secret".utf8))
        let (table, known) = (memory.table, memory.total)
        memory.remember(Array(secret.utf8))
        try removeNamedValues(table, known: known)
        #expect(state.written.known == known)
        try removeNamedValues(memory.table, known: memory.total)
        #expect(try !isOnDisk(secret))
    }

    @Test func namingKeepsPaceOfStream() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        var stream = mention("", size: 0, type: "text/event-stream")
        stream.pieces = (0..<3000).map {
            .init("data: \($0) \($0 % 500 == 3 ? secret : "x")\n\n", after: Double($0 % 7))
        }
        recorder.record(stream)
        recorder.record(naming(secret))
        _ = try recorder.finish()
        guard case .response(let response) = try folder.exchanges()[0].outcome,
            case .stream(let steps) = response.content
        else {
            Issue.record("expected a stream")
            return
        }
        #expect(steps.count == 3001)
        for (number, step) in steps.prefix(3000).enumerated() {
            let word = number % 500 == 3 ? "[redacted~1]" : "x"
            #expect(step.event == .bytes(Array("data: \(number) \(word)\n\n".utf8)))
            #expect(step.after == .milliseconds(number % 7))
        }
    }

    /// The body is on the disk before the response names the secret.
    @Test func namingRemovesSecretFromOwnRequestBody() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        var exchange = ScriptedExchange(method: "POST", url: "http://example.com/a")
        let padding = String(repeating: "lorem ipsum ", count: 10_000)
        exchange.requestHeaders = ["Content-Type: text/plain"]
        exchange.requestBody = [padding, "see \(secret).", padding]
        exchange.headers = ["Content-Type: application/json"]
        exchange.pieces = [.init("{\"access_token\": \"\(secret)\"}")]
        recorder.record(exchange)
        #expect(try !isOnDisk(secret))
        #expect(folder.names("a.cassette.bodies").count == 1)
        _ = try recorder.finish()
        #expect(try !isOnDisk(secret))
        #expect(try folder.everything().contains("see [redacted~1]."))
    }

    @Test(arguments: ["\\n@", "%3D@", "\\u003d@", "\"@\"", "a=@&b"])
    func namingFindsSecretAfterEscape(_ form: String) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(mention(form.replacing("@", with: secret)))
        recorder.record(naming(secret))
        #expect(try !isOnDisk(secret))
    }

    /// The spelling on the disk has none of the secret's words.
    @Test(arguments: [
        #"\u0071\u0037Hd0pLx93Zb-kT4mWvN"#, "&#113;&#55;Hd0pLx93Zb-kT4mWvN", "%71%37Hd0pLx93Zb%2DkT4mWvN",
        "aGFuZGxlIHE3SGQwcEx4OTNaYi1rVDRtV3ZOIGVuZA==",
    ])
    func namingFindsSecretInOtherSpelling(_ text: String) throws {
        // A backslash is escaped on the disk.
        let tail = String(text.suffix(16))
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        recorder?.record(mention(text))
        #expect(try isOnDisk(tail))
        recorder?.record(naming(secret))
        #expect(try !isOnDisk(tail))
        #expect(try folder.everything().contains("[redacted~1]"))
        // The recorder that continues knows only a fingerprint.
        recorder = nil
        let next = try CassetteRecorder(folder.cassette, configuration: append)
        next.record(mention(text))
        #expect(try !isOnDisk(tail))
    }

    @Test func namingFindsSecretInCompressedFile() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        // The body is larger than what is kept in memory.
        let text = (0..<20_000).map { "\($0 * 7919 % 65_521) " }.joined() + "see \(secret)."
        for _ in 0..<2 {
            var exchange = ScriptedExchange(url: "http://example.com/a")
            exchange.headers = ["Content-Type: text/plain", "Content-Encoding: gzip"]
            exchange.pieces = [.init(Deflate.gzip(Array(text.utf8)))]
            recorder.record(exchange)
        }
        #expect(folder.names("a.cassette.bodies").count == 1)
        recorder.record(naming(secret))
        _ = try recorder.finish()
        #expect(folder.names("a.cassette.bodies").count == 1)
        let expected = text.replacing(secret, with: "[redacted~1]")
        #expect(try folder.everything().contains(expected.suffix(200)))
        for exchange in try folder.exchanges().prefix(2) {
            guard case .response(let response) = exchange.outcome else { continue }
            #expect(response.headers.firstValue(named: "Content-Encoding") == nil)
        }
    }

    @Test(arguments: [nil, "text/event-stream"])
    func namingFindsSecretInCompressedBody(type: String?) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        // `see q7Hd0pLx93Zb-kT4mWvN.` in gzip.
        let body = try #require(
            Base64.decode(Array("H4sIAAAAAAACAytOTVUoNPdIMSjwqbA0jkrSzQ4xyQ0v89MDAPyosdAZAAAA".utf8)[...])
        )
        var exchange = ScriptedExchange(url: "http://example.com/a")
        exchange.headers = ["Content-Type: \(type ?? "text/plain")", "Content-Encoding: gzip"]
        exchange.pieces = [.init(Array(body.prefix(12))), .init(Array(body.dropFirst(12)))]
        recorder.record(exchange)
        recorder.record(naming(secret))
        _ = try recorder.finish()
        #expect(try folder.everything().contains(" [redacted~1]."))
        guard case .response(let response) = try folder.exchanges()[0].outcome else {
            Issue.record("expected a response")
            return
        }
        #expect(response.headers.firstValue(named: "Content-Encoding") == nil)
        #expect(response.note?.contains("gzip") == true)
    }

    /// The recorder that continues knows only a fingerprint of the secret.
    @Test(arguments: [0, 200_000])
    func removesSecretOfInterruptedRecording(size: Int) throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        recorder?.record(naming(secret))
        recorder = nil
        let log = try folder.text("a.cassette.json.recording-log")
        #expect(log.contains("{\"named\": [\""))
        let next = try CassetteRecorder(folder.cassette, configuration: append)
        next.record(mention("key=\(secret)", size: size))
        #expect(try !isOnDisk(secret))
        next.record(mention(secret, size: size))
        #expect(try !isOnDisk(secret))
        _ = try next.finish()
        #expect(try folder.everything().contains("see key=[redacted~"))
    }

    /// The files have the same name, because they have the same content.
    @Test func wordsOfFileAreReadOnce() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(naming("other-9Lr2-secret"))
        recorder.record(mention(secret, size: 200_000))
        let words = try #require(recorder.words)
        #expect(words.mayContain(Array(secret.utf8)))
        #expect(!words.mayContain(Array("q7Hd0pLx93Zb-kT4mWvM".utf8)))
        let name = try #require(folder.names("a.cassette.bodies").first)
        try folder.write(Array("q7Hd0pLx93Zb-kT4mWvM".utf8), to: "a.cassette.bodies/\(name)")
        let place = try #require(recorder.log?.places.last)
        let entry = try #require(try recorder.log?.entry(at: place))
        words.insert(entry, recorder.folder)
        #expect(!words.mayContain(Array("q7Hd0pLx93Zb-kT4mWvM".utf8)))
    }

    /// They are never read again, so a long recording must not keep them in memory.
    @Test func newFingerprintsAreNotLeftovers() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(naming(secret))
        #expect(try folder.text("a.cassette.json.recording-log").contains("{\"named\": [\""))
        #expect(recorder.log?.leftovers.named == [])
    }

    @Test func noteOnUnansweredRequestHasNoSecret() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let recording = recorder.begin(ScriptedExchange.get("/?q=\(secret)").request, at: .zero)
        recorder.record(naming(secret))
        recording.discard(because: "expected an answer, found none")
        #expect(
            recorder.summary.notes
                == ["GET http://example.com/?q=[redacted~1]: not recorded: expected an answer, found none"]
        )
    }

    @Test func reportsSecretInEntryOfEarlierRecording() throws {
        try folder.record(.get("/0"), mention(secret), mention(secret, size: 200_000))
        let old = try folder.everything()
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(naming(secret))
        let notes = try recorder.finish().notes
        #expect(
            notes
                == [2, 3].map { number in
                    "\(folder.cassette): entry \(number), from an earlier recording, contains a value that is a secret in "
                        + "this one; run: mockserver cassette redact \(folder.cassette)"
                }
        )
        #expect(old.contains(secret))
        #expect(try isOnDisk(secret))
    }

    /// Also if this recording was to replace them.
    @Test(arguments: [false, true]) func abandoningKeepsCleanedLeftovers(replacesLeftovers: Bool) throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        recorder?.record(mention(secret))
        recorder = nil
        var configuration = append
        configuration.replacesLeftovers = replacesLeftovers
        let next = try CassetteRecorder(folder.cassette, configuration: configuration)
        next.record(naming(secret))
        next.record(.get("/2"))
        try next.abandon()
        try folder.record(configuration: append)
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/a"])
        #expect(try !isOnDisk(secret))
    }

    /// Random conversations that mention secrets before they are named, interrupted anywhere.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func leavesNoNamedSecretOnDisk(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let secrets = (0..<4).map { _ in Self.secret(&random) }
        var named: Set<String> = []
        var count = 0
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        for _ in 0..<Int.random(in: 5...25, using: &random) {
            let secret = secrets.randomElement(using: &random)!
            switch Int.random(in: 0..<8, using: &random) {
            case 0: await Self.release(&recorder)
            case 1, 2:
                recorder?.record(Self.naming(secret, &random))
                named.insert(secret)
                count += 1
            default:
                recorder?.record(Self.mention(secret, &random))
                count += 1
            }
            if recorder == nil { recorder = try CassetteRecorder(folder.cassette, configuration: append) }
            let found = try onDisk(named)
            #expect(found == [])
            guard found.isEmpty else { return }
        }
        await Self.release(&recorder)
        try folder.record(configuration: append)
        #expect(try onDisk(named) == [])
        #expect(try folder.exchanges().count == count)
        #expect(folder.names().allSatisfy { $0.hasPrefix("a.cassette") && !$0.contains("recording-log") })
    }

    /// Lets go of a recorder, and waits until its task has too: it keeps its lock until then.
    private static func release(_ recorder: inout CassetteRecorder?) async {
        weak let released = recorder
        recorder = nil
        while released != nil { await Task.yield() }
    }

    private func onDisk(_ texts: Set<String>) throws -> [String] {
        let everything = try folder.everything()
        // With what is around it, but without long bodies.
        return texts.compactMap { text in
            everything.range(of: text).map { range in
                let start = everything.index(range.lowerBound, offsetBy: -80, limitedBy: everything.startIndex)
                return String(everything[(start ?? everything.startIndex)..<range.upperBound])
            }
        }
    }

    private static func secret(_ random: inout SeededGenerator) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        let length = Int.random(in: 10...40, using: &random)
        let middle = (0..<length).map { _ in alphabet.randomElement(using: &random)! }
        return "x7" + String(middle) + "4Kq"
    }

    private static func naming(_ secret: String, _ random: inout SeededGenerator) -> ScriptedExchange {
        var exchange = ScriptedExchange(method: "POST", url: "http://example.com/n")
        exchange.pieces = [.init("ok \(secret) ok")]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: exchange.requestHeaders = ["Authorization: Bearer \(secret)"]
        case 1: exchange.url += "?access_token=\(secret)"
        case 2:
            exchange.requestHeaders = ["Content-Type: application/json"]
            exchange.requestBody = ["{\"password\":\"\(secret)\"}"]
        default:
            exchange.headers = ["Content-Type: application/json"]
            exchange.pieces = [.init("{\"client_secret\":\"\(secret)\"}")]
        }
        return exchange
    }

    private static func mention(_ secret: String, _ random: inout SeededGenerator) -> ScriptedExchange {
        var exchange = ScriptedExchange(method: "POST", url: "http://example.com/m")
        let padding = String(repeating: "dolor sit ", count: Int.random(in: 0...5, using: &random) > 0 ? 1 : 9000)
        let text = ["\(secret)", "id=\(secret)&x=1", "(\(secret))", "{\"id\":\"\(secret)\"}"].randomElement(
            using: &random
        )!
        let type = ["text/plain", "text/event-stream", "application/octet-stream"].randomElement(using: &random)!
        exchange.headers = ["Content-Type: \(type)"]
        if Bool.random(using: &random) { exchange.headers.append("Transfer-Encoding: chunked") }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: exchange.url += "?q=\(secret)"
        case 1: exchange.requestHeaders = ["X-Trace: \(secret)"]
        case 2: exchange.requestBody = [padding, " \(text) ", padding]
        case 3: exchange.headers.append("X-Log: a \(secret) b")
        default: exchange.pieces = [padding, " \(text) ", padding].map { .init($0) }
        }
        if Bool.random(using: &random) { exchange.ending = .reset }
        return exchange
    }
}
