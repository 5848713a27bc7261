// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import RepriseServer
import RepriseStubs
import RepriseTestSupport
import Testing

/// Edited recordings have the same bytes, chunks, and endings over a socket and in process.
@Suite struct BendEqualityTests {
    /// An answer as a client sees it.
    private struct Answer: Equatable {
        var head: [String]
        var chunks: [String]
        var ending: String

        /// The bytes of the answer on the wire.
        var bytes: String {
            let isChunked = head.contains("Transfer-Encoding: chunked")
            let lines = head.map { $0 + "\r\n" }.joined() + "\r\n"
            guard isChunked else { return lines + chunks.joined() }
            return lines + chunks.map { String($0.utf8.count, radix: 16) + "\r\n\($0)\r\n" }.joined()
                + (ending == "complete" ? "0\r\n\r\n" : "")
        }
    }

    /// Returns the answer in process.
    private func answer(_ transport: some Transport, _ path: String) async throws -> Answer {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: path)
        let response = try await transport.send(request, body: nil, options: RequestOptions())
        let head = try #require(response.rawHead)
        var chunks: [String] = []
        var isBroken = false
        do {
            for try await chunk in response.body { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        } catch {
            isBroken = true
        }
        #expect(isBroken == (response.ending != .complete))
        return Answer(
            head: ([head.statusLine] + head.fieldLines).map { String(decoding: $0, as: UTF8.self) },
            chunks: chunks,
            ending: response.ending?.rawValue ?? "complete"
        )
    }

