// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

struct Match: Codable {
    var title: String
}

struct Prompt: Codable {
    var text: String
}

/// The article "Read a stream" and the documentation of the stream decoders, with a stub.
@Suite struct StreamExamples {
    private let stub = StubTransport {
        $0.get("/export", .stream("a", "b"))
        $0.get("/log", .stream("one\r", "\ntwo\n\nthree"))
        $0.get("/search", .stream("{\"title\": \"a\"}\n{\"ti", "tle\": \"b\"}\n", contentType: "application/x-ndjson"))
        $0.get("/messages", .stream("{\"text\": \"a\"}\n", contentType: "application/x-ndjson"))
        $0.post("/chat", .events("data: He\n\n", .pause(.milliseconds(1)), "event: done\ndata: llo\n\n"))
    }
    private var api: Client { Client("https://api.example.com", transport: stub) }

    @Test func readsChunks() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        #expect(FileManager.default.createFile(atPath: folder.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try FileHandle(forWritingTo: folder)
        let response = try await api.get("/export").stream()
        for try await chunk in response.body {  // [UInt8]
            try file.write(contentsOf: chunk)
        }
        try file.close()
        #expect(try Data(contentsOf: folder) == Data("ab".utf8))
    }

    @Test func readsLines() async throws {
        for try await line in try await api.get("/log").lines() { print(line) }
        let response = try await api.get("/log").stream()
        for try await line in response.body.lines() { print(line) }
    }

    @Test func readsValues() async throws {
        for try await match in try await api.get("/search").ndjson(as: Match.self) { print(match.title) }
        let response = try await api.get("/messages").stream()
        func show(_ entry: LogEntry) { #expect(entry.text == "a") }
        for try await entry in response.body.ndjson(as: LogEntry.self) { show(entry) }
    }

    @Test func readsEvents() async throws {
        for try await event in try await api.post("/chat").json(Prompt(text: "hi")).events() {
            print(event.name, event.data)
        }
        let response = try await api.post("/chat").stream()
        for try await event in response.body.events() { print(event.data) }
    }

    @Test func decodesManually() throws {
        func use(_ line: String) { #expect(line == "one") }
        var decoder = LineDecoder()
        let chunk = Array("one\n".utf8)
        decoder.append(chunk)
        while let element = try decoder.next() { use(element) }
    }
}

func reconnect(
    _ path: String,
    open: @escaping @Sendable (String, String?) async throws -> Body?,
    show: (ServerSentEvent) -> Void
) async throws {
    let source = ServerSentEventSource { lastEventID in
        try await open(path, lastEventID)  // the body of a 200 with text/event-stream, nil for a 204
    }
    for try await event in source { show(event) }
}
