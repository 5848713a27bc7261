// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import RepriseServer
import RepriseTesting
import Testing

/// Route files answer alike over a socket and in process.
@Suite struct RouteFileEqualityTests {
    private static let requests: [(method: HTTPRequest.Method, path: String, fields: [(String, String)])] = [
        (.get, "/a", []), (.head, "/a", []), (.get, "/a?x=1", []), (.get, "/user%40example.com", []),
        (.get, "/a", [("Range", "bytes=2-4")]), (.get, "/a", [("Range", "bytes=-3")]),
        (.get, "/a", [("Range", "bytes=99-")]), (.get, "/a", [("Range", "bytes=0-0,2-2")]),
        (.get, "/a", [("Range", "bytes=4-2")]), (.head, "/a", [("Range", "bytes=2-4")]),
        (.get, "/a", [("If-None-Match", "*")]), (.head, "/a", [("If-None-Match", "\"x\", *")]),
        (.get, "/a", [("If-Match", "\"x\"")]), (.get, "/a", [("Range", "bytes=0-0"), ("If-Range", "\"x\"")]),
        (.get, "/a", [("Range", "bytes=0-0"), ("If-Range", "\"84d89877f0d4041efb6bf91a16f0248f\"")]),
        (.get, "/a", [("If-None-Match", "\"84d89877f0d4041efb6bf91a16f0248f\"")]),
        (.get, "/a", [("If-None-Match", "\"x\""), ("If-None-Match", "\"84d89877f0d4041efb6bf91a16f0248f\"")]),
        (.get, "/empty", [("Range", "bytes=0-")]), (.get, "/empty", [("Range", "bytes=-1")]),
        (.get, "/big", [("Range", "bytes=70000-70099")]), (.get, "/big", []), (.head, "/own", []),
        (.head, "/own", [("If-None-Match", "*")]), (.get, "/moved", []), (.get, "/gone", []),
        (.get, "/gone", [("Range", "bytes=0-0")]), (.post, "/a", [("Range", "bytes=0-0")]), (.get, "/stream", []),
        (.get, "/stream", [("Range", "bytes=0-0")]), (.delete, "/a", []),
    ]

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in [
            "a.get.txt": "0123456789", "a.get.txt.headers": "X-A: 1\nCache-Control: no-cache\n",
            "a.post.201.json": "{}",
            "a.delete.204": "", "a.delete.204.headers": "X-Deleted: yes\n", "empty.get.txt": "",
            "big.get.bin": String(repeating: "0123456789", count: 10_000), "own.head.txt": "0123456789",
            "moved.get.302": "", "moved.get.302.headers": "Location: /a\nSet-Cookie: theme=dark\n",
            "gone.get.410.json": "{}", "stream.get.ndjson": "1\n2\n", "user@example.com.get.json": "{}",
        ] { try folder.write(text, to: name) }
        return folder
    }

    /// Sends a request and describes the answer, without the lines of the connection and the time.
    private func answer(_ transport: some Transport, _ request: HTTPRequest) async throws -> [String] {
        var options = RequestOptions()
        options.redirects = .dontFollow
        let response = try await transport.send(request, body: nil, options: options)
        let head = try #require(response.rawHead)
        let lines = head.fieldLines.map { String(decoding: $0, as: UTF8.self) }.filter { line in
            !["date:", "connection:", "keep-alive:"].contains { line.lowercased().hasPrefix($0) }
        }
        let content = String(decoding: try await response.body.collect(), as: UTF8.self)
        return [String(decoding: head.statusLine, as: UTF8.self)] + lines + [content]
    }

    @Test func answersAlikeOverSocketAndInProcess() async throws {
        let folder = try folder()
        let replay = try ReplayingTransport(folder.url.path)
        let stub = try StubTransport(fixtures: folder.url.path)
        let server = try await MockServer.start(fixtures: folder.url)
        for (method, path, fields) in Self.requests {
            var list = HTTPFields()
            for (name, value) in fields {
                list.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
            }
            let request = HTTPRequest(
                method: method,
                scheme: "http",
                authority: "127.0.0.1:\(server.port)",
                path: path,
                headerFields: list
            )
            let inProcess = try await answer(replay, request)
            let overSocket = try await answer(LiveTransport.shared, request)
            #expect(inProcess == overSocket, "\(method) \(path) \(fields)")
            #expect(try await answer(stub, request) == overSocket, "\(method) \(path) \(fields)")
        }
        await server.stop(grace: .zero)
    }
}