    /// Checks that the answer on a socket is `expected`, up to the lines of the connection.
    private func expect(_ expected: Answer, port: Int, _ path: String, _ comment: Comment) async throws {
        let client = try await RawClient.connect(port: port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
        if expected.ending == "complete" || expected.ending == "timeout" {
            let found = try await client.read(count: expected.bytes.utf8.count)
            #expect(found.text == expected.bytes, comment)
            if expected.ending == "complete" {
                // What follows is the answer to the next request.
                try await client.send("GET /none HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
                let next = try await client.read(count: 12)
                #expect(next.text == "HTTP/1.1 404", comment)
            }
            let rest = expected.ending == "timeout" ? await client.readAvailable().text : ""
            #expect(rest == "", comment)
            await client.close()
        } else {
            let found = try await client.readToEnd()
            #expect(found.text == expected.bytes, comment)
            #expect(client.ending == (expected.ending == "reset" ? .reset : .finished), comment)
        }
    }

    private func recordings(seed: UInt64) -> [BendRecording] {
        BendRecording.Kind.allCases.flatMap { kind in
            BendRecording.Framing.allCases.map { BendRecording(kind, $0, seed: seed) }
        }
    }

    private func cassette(_ recordings: [BendRecording]) -> String {
        let exchanges = recordings.enumerated().map { $1.exchange("/recorded/\($0)") }
        let tree: JSONTree = ["reprise": 1, "exchanges": .array(exchanges)]
        return String(decoding: tree.bytes, as: UTF8.self)
    }

    private func stub(_ path: String, _ exchange: Int, _ bends: [Bend]) -> StubMapping {
        var stub = StubMapping(.get(path))
        stub.response.recorded = "streams.cassette.json#\(exchange + 1)"
        stub.response.bends = bends
        return stub
    }

    private typealias Folder = RepriseTestSupport.TemporaryFolder

    private func folder(_ recordings: [BendRecording], _ stubs: [StubMapping]) throws -> Folder {
        try Folder([
            "streams.cassette.json": cassette(recordings),
            "edits.stub.json": String(decoding: StubMappingWriter.write(stubs), as: UTF8.self),
        ])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyEditAtEveryPlaceIsSameOverSocketAndInProcess(seed: UInt64) async throws {
        let recordings = recordings(seed: seed)
        let cases = recordings.map { BendCase.all(of: $0) }
        let stubs = cases.enumerated().flatMap { exchange, cases in
            cases.enumerated().map { stub("/\(exchange)/\($0)", exchange, $1.bends) }
        }
        let folder = try folder(recordings, stubs)
        let server = try await MockServer.start(
            fixtures: URL(filePath: folder.path),
            configuration: .init(pace: .instant)
        )
        let replay = try ReplayingTransport(paths: [folder.path])
        for (exchange, cases) in cases.enumerated() {
            let recorded = try await answer(replay, "/recorded/\(exchange)")
            try await expect(recorded, port: server.port, "/recorded/\(exchange)", "seed \(seed), \(exchange)")
            for (number, bent) in cases.enumerated() {
                let path = "/\(exchange)/\(number)"
                let comment: Comment = "seed \(seed), \(recordings[exchange]), \(bent.bends)"
                let found = try await answer(replay, path)
                #expect(found.ending == bent.ending, comment)
                if let content = bent.content { #expect(found.chunks.joined() == content, comment) }
                if let chunks = bent.chunks { #expect(found.chunks == chunks, comment) }
                if bent.isNothing { #expect(found == recorded, comment) }
                try await expect(found, port: server.port, path, comment)
            }
        }
        await server.stop(grace: .zero)
    }

    @Test(arguments: [4, 5] as [UInt64])
    func severalEditsAreSameOverSocketAndInProcess(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let recordings = recordings(seed: seed)
        let several = recordings.map { recording in
            // Places refer to the content that `body` gives, which has others.
            let cases = BendCase.all(of: recording).filter { !$0.replacesContent }
            return (0..<40).map { _ in
                (0..<Int.random(in: 2...4, using: &random)).flatMap { _ in
                    cases.randomElement(using: &random)?.bends ?? []
                }
            }
        }
        let stubs = several.enumerated().flatMap { exchange, several in
            several.enumerated().map { stub("/\(exchange)/\($0)", exchange, $1) }
        }
        let folder = try folder(recordings, stubs)
        let server = try await MockServer.start(
            fixtures: URL(filePath: folder.path),
            configuration: .init(pace: .instant)
        )
        let replay = try ReplayingTransport(paths: [folder.path])
        for (exchange, several) in several.enumerated() {
            for (number, bends) in several.enumerated() {
                let path = "/\(exchange)/\(number)"
                let found = try await answer(replay, path)
                try await expect(found, port: server.port, path, "seed \(seed), \(recordings[exchange]), \(bends)")
            }
        }
        await server.stop(grace: .zero)
    }

    @Test(arguments: [6, 7, 8, 9] as [UInt64])
    func editsOfConfigurationAreSameAsThoseOfStubs(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let recordings = recordings(seed: seed)
        var bends: [Bend] = []
        var stubs: [StubMapping] = []
        for (exchange, recording) in recordings.enumerated() {
            var bend = try #require(BendCase.all(of: recording).randomElement(using: &random)?.bends.first)
            bend.answers = [nil, 1, 2].randomElement(using: &random) ?? nil
            stubs.append(stub("/stub/\(exchange)", exchange, [bend]))
            bend.exchange = "#\(exchange + 1)"
            bends.append(bend)
        }
        let folder = try folder(recordings, stubs)
        let cassette = folder.path + "/streams.cassette.json"
        let paths = [URL(filePath: cassette), URL(filePath: folder.path + "/edits.stub.json")]
        let server = try await MockServer.start(
            fixtures: paths,
            configuration: .init(pace: .instant, bends: bends)
        )
        let replay = try ReplayingTransport(paths: paths.map { $0.path }, configuration: .init(bends: bends))
        for exchange in recordings.indices {
            // The first answers, and the one that repeats.
            for ordinal in 1...4 {
                let comment: Comment = "seed \(seed), \(bends[exchange]), answer \(ordinal)"
                let found = try await answer(replay, "/recorded/\(exchange)")
                #expect(try await answer(replay, "/stub/\(exchange)") == found, comment)
                try await expect(found, port: server.port, "/recorded/\(exchange)", comment)
                try await expect(found, port: server.port, "/stub/\(exchange)", comment)
            }
        }
        await server.stop(grace: .zero)
    }
}

extension BendCase {
    /// Whether an edit replaces all content.
    fileprivate var replacesContent: Bool {
        bends.contains { bend in
            if case .body = bend.edit { true } else { false }
        }
    }

    /// Whether the edits change nothing.
    fileprivate var isNothing: Bool {
        bends.allSatisfy { bend in
            switch bend.edit {
            case .insert(let bytes): bytes.isEmpty
            case .delay(let time): time == .zero
            case .status(let status): status == 200
            default: false
            }
        }
    }
}
