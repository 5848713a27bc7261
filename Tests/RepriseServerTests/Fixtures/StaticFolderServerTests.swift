// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import RepriseTestSupport
import Testing

/// A folder whose files are served as they are, through a real socket.
@Suite struct StaticFolderServerTests {
    private func answer(_ request: String, _ port: Int) async throws -> [String] {
        let client = try await RawClient.connect(port: port)
        var lines = request.split(separator: "|").map(String.init)
        lines[0] += " HTTP/1.1"
        lines += ["Host: localhost", "Connection: close"]
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        let answer = try await client.readToEnd().text
        return answer.components(separatedBy: "\r\n").filter { !$0.isEmpty && !$0.hasPrefix("Date: ") }
    }

    private func withSite(
        _ files: [String: String],
        fixtures: [String: String] = ["api.get.json": "{}", "both.txt.get": "fixture"],
        configure: (inout MockServer.Configuration) -> Void = { _ in },
        _ body: (MockServer) async throws -> Void
    ) async throws {
        let site = try TemporaryFolder(files)
        let folder = try TemporaryFolder(fixtures)
        var configuration = MockServer.Configuration(staticFolder: site.path)
        configure(&configuration)
        let server =
            fixtures.isEmpty
            ? try await MockServer.start(fixtures: [], configuration: configuration)
            : try await MockServer.start(fixtures: URL(fileURLWithPath: folder.path), configuration: configuration)
        do {
            try await body(server)
            await server.stop(grace: .zero)
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
    }

    @Test func servesFilesAfterFixtures() async throws {
        try await withSite(["index.html": "home", "docs/index.html": "docs", "both.txt": "file"]) { server in
            let home = try await answer("GET /", server.port)
            #expect(home.first == "HTTP/1.1 200 OK" && home.last == "home")
            #expect(home.contains("Content-Type: text/html; charset=utf-8") && home.contains("Content-Length: 4"))
            #expect(try await answer("HEAD /docs/?x=1", server.port).first == "HTTP/1.1 200 OK")
            let moved = try await answer("GET /docs?x=1", server.port)
            #expect(moved.first == "HTTP/1.1 301 Moved Permanently" && moved.contains("Location: /docs/?x=1"))
            #expect(try await answer("GET /both.txt", server.port).last == "fixture")
            #expect(try await answer("GET /api", server.port).last == "{}")
            for request in ["POST /", "GET /missing", "GET /../a", "GET /docs/.git", "OPTIONS *"] {
                #expect(try await answer(request, server.port).first?.hasPrefix("HTTP/1.1 200") == false, "\(request)")
            }
            #expect(await server.journal.entries.prefix(2).map(\.status) == [200, 200])
        }
    }

    @Test func sendsRangesAndValidators() async throws {
        let content = (0..<30_000).map { String(format: "%05d", $0) }.joined()
        try await withSite(["a.mp4": content, "b.txt": "0123456789"]) { server in
            let part = try await answer("GET /a.mp4|Range: bytes=100000-100009", server.port)
            #expect(part.first == "HTTP/1.1 206 Partial Content" && part.last == "2000020001")
            #expect(part.contains("Content-Range: bytes 100000-100009/150000"))
            for path in ["/a.mp4", "/b.txt"] {
                let tag = try await answer("HEAD \(path)", server.port).first { $0.hasPrefix("ETag: ") }?.dropFirst(6)
                let again = try await answer("GET \(path)|If-None-Match: \(try #require(tag))", server.port)
                #expect(again.first == "HTTP/1.1 304 Not Modified")
                let past = try await answer("GET \(path)|Range: bytes=150000-", server.port)
                #expect(past.first == "HTTP/1.1 416 Range Not Satisfiable")
            }
        }
    }

    @Test func letsWebPagesReadFiles() async throws {
        try await withSite(["a.txt": "a"], configure: { $0.isCrossOriginAllowed = true }) { server in
            let lines = try await answer("GET /a.txt|Origin: http://localhost:3000", server.port)
            #expect(lines.contains("Access-Control-Allow-Origin: http://localhost:3000"))
            #expect(lines.contains { $0.hasPrefix("Access-Control-Expose-Headers: ") && $0.contains("ETag") })
        }
    }

    @Test func forwardsOnlyRequestsWithoutFile() async throws {
        let upstream = try await ScriptedServer.start { connection in
            _ = try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nupstream")
        }
        let address = try MockServer.Upstream("http://127.0.0.1:\(upstream.port)")
        try await withSite(["a.txt": "file"], fixtures: [:], configure: { $0.upstream = address }) { server in
            let found = try await answer("GET /a.txt", server.port)
            let forwarded = try await answer("GET /b.txt", server.port)
            #expect(found.last == "file" && forwarded.last == "upstream")
        }
    }

    /// Only GET and HEAD can be answered with a file, so only their content is held in memory.
    @Test func limitsContentOfGetButForwardsUploadsOfAnySize() async throws {
        let upstream = try await ScriptedServer.start { connection in
            _ = try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
        let address = try MockServer.Upstream("http://127.0.0.1:\(upstream.port)")
        try await withSite(["a.txt": "file"], fixtures: [:], configure: { $0.upstream = address }) { server in
            for (method, status) in [("POST", "204"), ("PUT", "204"), ("GET", "413"), ("HEAD", "413")] {
                let client = try await RawClient.connect(port: server.port)
                try await client.send("\(method) /a.txt HTTP/1.1\r\nHost: p\r\nContent-Length: 67108865\r\n\r\n")
                let head = try await client.read(until: "\r\n\r\n").text
                #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(method)")
            }
        }
    }

    @Test func requiresFolder() async throws {
        let error = await #expect(throws: StartError.self) {
            try await MockServer.start(fixtures: [], configuration: .init(staticFolder: "/nowhere/at-all"))
        }
        #expect(error?.code == .configuration)
        #expect(
            error?.description
                == "cannot serve static files from /nowhere/at-all: expected a folder, found nothing; create it"
        )
    }
}
