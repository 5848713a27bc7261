// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import RepriseTestSupport
import Testing

/// Route files as clients see them, through a real socket.
@Suite struct RouteFileServerTests {
    /// Returns the answers to `requests`, which are request lines and header lines separated by `|`.
    private func answers(_ files: [String: String], _ requests: String...) async throws -> [String] {
        let folder = try TemporaryFolder(files)
        let server = try await MockServer.start(fixtures: URL(fileURLWithPath: folder.path))
        var answers: [String] = []
        do {
            for request in requests { answers.append(try await answer(request, server.port)) }
            await server.stop(grace: .zero)
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        return answers
    }

    private func answer(_ request: String, _ port: Int) async throws -> String {
        let client = try await RawClient.connect(port: port)
        var lines = request.split(separator: "|").map(String.init)
        lines[0] += " HTTP/1.1"
        lines += ["Host: localhost", "Connection: close"]
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        let text = try await client.readToEnd().text
        // The time is tested elsewhere.
        return text.components(separatedBy: "\r\n").filter { !$0.hasPrefix("Date: ") }.joined(separator: "\r\n")
    }

    @Test func neverServesBackups() async throws {
        let files = ["users.get.json~": "no", "#g.get.json#": "no", "i.get.json 2": "no", "l.get.bak": "no"]
        let answers = try await answers(
            files.merging(["users.get.json": "yes"]) { $1 },
            "GET /users",
            "GET /users",
            "GET /g",
            "GET /i",
            "GET /l",
            "GET /%23g"
        )
        #expect(answers.prefix(2).allSatisfy { $0.hasSuffix("\r\n\r\nyes") })
        #expect(answers.dropFirst(2).allSatisfy { $0.hasPrefix("HTTP/1.1 404 ") })
    }

    /// The loaded length and entity tag belong to the loaded version, so no answer may combine them with another one.
    @Test func editedLargeFileIs500UntilReload() async throws {
        let folder = try TemporaryFolder(["a.get.txt": String(repeating: "1", count: 100_000)])
        let root = URL(fileURLWithPath: folder.path)
        let server = try await MockServer.start(fixtures: root)
        let first = try await answer("GET /a", server.port)
        let tag = try #require(first.components(separatedBy: "\r\n").first { $0.hasPrefix("ETag: ") }).dropFirst(6)
        let file = root.appending(path: "a.get.txt")
        try Data(repeating: UInt8(ascii: "2"), count: 100_000).write(to: file)
        // The clock of the file system may not have advanced since the file was created.
        try FileManager.default.setAttributes([.modificationDate: Date() + 60], ofItemAtPath: file.path)
        let requests = ["GET /a", "HEAD /a", "GET /a|If-None-Match: \(tag)", "GET /a|Range: bytes=0-9"]
        for request in requests {
            let answer = try await answer(request, server.port)
            #expect(answer.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"), "\(request)")
            #expect(!answer.contains("ETag"), "\(request)")
            let reason = "a.get.txt changed after it was loaded; reload the fixtures\n"
            #expect(request.hasPrefix("HEAD") || answer.hasSuffix(reason), "\(request)")
        }
        try await server.reload(fixtures: root)
        let second = try await answer("GET /a|If-None-Match: \(tag)", server.port)
        #expect(second.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(second.hasSuffix(String(repeating: "2", count: 100_000)) && !second.contains(tag))
        await server.stop(grace: .zero)
    }

    @Test func sendsRangesOfContent() async throws {
        let answers = try await answers(
            ["a.get.txt": "0123456789"],
            "GET /a|Range: bytes=2-4",
            "GET /a|range: bytes=-3",
            "GET /a|Range: bytes=8-99",
            "GET /a|Range: bytes=10-",
            "GET /a|Range: bytes=0-1,3-4",
            "HEAD /a|Range: bytes=2-4",
            "GET /a"
        )
        let starts = answers.map { $0.prefix { $0 != "\r\n" } }
        #expect(
            starts == [
                "HTTP/1.1 206 Partial Content", "HTTP/1.1 206 Partial Content", "HTTP/1.1 206 Partial Content",
                "HTTP/1.1 416 Range Not Satisfiable", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK",
            ]
        )
        let ends = answers.map { $0.components(separatedBy: "\r\n\r\n").last }
        #expect(ends == ["234", "789", "89", "", "0123456789", "", "0123456789"])
        let places = answers.map { text in
            text.components(separatedBy: "\r\n").first { $0.hasPrefix("Content-Range: ") }?.dropFirst(15)
        }
        #expect(places == ["bytes 2-4/10", "bytes 7-9/10", "bytes 8-9/10", "bytes */10", nil, nil, nil])
        #expect(answers.allSatisfy { $0.contains("\r\nAccept-Ranges: bytes\r\n") })
        #expect(answers[0].contains("\r\nContent-Length: 3\r\n"))
        #expect(answers[3].contains("\r\nContent-Length: 0\r\n"))
        #expect(answers[5].contains("\r\nContent-Length: 10\r\n"))
    }

