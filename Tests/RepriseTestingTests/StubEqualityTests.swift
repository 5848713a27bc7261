// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseFixtures
import RepriseReplay
import RepriseServer
import RepriseStubAnswers
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

        private static let boundary = "comparison-boundary"

        /// - Parameter files: The folder of the contents that the corpus names.
        init(_ written: JSONTree, files: URL? = nil) throws {
            let line = try #require(written.text ?? written["request"]?.text)
            let words = line.split(separator: " ", maxSplits: 1)
            method = try #require(HTTPRequest.Method(String(words[0])))
            path = String(words[1])
            for member in written["headers"]?.members ?? [] { add(member.name, try #require(member.value.text)) }
            for pair in written["headers"]?.elements ?? [] {
                add(pair.elements[0].text ?? "", try #require(pair.elements[1].text))
            }
            if let text = written["body"]?.text {
                body = Array(text.utf8)
            } else if let json = written["json"] {
                body = json.bytes
                if fields[.contentType] == nil { add("Content-Type", "application/json") }
            } else if let text = written["gzip"]?.text {
                body = Self.gzipped(Array(text.utf8))
                add("Content-Encoding", "gzip")
            } else if let text = written["base64"]?.text {
                body = Array(try #require(Data(base64Encoded: text)))
            } else if let name = written["file"]?.text {
                body = Array(try Data(contentsOf: try #require(files).appending(path: name)))
            } else if let parts = written["parts"]?.elements {
                for part in parts {
                    body += "--\(Self.boundary)\r\n".utf8
                    for member in part["headers"]?.members ?? [] {
                        body += "\(member.name): \(member.value.text ?? "")\r\n".utf8
                    }
                    let binary = part["base64"]?.text.flatMap { Data(base64Encoded: $0) }
                    body += "\r\n".utf8
                    body += binary ?? Data((part["body"]?.text ?? "").utf8)
                    body += "\r\n".utf8
                }
                body += "--\(Self.boundary)--\r\n".utf8
                if fields[.contentType] == nil { add("Content-Type", "multipart/form-data; boundary=\(Self.boundary)") }
            }
        }

        /// Returns the bytes in gzip's format, without compression (RFC 1951 section 3.2.4, RFC 1952).
        private static func gzipped(_ bytes: [UInt8]) -> [UInt8] {
            func little(_ value: UInt32, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
            }
            var sum = UInt32.max
            for byte in bytes {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            }
            let count = UInt32(bytes.count)
            return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + little(count, 2) + little(~count, 2) + bytes
                + little(~sum, 4) + little(count, 4)
        }

        private mutating func add(_ name: String, _ value: String) {
            guard let name = HTTPField.Name(name) else { return }
            fields.append(HTTPField(name: name, value: value))
        }
    }

    /// The requests of a folder of the corpus.
    private func requests(_ name: String) throws -> [Sent] {
        let data = try Data(contentsOf: Self.corpus.appending(path: "\(name).requests.json"))
        let files = Self.corpus.appending(path: "\(name)/__files")
        var requests: [Sent] = []
        for group in try JSONTree(parsing: Array(data)).elements {
            for written in group["requests"]?.elements ?? [] {
                let request = try Sent(written, files: files)
                var count = 1
                if case .number(let number)? = written["repeat"] { count = Int(number.spelling) ?? 1 }
                requests += Array(repeating: request, count: count)
            }
        }
        return requests
    }

    /// Sends a request and describes the answer and its ending, without the lines of the connection and the time.
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
        let response: Response
        do {
            response = try await transport.send(request, body: body, options: options)
        } catch {
            return [error.code == .noFixture ? "miss" : "failed: \(error.code)"]
        }
        let head = try #require(response.rawHead)
        let lines = head.fieldLines.map { String(decoding: $0, as: UTF8.self) }.filter { line in
            !["date:", "connection:", "keep-alive:"].contains { line.lowercased().hasPrefix($0) }
        }
        var (content, ending): ([UInt8], String) = ([], "complete")
        do {
            for try await chunk in response.body { content += chunk }
        } catch let error as TransportError {
            ending = "\(error.code)"
        }
        // What explains a miss differs: in process, there is no status.
        let isMiss = response.status.code == 404 && !lines.contains { $0.hasPrefix("Matched-Stub-Id:") }
        if isMiss { return ["miss"] }
        return [String(decoding: head.statusLine, as: UTF8.self)] + lines
            + [String(decoding: content, as: UTF8.self), ending]
    }

    /// Requests whose answers differ. The first prints all header lines, to which a connection adds. The second fails
    /// on a connection in use, on which the client tries again.
    private static let differing = ["/t/615?q=1&q=2&e=&s=a%20b%2Bc", "/s/fault"]

    /// The folders of the corpus, with the number of requests in each that are answered at least.
    @Test(arguments: [
        ("ios-shop", 150), ("press", 100), ("recorded", 50), ("matrix", 1000), ("lenient", 5), ("dates", 50),
        ("dates-truncated", 1),
    ])
    func answersAlikeOverSocketAndInProcess(name: String, least: Int) async throws {
        let folder = Self.corpus.appending(path: name)
        let options = StubOptions(
            rendersAllTemplates: true,
            seed: 7,
            now: Date(timeIntervalSince1970: 1_767_225_600)
        )
        let replay = try ReplayingTransport(
            paths: [folder.path],
            configuration: .init(afterLast: .repeat, stubs: options)
        )
        let clock = VirtualClock(patience: .seconds(180))
        let stub = try StubTransport(fixtures: folder.path, options: options, clock: clock)
        let server = try await MockServer.start(fixtures: folder, configuration: .init(stubs: options))
        var matched = 0
        for sent in try requests(name) where !Self.differing.contains(sent.path) {
            let overSocket = try await answer(LiveTransport.shared, sent, port: server.port)
            // A client does not send it, in contrast to the script that compares with WireMock.
            if overSocket == ["failed: invalidRequest"] { continue }
            let comment: Comment = "\(sent.method) \(sent.path)"
            #expect(try await answer(replay, sent, port: server.port) == overSocket, comment)
            #expect(try await answer(stub, sent, port: server.port) == overSocket, comment)
            if overSocket != ["miss"] { matched += 1 }
        }
        #expect(matched >= least)
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
