// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseFixtures
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

/// The journal has the content of requests that other servers answer, through real sockets.
@Suite struct ForwardedContentTests {
    /// What forwards a request.
    enum Door: CaseIterable {
        /// A stub with `proxyBaseUrl`.
        case stub
        /// The server for unmatched requests, beside stubs.
        case unmatched
        /// A recorder without fixtures, which passes content on as it arrives.
        case recorder
    }

    private static let json = #"{"user": "ada", "n": [1, 2]}"#

    /// Runs `body` with a server that forwards to `upstream`.
    private static func withDoor(
        _ door: Door,
        to upstream: ScriptedServer,
        _ body: (AdminTestServer) async throws -> Void
    ) async throws {
        let url = "http://127.0.0.1:\(upstream.port)"
        var configuration = MockServer.Configuration()
        configuration.threads = 1
        let folder = try TemporaryFolder()
        if door != .stub {
            let recorder = door == .recorder ? try CassetteRecorder(folder.path + "/a.cassette.json") : nil
            configuration.upstream = try MockServer.Upstream(url, recorder: recorder)
        }
        let server = AdminTestServer(server: try await MockServer.start(stubs: [], configuration: configuration))
        if door == .stub {
            try await server.add(#"{"request": {"urlPattern": "/.*"}, "response": {"proxyBaseUrl": "\#(url)"}}"#)
        } else if door == .unmatched {
            try await server.add(#"{"request": {"url": "/own"}, "response": {"body": "own"}}"#)
        }
        try await body(server)
        await server.server.stop(grace: .zero)
    }

    private static func request(_ content: String, isChunked: Bool) -> String {
        let head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
        guard isChunked else { return "\(head)Content-Length: \(content.utf8.count)\r\n\r\n\(content)" }
        let half = content.utf8.count / 2
        let chunks = [content.prefix(half), content.dropFirst(half)]
            .map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
        return "\(head)Transfer-Encoding: chunked\r\n\r\n\(chunks.joined())0\r\n\r\n"
    }

    private static func answer(_ connection: RawClient, after end: String) async throws {
        try await connection.read(until: end)
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }

    @Test(arguments: Door.allCases, [false, true])
    func journalHasForwardedContent(_ door: Door, isChunked: Bool) async throws {
        let upstream = try await ScriptedServer.start { try await Self.answer($0, after: "[1, 2]}") }
        try await Self.withDoor(door, to: upstream) { server in
            let client = try await RawClient.connect(port: server.server.port)
            try await client.send(Self.request(Self.json, isChunked: isChunked))
            #expect(try await client.readToEnd().text.hasSuffix("ok"))
            let pattern = #"{"bodyPatterns": [{"equalToJson": {"n": [1, 2], "user": "ada"}}]}"#
            #expect(try await server.admin("POST", "/requests/count", pattern).json["count"] == 1)
            let har = try await server.admin("GET", "/reprise/journal?format=har").json["log"]?.first("entries")
            #expect(har?["request"]?["postData"]?["text"] == .string(Self.json))
            let cassette = try await server.admin("GET", "/reprise/journal?format=cassette").json
            #expect(cassette.first("exchanges")?["request"]?["body"] != nil)
            let mappings = try await server.admin("POST", "/recordings/snapshot").json.list("mappings")
            #expect(mappings.first?["request"]?.list("bodyPatterns").count == 1)
        }
    }

    /// Content that is only passed on is not held, so the journal has its start.
    @Test(arguments: [(65_536, true), (65_537, false)])
    func journalHasStartOfStreamedContent(_ size: Int, isComplete: Bool) async throws {
        let upstream = try await ScriptedServer.start { try await Self.answer($0, after: "!") }
        try await Self.withDoor(.recorder, to: upstream) { server in
            let client = try await RawClient.connect(port: server.server.port)
            let content = String(repeating: "x", count: size - 1) + "!"
            try await client.send(Self.request(content, isChunked: false))
            #expect(try await client.readToEnd().text.hasSuffix("ok"))
            let entry = await server.server.journal.entries.first
            #expect(entry?.content == Array(content.utf8.prefix(65_536)))
            #expect(entry?.isContentComplete == isComplete)
        }
    }

    /// A server may answer before it has read everything.
    @Test(arguments: [false, true])
    func journalHasContentThatArrivesAfterStartOfAnswer(_ clientLeaves: Bool) async throws {
        let upstream = try await ScriptedServer.start()
        try await Self.withDoor(.recorder, to: upstream) { server in
            let client = try await RawClient.connect(port: server.server.port)
            try await client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc")
            let connection = try await upstream.accept()
            try await connection.read(until: "abc")
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
            try await client.read(until: "1\r\nx\r\n")
            #expect(await server.server.journal.entries.isEmpty)
            if clientLeaves {
                await client.close()
                _ = try? await connection.readToEnd()
            } else {
                try await client.send("def")
                try await connection.read(until: "def")
            }
            let entries = await server.server.journal.entries
            #expect(entries.map(\.content) == [Array((clientLeaves ? "abc" : "abcdef").utf8)])
            #expect(entries.map(\.isContentComplete) == [!clientLeaves])
            #expect(entries.map(\.status) == [200])
        }
    }
}
