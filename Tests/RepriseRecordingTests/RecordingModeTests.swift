// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

@Suite struct RecordingModeTests {
    private let folder = try! TemporaryFolder()

    @Test func onceModeRejectsExistingCassette() throws {
        #expect(RecordingMode.once.records(to: folder.cassette))
        try folder.record(.get("/"), configuration: .ticking(mode: .once))
        #expect(!RecordingMode.once.records(to: folder.cassette))
        #expect(
            RecordingMode.append.records(to: folder.cassette) && RecordingMode.overwrite.records(to: folder.cassette)
        )
        let error = try #require(throws: RecordingError.self) {
            try CassetteRecorder(folder.cassette, configuration: .ticking(mode: .once))
        }
        #expect(error.description.contains("expected no cassette in mode once, found one"))
    }

    @Test func overwriteRemovesOldBodiesAndKeepsOtherFiles() throws {
        let body = String(repeating: "x", count: 70_000)
        try folder.record(.get("/old", body))
        #expect(folder.names("a.cassette.bodies").count == 1)
        try folder.write([1], to: "a.cassette.bodies/mine.bin")
        try folder.record(.get("/new"))
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/new"])
        #expect(folder.names("a.cassette.bodies") == ["mine.bin"])
    }

    @Test func emptyRecordingLeavesCassetteUnchanged() throws {
        let body = String(repeating: "x", count: 70_000)
        try folder.record(.get("/old", body))
        let before = (try folder.text("a.cassette.json"), folder.names("a.cassette.bodies"))
        let summary = try folder.record()
        #expect(summary.notes == ["nothing was recorded; \(folder.cassette) is unchanged"])
        #expect(try folder.text("a.cassette.json") == before.0)
        #expect(folder.names("a.cassette.bodies") == before.1)
    }

    @Test func resolvesSymbolicLinkToCassette() throws {
        try folder.record(.get("/old"))
        let link = "\(folder.path)/link.cassette.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.cassette.json")
        let recorder = try CassetteRecorder(link, configuration: .ticking(mode: .append))
        #expect(throws: RecordingError.self) { try CassetteRecorder(folder.cassette, configuration: .ticking()) }
        recorder.record(.get("/new", String(repeating: "x", count: 70_000)))
        _ = try recorder.finish()
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/old", "http://example.com/new"])
        #expect(folder.names("a.cassette.bodies").count == 1)
        #expect(folder.names("link.cassette.bodies") == [])
    }

    @Test(arguments: RecordingMode.allCases)
    func emptyRecordingCreatesNoCassette(mode: RecordingMode) throws {
        let summary = try folder.record(configuration: .ticking(mode: mode))
        #expect(summary.notes == ["nothing was recorded; \(folder.cassette) was not created"])
        #expect(folder.names().isEmpty)
        try folder.write(CassetteSource.empty, to: "a.cassette.json")
        #expect(mode.records(to: folder.cassette))
        try folder.record(.get("/"), configuration: .ticking(mode: mode))
        #expect(try folder.exchanges().count == 1)
    }

    @Test func appendCreatesMissingCassette() throws {
        try folder.record(.get("/1"), configuration: .ticking(mode: .append))
        #expect(try folder.exchanges().count == 1)
    }

    @Test func appendingNothingLeavesFileUnchanged() throws {
        try folder.write(Array(Self.handMade.utf8), to: "a.cassette.json")
        try folder.write([0x41], to: "a.cassette.bodies/0123456789abcdef.txt")
        #expect(try folder.record(configuration: .ticking(mode: .append)).exchanges == 0)
        #expect(try folder.text("a.cassette.json") == Self.handMade)
    }

    /// A cassette edited by hand, in an unusual layout.
    private static let handMade = """
        {
          "note": "mine", "reprise":1,
          "exchanges" : [ {"request":{"method":"GET","url":"/a"},"response":{"status":"204"}},
            { "request": {"url": "\\/b", "method": "GET"},
              "note": "by hand",
              "response": {"status": "200 Fine",   "body": {"file": "0123456789abcdef.txt"}} }
          ]   }


        """

    @Test func appendsToHandEditedFile() throws {
        try folder.write(Array(Self.handMade.utf8), to: "a.cassette.json")
        try folder.write([0x41], to: "a.cassette.bodies/0123456789abcdef.txt")
        try folder.record(.get("/c"), .get("/d"), configuration: .ticking(mode: .append))
        let text = try folder.text("a.cassette.json")
        let end = try #require(Self.handMade.range(of: "\n  ]   }"))
        #expect(text.hasPrefix(String(Self.handMade[..<end.lowerBound]) + ",\n    {\n      \"request\": {\n"))
        #expect(text.hasSuffix("\n    }" + Self.handMade[end.lowerBound...]))
        #expect(
            try folder.exchanges().map(\.request.url).suffix(2) == ["http://example.com/c", "http://example.com/d"]
        )
        #expect(folder.names("a.cassette.bodies") == ["0123456789abcdef.txt"])
    }

    /// Whatever the layout of a file, its text is preserved, and the new entries follow the existing ones.
    @Test(
        arguments: [
            #"{"reprise":1,"exchanges":[]}"#, #"{"exchanges":[],"reprise":1}"#,
            "\u{FEFF}{\"reprise\":1,\"exchanges\":[ \n ]}",
            "{\r\n  \"reprise\": 1,\r\n  \"exchanges\": []\r\n}\r\n",
            "{\r\n\t\"reprise\": 1,\r\n\t\"exchanges\": [\r\n\t\t@\r\n\t]\r\n}",
            "{\n    \"reprise\": 1,\n    \"exchanges\": [\n        @,\n        @\n    ]\n}\n",
            #"{"reprise":1,"exchanges":[@]}"#, #"{"reprise":1,"exchanges":[@ , @],"note":"n"}"#,
            "{\"reprise\":1,\"exchanges\":[\n@\n,@\n]}", #"{"reprise":1,"exch\u0061nges":[@,@]}"#,
        ]
    )
    func appendsToFileOfAnyLayout(template: String) throws {
        let entry = #"{"request":{"method":"GET","url":"/"},"response":{"status":"204"}}"#
        let text = template.replacingOccurrences(of: "@", with: entry)
        try folder.write(Array(text.utf8), to: "a.cassette.json")
        let before = try folder.exchanges()
        var stream = ScriptedExchange(headers: ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"])
        stream.pieces = (0..<500).map { .init("data: \($0)\n\n" + String(repeating: "x", count: 200)) }
        var json = ScriptedExchange.get("/json", #"{"long":["\#(String(repeating: "x", count: 120))",{"a":[]}]}"#)
        json.status = 201
        try folder.record(json, stream, configuration: .ticking(mode: .append))
        let after = try folder.exchanges()
        #expect(after.prefix(before.count) == before[...])
        let appended = Array(after.dropFirst(before.count))
        let spliced = try folder.text("a.cassette.json")
        try folder.record(json, stream)
        #expect(try folder.exchanges() == appended)
        // Except for white space in an empty array, the new text begins and ends with the parts of the old text.
        let (old, new) = (text.utf8.filter { $0 > 0x20 }, spliced.utf8.filter { $0 > 0x20 })
        let common = zip(old, new).prefix { $0 == $1 }.count
        #expect(new.suffix(old.count - common) == old[common...])
        #expect(spliced.contains("\r\n") == text.contains("\r\n"))
        #expect(!text.contains("\r\n") || spliced.split(separator: "\r\n").allSatisfy { !$0.contains("\n") })
        #expect(text.contains("\t") == spliced.contains("\n\t\t\t") || !text.contains("\t"))
    }

    @Test func appendingProducesSameFileAsSingleRecording() throws {
        try folder.record(.get("/1"), .get("/2"), .get("/3"))
        let whole = try folder.text("a.cassette.json")
        let configuration = CassetteRecorder.Configuration.ticking(mode: .append)
        try FileManager.default.removeItem(atPath: folder.cassette)
        for path in ["/1", "/2", "/3"] { try folder.record(.get(path), configuration: configuration) }
        #expect(try folder.text("a.cassette.json") == whole)
    }

    @Test func preservesHandEditedBodyFile() throws {
        let body = String(repeating: "x", count: 70_000)
        try folder.record(.get("/1", body))
        let name = try #require(folder.names("a.cassette.bodies").first)
        try folder.write(Array("edited".utf8), to: "a.cassette.bodies/\(name)")
        try folder.record(.get("/2", body), configuration: .ticking(mode: .append))
        #expect(try folder.text("a.cassette.bodies/\(name)") == "edited")
        let names = folder.names("a.cassette.bodies")
        #expect(names.count == 2)
        #expect(try folder.text("a.cassette.bodies/\(try #require(names.first { $0 != name }))") == body)
        #expect(try folder.exchanges().flatMap(\.bodyNames) == [])
        try folder.record(.get("/3", body), configuration: .ticking(mode: .append))
        #expect(folder.names("a.cassette.bodies") == names)
    }

    /// A file that differs only in its last byte is another body.
    @Test func comparesBodyFilesToTheirEnd() throws {
        let body = String(repeating: "x", count: 70_000)
        try folder.record(.get("/1", body))
        let name = try #require(folder.names("a.cassette.bodies").first)
        try folder.write(Array((body.dropLast() + "y").utf8), to: "a.cassette.bodies/\(name)")
        try folder.record(.get("/2", body), .get("/3", body), configuration: .ticking(mode: .append))
        let other = "\(name.prefix(16))-2\(name.dropFirst(16))"
        #expect(folder.names("a.cassette.bodies") == [other, name].sorted())
        #expect(try folder.text("a.cassette.bodies/\(other)") == body)
        #expect(try folder.exchanges().map(\.bodyFiles) == [[name], [other], [other]])
    }

    /// Only a recorder gives such names, so only these files are removed.
    @Test(arguments: [
        ("0123456789abcdef.txt", true), ("0123456789abcdef-2.txt", true), ("0123456789abcdef-12.json", true),
        ("0.request.part", true), ("12.response.part", true), ("3.pace.part", true), ("3-1.pace.part", true),
        ("0123456789ABCDEF.txt", false), ("0123456789abcde.txt", false), ("0123456789abcdeg.txt", false),
        ("0123456789abcdef", false), ("0123456789abcdef.txt.gz", false), ("0123456789abcdef-.txt", false),
        ("0123456789abcdef-x.txt", false), ("0123456789abcdef0.txt", false), ("0123456789abcdef2.txt", false),
        ("x.request.part", false), (".request.part", false), ("1-.request.part", false), ("-1.request.part", false),
        ("1-2-3.request.part", false), ("1.other.part", false), ("1.request.tmp", false), ("1.request", false),
    ])
    func onlyFilesOfRecordersAreRemoved(name: String, isRemoved: Bool) throws {
        try folder.write([1], to: "a.cassette.bodies/\(name)")
        try folder.record(.get("/"))
        #expect(folder.names("a.cassette.bodies") == (isRemoved ? [] : [name]))
    }

    @Test func refusesToAppendToInvalidCassette() throws {
        let broken = "{\"reprise\": 1,\n \"exchanges\": [{}]}"
        try folder.write(Array(broken.utf8), to: "a.cassette.json")
        let error = try #require(throws: RecordingError.self) {
            try CassetteRecorder(folder.cassette, configuration: .ticking(mode: .append))
        }
        #expect(error.description.contains("a.cassette.json:2:16: expected"))
        #expect(error.description.contains("correct the cassette"))
        #expect(folder.names() == ["a.cassette.json"])
        _ = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: .overwrite))
    }

    @Test func overwritesTargetOfSymbolicLink() throws {
        try folder.write(CassetteSource.empty, to: "real/b.cassette.json")
        try folder.link("a.cassette.json", to: "real/b.cassette.json")
        try folder.record(.get("/"))
        #expect(try folder.text("real/b.cassette.json").contains("http://example.com/"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.cassette) == "real/b.cassette.json")
    }

    /// A cassette may be readable by its owner alone.
    @Test(arguments: [RecordingMode.append, .overwrite]) func keepsPermissionsOfCassette(mode: RecordingMode) throws {
        try folder.record(.get("/1"))
        for permissions in [0o600, 0o664] {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder.cassette)
            try folder.record(.get("/2"), configuration: .ticking(mode: mode))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.cassette)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == permissions)
        }
    }

    // MARK: One entry

    private func reRecord(_ selection: String, _ exchanges: ScriptedExchange...) throws -> CassetteRecorder.Summary {
        let configuration = CassetteRecorder.Configuration.ticking(only: try RequestSelection(selection))
        let recorder = try CassetteRecorder(folder.cassette, configuration: configuration)
        for exchange in exchanges { recorder.record(exchange) }
        return try recorder.finish()
    }

    private func post(_ body: String, _ answer: String) -> ScriptedExchange {
        var exchange = ScriptedExchange.get("/v1/chat?x=1", answer)
        exchange.method = "POST"
        exchange.requestBody = [body]
        return exchange
    }

    private func answers() throws -> [String] {
        try folder.exchanges().map { exchange in
            guard case .response(let response) = exchange.outcome, case .body(let body) = response.content,
                case .bytes(let bytes) = body.source
            else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test func replacesOneEntryAndPreservesOthersByteForByte() throws {
        try folder.record(.get("/a", "A"), post("1", "old"), .get("/b", "B"))
        let edited = try folder.text("a.cassette.json")
            .replacingOccurrences(of: "\"text\": \"A\"", with: "\"text\":   \"edited\"")
            .replacingOccurrences(
                of: "\"request\": {\n        \"method\": \"POST\"",
                with: "\"note\": \"n\",\"request\": {\"method\": \"POST\""
            )
        try folder.write(Array(edited.utf8), to: "a.cassette.json")
        let summary = try reRecord("POST /v1/chat", .get("/a", "not this"), post("1", "new"), .get("/c", "nor this"))
        #expect(summary.exchanges == 1)
        #expect(try answers() == ["edited", "new", "B"])
        #expect(try folder.exchanges()[1].note == "n")
        let text = try folder.text("a.cassette.json")
        let cut = try #require(
            edited.range(of: "\n    {\"note\"")?.lowerBound ?? edited.range(of: "\"note\": \"n\"")?.lowerBound
        )
        #expect(text.hasPrefix(String(edited[..<cut])))
        let tail = try #require(
            edited.range(
                of:
                    "    {\n      \"request\": {\n        \"method\": \"GET\",\n        \"url\": \"http://example.com/b\""
            )
        )
        #expect(text.hasSuffix(String(edited[tail.lowerBound...])))
    }

    @Test func replacesEntriesInOrderAndAddsExtras() throws {
        try folder.record(post("1", "a"), .get("/", "x"), post("2", "b"), .get("/", "y"))
        _ = try reRecord("POST /v1/chat", post("3", "c"))
        #expect(try answers() == ["c", "x", "b", "y"])
        _ = try reRecord("POST /v1/chat?x=1", post("2", "B"))
        #expect(try answers() == ["c", "x", "B", "y"])
        _ = try reRecord("POST /v1/chat", post("4", "d"), post("2", "BB"), post("5", "e"), post("6", "f"))
        #expect(try answers() == ["d", "x", "BB", "e", "f", "y"])
        _ = try reRecord("POST /v1/chat?x=2", post("4", "no"))
        #expect(try answers() == ["d", "x", "BB", "e", "f", "y"])
        _ = try reRecord("GET /new", .get("/new", "z"))
        #expect(try answers() == ["d", "x", "BB", "e", "f", "y", "z"])
    }

    /// The bodies are in files.
    @Test(arguments: [200_000, 1 << 20]) func replacesEntryWithSameLargeBody(size: Int) throws {
        let bodies = ["a", "b"].map { String(repeating: $0, count: size) }
        try folder.record(post(bodies[0], "A"), post(bodies[1], "B"))
        #expect(folder.names("a.cassette.bodies").count == 2)
        _ = try reRecord("POST /v1/chat", post(bodies[1], "new B"), post(bodies[0], "new A"))
        #expect(try answers() == ["new A", "new B"])
    }

    @Test(arguments: ["", "POST", "POST v1", "POST /a b", "P(ST /", "/v1 POST"])
    func rejectsInvalidSelection(text: String) throws {
        let error = try #require(throws: RecordingError.self) { try RequestSelection(text) }
        #expect(error.description == "expected a method and a path such as 'POST /v1/chat', found '\(text)'")
    }

    @Test func selectsByCanonicalPathAndQuery() throws {
        let path = try RequestSelection("GET /a%7Eb")
        #expect(path.contains(method: "GET", url: "http://h/a~b?x=1"))
        #expect(!path.contains(method: "HEAD", url: "http://h/a~b"))
        #expect(!path.contains(method: "GET", url: "/a~b/"))
        let query = try RequestSelection("GET https://other/a?b=2&a=1")
        #expect(query.contains(method: "GET", url: "/a?a=1&b=2"))
        #expect(!query.contains(method: "GET", url: "/a"))
        #expect(!query.contains(method: "POST", url: "/a?a=1&b=2"))
        // An empty query is none.
        let empty = try RequestSelection("GET /a?")
        #expect(empty.contains(method: "GET", url: "/a"))
        #expect(empty.contains(method: "GET", url: "/a?"))
        #expect(!empty.contains(method: "GET", url: "/a?b=1"))
    }
}

extension Exchange {
    /// The names of the body files, except those that end in `.txt`.
    fileprivate var bodyNames: [String] {
        bodyFiles.filter { !$0.hasSuffix(".txt") }
    }
}
