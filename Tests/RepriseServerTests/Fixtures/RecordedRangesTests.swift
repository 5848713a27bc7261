// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import RepriseTestSupport
import Testing

/// Ranges and conditions of a HAR file, through a real socket.
@Suite struct RecordedRangesTests {
    private func entry(_ path: String, _ header: String, _ status: Int, _ text: String) -> String {
        let parts = header.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        let line = #"{"name": "\#(parts[0])", "value": "\#(parts[1])"}"#
        return """
            {"startedDateTime": "2024-01-02T03:04:05Z", "time": 1, "request": {"method": "GET",
            "url": "https://a.example\(path)", "httpVersion": "HTTP/1.1", "headers": [\(line)]},
            "response": {"status": \(status), "statusText": "", "httpVersion": "HTTP/1.1", "headers": [],
            "content": {"size": \(text.utf8.count), "mimeType": "text/plain", "text": "\(text)"}}}
            """
    }

    @Test(arguments: [
        ("/video", "Range: bytes=3-5", "206", "345"), ("/video", "Range: bytes=0-2", "206", "012"),
        ("/video", "Range: bytes=0-9", "404", "header.Range: expected bytes=0-2, found bytes=0-9"),
        ("/video", "Accept: */*", "404", "header.Range: expected bytes=0-2, found nothing"),
        ("/app.js", "If-None-Match: 1", "304", ""),
        (
            "/app.js", "Accept: */*", "404",
            "header.If-None-Match or If-Modified-Since: expected any value, found nothing"
        ),
    ])
    func answersAsRecorded(path: String, header: String, status: String, content: String) async throws {
        let entries = [
            entry("/video", "Range: bytes=0-2", 206, "012"), entry("/video", "Range: bytes=3-5", 206, "345"),
            entry("/app.js", "If-None-Match: 1", 304, ""),
        ]
        let har = #"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ","))]}}"#
        let folder = try TemporaryFolder(["site.har": har])
        let server = try await MockServer.start(fixtures: URL(fileURLWithPath: folder.path))
        // The second time, the position in the recording must not matter.
        for _ in 0..<2 {
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\(header)\r\nConnection: close\r\n\r\n")
            let answer = try await client.readToEnd().text
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.hasSuffix("\r\n\r\n\(content)") || status == "404" && answer.contains(content))
        }
        await server.stop(grace: .zero)
    }
}
