// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The server's answers, read by clients that others wrote: those that are endless, paced, large, or late, to clients of
/// HTTP/1.1 and HTTP/1.0.
@Suite struct OtherClientTests {
    @Test(
        .enabled(if: OtherClient.python3.path != nil, "python3 is not installed"),
        arguments: OtherClient.python3.versions
    )
    func pythonReadsAnswers(_ version: String) async throws { try await check(.python3, version) }

    @Test(.enabled(if: OtherClient.curl.path != nil, "curl is not installed"), arguments: OtherClient.curl.versions)
    func curlReadsAnswers(_ version: String) async throws { try await check(.curl, version) }

    @Test(.enabled(if: OtherClient.node.path != nil, "node is not installed"), arguments: OtherClient.node.versions)
    func nodeReadsAnswers(_ version: String) async throws { try await check(.node, version) }

    /// A stub whose body is sent in pieces, a recording of a stream with pauses, and files.
    private static let files = [
        "hello.get.txt": "hi",
        "__files/large.txt": large,
        "mappings/dribble.json": """
        {"request": {"url": "/dribble"},
         "response": {"body": "abcdefgh", "chunkedDribbleDelay": {"numberOfChunks": 4, "totalDuration": 40}}}
        """,
        "stream.cassette.json": """
        {"reprise": 1, "exchanges": [{
          "request": {"method": "GET", "url": "https://api.example.com/stream", "headers": []},
          "response": {
            "status": "200 OK",
            "headers": ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"],
            "stream": [
              {"after": 10.0, "text": "data: 1\\n\\n"}, {"after": 10.0, "text": "data: 2\\n\\n"},
              {"after": 1.0, "end": "complete"}
            ]
          }
        }]}
        """,
    ]

    /// More than the server sends at once.
    private static let large = String(repeating: "large ", count: 60_000)

    /// The requests, with the start and the end of the content of each answer.
    private static let answers: [(method: String, path: String, body: String, start: String, end: String)] = [
        ("GET", "/stream", "", "data: 1\n\ndata: 2\n\n", "data: 2\n\n"),
        ("GET", "/dribble", "", "abcdefgh", "abcdefgh"),
        ("GET", "/__admin/files/large.txt", "", large, large),
        ("GET", "/__admin/requests", "", "{", "}"),
        ("GET", "/__admin/reprise/journal?format=ndjson", "", "{", "}\n"),
        ("GET", "/__admin/reprise/journal?format=har", "", "{", "}"),
        ("GET", "/__admin/reprise/journal?format=cassette", "", "{", "}\n"),
        ("GET", "/__admin/reprise/fixtures", "", "{", "}"),
        ("GET", "/__admin/metrics", "", "#", "\n"),
        ("GET", "/__admin/recordings/status", "", "{", "}"),
        ("POST", "/__admin/recordings/snapshot", "{}", "{", "}"),
    ]

    private func check(_ client: OtherClient, _ version: String) async throws {
        let folder = try TemporaryFolder(Self.files)
        let process = try MockServerProcess([folder.path, "--port", "0", "--quiet"])
        let port = try await process.port()
        // Fills the journal, so that its answers are sent in pieces.
        let raw = try await RawClient.connect(port: port)
        for number in 0..<40 {
            try await raw.send("POST /hello?\(number) HTTP/1.1\r\nHost: x\r\nContent-Length: 6000\r\n\r\n")
            try await raw.send(String(repeating: "x", count: 6000))
            _ = try await raw.read(until: "\r\n\r\n")
        }
        for (method, path, body, start, end) in Self.answers {
            let answer = try await client.send(method, path, body, version: version, port: port).result()
            #expect(answer.status == 0, "\(path): \(answer.errors)")
            #expect(answer.output.hasPrefix(start), "\(path): \(answer.output.prefix(200))")
            #expect(answer.output.hasSuffix(end), "\(path): \(answer.output.suffix(200))")
        }
        try await checkEvents(client, version, port)
        try await checkWaiting(client, version, port)
        process.signal(SIGTERM)
        #expect(try await process.result().status == 0)
    }

    private func checkEvents(_ client: OtherClient, _ version: String, _ port: Int) async throws {
        let start = "event: start\ndata: {}\n\n"
        let reader = try client.send("GET", "/__admin/reprise/events", version: version, port: port)
        #expect(try await reader.output(containing: start) == start)
        try await Self.get("/hello", port)
        let text = try await reader.output(containing: "event: completed\n")
        #expect(text.hasPrefix("\(start)id: 1\nevent: request\ndata: {"), "\(text)")
        reader.signal(SIGKILL)
    }

    private func checkWaiting(_ client: OtherClient, _ version: String, _ port: Int) async throws {
        let body = #"{"request": {"url": "/awaited"}, "withinMilliseconds": 60000}"#
        let waiter = try client.send("POST", "/__admin/reprise/requests/next", body, version: version, port: port)
        try await Self.get("/awaited", port)
        let answer = try await waiter.result()
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.contains(#""url":"/awaited""#), "\(answer.output)")
    }

    private static func get(_ path: String, _ port: Int) async throws {
        let client = try await RawClient.connect(port: port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        _ = try await client.readToEnd()
    }
}