    @Test func sendsRangeOfLargeFile() async throws {
        let content = (0..<30_000).map { String(format: "%05d", $0) }.joined()
        let answers = try await answers(
            ["a.get.bin": content],
            "GET /a|Range: bytes=100000-100009",
            "GET /a|Range: bytes=149990-"
        )
        #expect(
            answers[0].hasSuffix("Content-Range: bytes 100000-100009/150000\r\nConnection: close\r\n\r\n2000020001")
        )
        #expect(
            answers[1].hasSuffix("Content-Range: bytes 149990-149999/150000\r\nConnection: close\r\n\r\n2999829999")
        )
    }

    @Test func answersConditionsWithEntityTag() async throws {
        let tag = "\"84d89877f0d4041efb6bf91a16f0248f\""
        let answers = try await answers(
            ["a.get.txt": "0123456789"],
            "GET /a",
            "GET /a|If-None-Match: \(tag)",
            "HEAD /a|If-None-Match: W/\(tag)",
            "GET /a|If-None-Match: \"other\"",
            "GET /a|Range: bytes=0-0|If-Range: \(tag)",
            "GET /a|Range: bytes=0-0|If-Range: \"other\"",
            "GET /a|If-Match: \"other\""
        )
        let statuses = answers.map { $0.dropFirst(9).prefix(3) }
        #expect(statuses == ["200", "304", "304", "200", "206", "200", "412"])
        #expect(answers.allSatisfy { $0.contains("\r\nETag: \(tag)\r\n") })
        #expect(answers[1].hasSuffix("\r\n\r\n") && !answers[1].contains("Content-"))
    }

    @Test func leavesRecordingsUnchanged() async throws {
        let cassette = """
            {"reprise": 1, "exchanges": [{
              "request": {"method": "GET", "url": "/a"},
              "response": {
                "status": "200 OK", "headers": ["ETag: \\"a\\"", "Accept-Ranges: bytes", "Content-Length: 10"],
                "body": {"text": "0123456789"}
              }
            }]}
            """
        let answers = try await answers(
            ["a.cassette.json": cassette],
            "GET /a|Range: bytes=2-4",
            "GET /a|If-None-Match: \"a\""
        )
        #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200 OK") && $0.hasSuffix("\r\n\r\n0123456789") })
    }

    @Test func sendsHeadersFromFileNextToRouteFile() async throws {
        let answers = try await answers(
            [
                "old.get.302": "", "old.get.302.headers": "Location: /new\nSet-Cookie: theme=dark\n",
                "new.get.txt": "0123456789",
                "new.get.txt.headers": "Content-Type: text/x-own\r\n# comment\r\nX-A:1\r\n",
            ],
            "GET /old",
            "GET /new",
            "GET /new|Range: bytes=0-1",
            "GET /old.get.302.headers"
        )
        let close = "Connection: close\r\n\r\n"
        #expect(
            answers[0] == "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /new\r\nSet-Cookie: theme=dark\r\n"
                + close
        )
        #expect(answers[1].hasSuffix("\r\nContent-Type: text/x-own\r\nX-A:1\r\n\(close)0123456789"))
        #expect(!answers[1].contains("text/plain"))
        #expect(answers[2].contains("\r\nX-A:1\r\nContent-Range: bytes 0-1/10\r\n"))
        #expect(answers[3].hasPrefix("HTTP/1.1 404 "))
    }
}
