// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseTesting
import Testing

/// End to end: records a live server over a socket, then replays the recording without the server.
@Suite struct RecordingAgainstServerTests {
    private static let events = "data: one\n\ndata: two\n\n"

    private func fixtures() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(#"{"id": 42, "name": "Atlas"}"#, to: "users/42.get.json")
        try folder.write(Self.events, to: "news.get.sse")
        return folder
    }

    /// Acts like code under test.
    private func use(_ url: URL) async throws -> [String] {
        let api = Client(url.absoluteString)
        var found = [try await api.get("/users/42").send().text]
        for try await event in try await api.get("/news").events() {
            found.append(event.data)
            if found.count == 3 { break }
        }
        return found
    }

    @Test func replaysRecordingWithoutServer() async throws {
        let (upstream, cassettes) = (try fixtures(), try TemporaryFolder())
        let expected = [#"{"id": 42, "name": "Atlas"}"#, "one", "two"]
        let url = try await withMockServer(in: upstream.url) { server in
            try await withCassette("news", in: cassettes.url, environment: ["REPRISE_MODE": "once"]) { cassette in
                let recorded = try await use(server.url)
                #expect(recorded == expected)
                #expect(cassette.report == nil)
            }
            #expect(await server.journal.entries.count == 2)
            return server.url
        }
        for mode in ["replay", "once"] {
            try await withCassette("news", in: cassettes.url, environment: ["REPRISE_MODE": mode]) { cassette in
                let replayed = try await use(url)
                #expect(replayed == expected)
                #expect(cassette.report?.choices.count == 2)
            }
        }
    }
}
