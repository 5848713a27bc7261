// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseAnswers
@testable import RepriseFixtures
@testable import RepriseText

@Suite struct RouteFilePlanTests {
    private func plan(_ name: String, _ body: String) throws -> ResponsePlan {
        try plan(name, ByteSource.bytes(Array(body.utf8)))
    }

    private func plan(_ name: String, _ body: ByteSource) throws -> ResponsePlan {
        guard case .route(let route) = RouteFileName.parse(name) else { throw NoRoute() }
        return try ResponsePlan(routeFile: route, body: body)
    }

    private struct NoRoute: Error {}

    private func steps(_ status: Int, _ reason: String, _ headers: [String], _ chunks: [String]) -> [ResponsePlan.Step]
    {
        let head = ResponseHead(status: status, reason: reason, headers: headers.compactMap { HeaderLine($0) })
        return [.head(head)] + chunks.map { .bytes(.bytes(Array($0.utf8))) } + [.end(.complete)]
    }

    @Test func servesFileUnchanged() throws {
        let plan = try plan("a.get.json", "{ }\n")
        #expect(plan.framing == .contentLength)
        #expect(plan.steps == steps(200, "OK", ["Content-Type: application/json", "Content-Length: 4"], ["{ }\n"]))
    }

    @Test(arguments: ["a", ""])
    func fileOfStaticFolderHasTagAndRanges(text: String) {
        let plan = ResponsePlan(file: .bytes(Array(text.utf8)), fileExtension: "txt", entityTag: "\"t\"")
        let headers = [
            "Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count)", "ETag: \"t\"",
            "Accept-Ranges: bytes",
        ]
        #expect(plan.steps == steps(200, "OK", headers, text.isEmpty ? [] : [text]))
        #expect(plan.evaluatesConditions)
        #expect(plan.framing == .contentLength)
    }

    @Test(arguments: [
        ("a.get.txt", "text/plain; charset=utf-8"), ("a.get.HTML", "text/html; charset=utf-8"),
        ("a.get.png", "image/png"), ("a.get.woff2", "font/woff2"), ("a.get.unheard", "application/octet-stream"),
        ("a.get", "application/octet-stream"),
    ])
    func derivesContentTypeFromExtension(name: String, type: String) throws {
        #expect(try plan(name, "x").head?.headers.firstValue(named: "Content-Type") == type)
    }

    @Test func servesEmptyFile() throws {
        #expect(
            try plan("a.get.json", "").steps
                == steps(200, "OK", ["Content-Type: application/json", "Content-Length: 0"], [])
        )
        #expect(try plan("a.get.503", "").steps == steps(503, "Service Unavailable", ["Content-Length: 0"], []))
    }

    @Test func requiresEmptyFileForBodilessStatus() throws {
        let plan = try plan("a.delete.204.json", "")
        #expect(plan.framing == .none)
        #expect(plan.steps == steps(204, "No Content", [], []))
        for name in ["a.get.204.json", "a.get.304", "a.head.204.txt"] {
            #expect(throws: RouteFileError.self) { try self.plan(name, "x") }
        }
    }

    @Test func sendsContentFieldsForHEADRoute() throws {
        let plan = try plan("a.head.txt", "hello")
        #expect(plan.framing == .none)
        #expect(plan.steps == steps(200, "OK", ["Content-Type: text/plain; charset=utf-8", "Content-Length: 5"], []))
    }

    @Test func splitsEventStreamIntoEvents() throws {
        let plan = try plan("a.get.sse", "data: 1\n\ndata: 2\n\n")
        #expect(plan.framing == .chunked)
        let headers = ["Content-Type: text/event-stream", "Cache-Control: no-cache", "Transfer-Encoding: chunked"]
        #expect(plan.steps == steps(200, "OK", headers, ["data: 1\n\n", "data: 2\n\n"]))
    }

    @Test(arguments: ["ndjson", "jsonl"])
    func splitsNewlineDelimitedJSONIntoLines(fileExtension: String) throws {
        let plan = try plan("a.get.\(fileExtension)", "{}\r\n\n[]")
        #expect(plan.framing == .chunked)
        let headers = ["Content-Type: application/x-ndjson", "Transfer-Encoding: chunked"]
        #expect(plan.steps == steps(200, "OK", headers, ["{}\r\n", "\n", "[]"]))
    }

    @Test func keepsLargeFileOnDisk() throws {
        let file = ByteSource.file(FileSource(path: "/big", size: 5_000_000_000))
        let plan = try plan("a.get.mp4", file)
        #expect(plan.steps.contains(.bytes(file)))
        #expect(plan.head?.headers.firstValue(named: "Content-Length") == "5000000000")
        let stream = try self.plan("a.get.ndjson", file)
        #expect(stream.framing == .chunked)
        #expect(stream.steps.contains(.bytes(file)))
    }
}

@Suite struct StreamChunksTests {
    @Test(arguments: [
        ("", []),
        ("data: 1\n\n", ["data: 1\n\n"]),
        ("data: 1\n\ndata: 2", ["data: 1\n\n", "data: 2"]),
        ("data: 1\r\n\r\ndata: 2\r\n\r\n", ["data: 1\r\n\r\n", "data: 2\r\n\r\n"]),
        ("data: 1\r\rdata: 2\r\r", ["data: 1\r\r", "data: 2\r\r"]),
        ("a\r\n\rb\n\r\nc\r\r\n", ["a\r\n\r", "b\n\r\n", "c\r\r\n"]),
        ("id: 1\ndata: a\n\n\n\n: ping\n\ndata: b\n", ["id: 1\ndata: a\n\n\n\n", ": ping\n\n", "data: b\n"]),
        ("\n\ndata: 1\n\n", ["\n\ndata: 1\n\n"]),
        ("\n", ["\n"]),
    ])
    func splitsAfterEachEvent(stream: String, expected: [String]) {
        let bytes = Array(stream.utf8)
        let chunks = StreamChunks.events(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(chunks == expected)
    }

    @Test func partStartsAtWholeDelimiterLine() {
        let bytes = Array("--b\r\n\r\n--bc\r\n--b \r\n\r\ntwo\r\n--b--\r\n".utf8)
        let parts = StreamChunks.parts(bytes, boundary: Array("b".utf8)).map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
        #expect(parts == ["--b\r\n\r\n--bc\r\n", "--b \r\n\r\ntwo\r\n--b--\r\n"])
    }

    @Test func preservesAllBytes() {
        var generator = SplitMix(state: 7)
        for _ in 0..<2000 {
            let length = Int.random(in: 0..<24, using: &generator)
            let bytes = (0..<length).map { _ in "a\n\r".utf8.randomElement(using: &generator) ?? 0 }
            for ranges in [StreamChunks.events(bytes), StreamChunks.lines(bytes)] {
                #expect(ranges.flatMap { bytes[$0] } == bytes)
                #expect(!ranges.contains { $0.isEmpty })
            }
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
