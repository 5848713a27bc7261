// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseFixtures
import RepriseReplay
import RepriseServer
import RepriseStubs
import Testing

/// Stub mappings answer alike over a socket and in process.
@Suite struct StubEqualityTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "WireMock/corpus")

    /// A request of the corpus.
    private struct Sent {
        var method: HTTPRequest.Method
        var path: String
        var fields = HTTPFields()
        var body: [UInt8] = []

        /// The contents that the corpus gives before compression, compressed.
        private static let compressed = [
            #"{"event":"open","t":1}"#: "H4sIAAAAAAACA6tWSi1LzStRslLKL0jNU9JRAjINawHxlF7YFgAAAA=="
        ]
        private static let boundary = "comparison-boundary"

        init(_ written: JSONTree) throws {
            let line = try #require(written.text ?? written["request"]?.text)
            let words = line.split(separator: " ", maxSplits: 1)
            method = try #require(HTTPRequest.Method(String(words[0])))
            path = String(words[1])
            for member in written["headers"]?.members ?? [] { add(member.name, try #require(member.value.text)) }
            if let text = written["body"]?.text {
                body = Array(text.utf8)
            } else if let json = written["json"] {
                body = json.bytes
                if fields[.contentType] == nil { add("Content-Type", "application/json") }
            } else if let text = written["gzip"]?.text {
                body = Array(try #require(Self.compressed[text].flatMap { Data(base64Encoded: $0) }))
                add("Content-Encoding", "gzip")
            } else if let parts = written["parts"]?.elements {
                for part in parts {
                    body += "--\(Self.boundary)\r\n".utf8
                    for member in part["headers"]?.members ?? [] {
                        body += "\(member.name): \(member.value.text ?? "")\r\n".utf8
                    }
                    body += "\r\n\(part["body"]?.text ?? "")\r\n".utf8
                }
                body += "--\(Self.boundary)--\r\n".utf8
                add("Content-Type", "multipart/form-data; boundary=\(Self.boundary)")
            }
        }

        private mutating func add(_ name: String, _ value: String) {
            guard let name = HTTPField.Name(name) else { return }
            fields.append(HTTPField(name: name, value: value))
        }
    }

    /// The requests of the corpus, without those whose answers are faults.
    private func requests() throws -> [Sent] {
        let data = try Data(contentsOf: Self.corpus.appending(path: "ios-shop.requests.json"))
        var requests: [Sent] = []
        for group in try JSONTree(parsing: Array(data)).elements {
            for written in group["requests"]?.elements ?? [] {
                let request = try Sent(written)
                if request.path.hasPrefix("/v1/unstable/") { continue }
                var count = 1
                if case .number(let number)? = written["repeat"] { count = Int(number.spelling) ?? 1 }
                requests += Array(repeating: request, count: count)
            }
        }
        return requests
    }

    /// Sends a request. Returns nil if no fixture answers it.
    private func response(
        _ transport: some Transport,
        _ request: HTTPRequest,
        _ body: Body?,
        _ options: RequestOptions
    ) async throws -> Response? {
        do {
            return try await transport.send(request, body: body, options: options)
        } catch  where error.code == .noFixture {
            return nil
        }
    }

    /// Sends a request and describes the answer, without the lines of the connection and the time.
    private func answer(_ transport: some Transport, _ sent: Sent, port: Int) async throws -> [String] {
        var options = RequestOptions()
        options.redirects = .dontFollow
        let request = HTTPRequest(
            method: sent.method,
            scheme: "http",
            authority: "127.0.0.1:\(port)",
            path: sent.path,
            headerFields: sent.fields
        )
        let body = sent.body.isEmpty ? nil : Body(sent.body)
        guard let response = try await response(transport, request, body, options) else { return ["miss"] }
        let head = try #require(response.rawHead)
        let lines = head.fieldLines.map { String(decoding: $0, as: UTF8.self) }.filter { line in
            !["date:", "connection:", "keep-alive:"].contains { line.lowercased().hasPrefix($0) }
        }
        let content = try await response.body.collect()
        // What explains a miss differs: in process, there is no status.
        let isMiss = response.status.code == 404 && !lines.contains { $0.hasPrefix("Matched-Stub-Id:") }
        if isMiss { return ["miss"] }
        return [String(decoding: head.statusLine, as: UTF8.self)] + lines + ["\(content)"]
    }

    @Test func answersAlikeOverSocketAndInProcess() async throws {
        let folder = Self.corpus.appending(path: "ios-shop")
        let options = StubOptions(
            rendersAllTemplates: true,
            seed: 7,
            now: Date(timeIntervalSince1970: 1_767_225_600)
        )
        let replay = try ReplayingTransport(paths: [folder.path], configuration: .init(stubs: options))
        let stub = try StubTransport(fixtures: folder.path, options: options)
        let server = try await MockServer.start(fixtures: folder, configuration: .init(stubs: options))
        var matched = 0
        for sent in try requests() {
            let overSocket = try await answer(LiveTransport.shared, sent, port: server.port)
            let comment: Comment = "\(sent.method) \(sent.path)"
            #expect(try await answer(replay, sent, port: server.port) == overSocket, comment)
            #expect(try await answer(stub, sent, port: server.port) == overSocket, comment)
            if overSocket != ["miss"] { matched += 1 }
        }
        #expect(matched > 150)
        await server.stop(grace: .zero)
    }

    @Test(arguments: [1, 2, 3, 4])
    func failsAlikeOverSocketAndInProcess(fault: Int) async throws {
        let folder = Self.corpus.appending(path: "ios-shop")
        let server = try await MockServer.start(fixtures: folder)
        let sent = try Sent(.string("GET /v1/unstable/\(fault)"))
        let replay = try ReplayingTransport(folder.path)
        let overSocket = await #expect(throws: TransportError.self) {
            try await answer(LiveTransport.shared, sent, port: server.port)
        }
        let inProcess = await #expect(throws: TransportError.self) {
            try await answer(replay, sent, port: server.port)
        }
        #expect(inProcess?.code == overSocket?.code)
        await server.stop(grace: .zero)
    }

    @Test func serverTakesStubsInCode() async throws {
        let stubs = [StubMapping(.get("/users/{id}"), .json(["id": "42"])), StubMapping(.get("/ping"), .text("pong"))]
        let server = try await MockServer.start(stubs: stubs)
        let inProcess = try StubTransport(stubs: stubs)
        for path in ["/users/42", "/ping"] {
            let sent = try Sent(.string("GET \(path)"))
            let overSocket = try await answer(LiveTransport.shared, sent, port: server.port)
            #expect(try await answer(inProcess, sent, port: server.port) == overSocket)
        }
        await server.stop(grace: .zero)
    }
}

extension JSONTree {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    fileprivate var elements: [JSONTree] {
        if case .array(let elements) = self { elements } else { [] }
    }

    fileprivate var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
}
