// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseAnswers
import RepriseFixtures
import RepriseIO
import RepriseMatching
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

@Suite struct OpenFilesTests {
    private let files = OpenFiles()

    @Test func readersShareFileUntilItIsReplaced() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/body"
            try Data("one".utf8).write(to: URL(filePath: path))
            let source = FileSource(path: path, size: 3)
            let first = try files.open(source)
            #expect(try files.open(source) === first)
            try Data("other".utf8).write(to: URL(filePath: path), options: .atomic)
            let second = try files.open(source)
            #expect(second !== first)
            #expect(try files.open(source) === second)
        }
    }

    @Test func missingAndTruncatedFilesAreRejected() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/body"
            let source = FileSource(path: path, offset: 1, size: 3)
            #expect(throws: OpenFiles.Failure.self) { try files.open(source) }
            try Data("1234".utf8).write(to: URL(filePath: path))
            let file = try files.open(source)
            try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 3)
            let error = #expect(throws: OpenFiles.Failure.self) { try files.open(source) }
            guard case .tooShort(source, found: 3)? = error else {
                Issue.record("expected a file that is too short, found \(String(describing: error))")
                return
            }
            withExtendedLifetime(file) {}
        }
    }

    /// A static file is described and opened separately, and may change between the two.
    @Test func staticFileThatChangesBeforeItIsOpenedIsRejected() async throws {
        let folder = try TemporaryFolder(["a.txt": String(repeating: "1", count: 100_000)])
        let path = Array("/a.txt".utf8)
        guard case .file(let plan, _)? = try StaticFolder(folder.path).answer(path.span) else {
            Issue.record("expected a file")
            return
        }
        let described = try #require(plan.files.first)
        let file = try files.open(described)
        try FileManager.default.setAttributes([.modificationDate: Date() + 60], ofItemAtPath: described.path)
        let error = #expect(throws: OpenFiles.Failure.self) { try files.open(described) }
        guard case .changed(described)? = error else {
            Issue.record("expected a file that changed, found \(String(describing: error))")
            return
        }
        withExtendedLifetime(file) {}
    }

    @Test func brokenBodyFileIs500BeforeHead() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/body"
            try Data(repeating: 0x78, count: 100_000).write(to: URL(filePath: path))
            let plan = ResponsePlan(
                steps: [
                    .head(
                        ResponseHead(
                            status: 200,
                            reason: "OK",
                            headers: [.init(name: "Content-Length", value: "100000")]
                        )
                    ),
                    .bytes(.file(FileSource(path: path, size: 100_000))), .end(.complete),
                ],
                framing: .contentLength
            )
            let pattern = try RequestPattern(method: "GET", routePath: "/f")
            try await withServer([Fixture(source: FixtureSource(file: path), pattern: pattern, plan: plan)]) { server in
                let client = try await RawClient.connect(port: server.port)
                try await client.send("GET /f HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try await client.read(until: "\r\n\r\n")
                #expect(try await client.read(count: 100_000).bytes.count == 100_000)
                try FileManager.default.removeItem(atPath: path)
                try await client.send("GET /f HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let text = try await client.readToEnd().text
                #expect(text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
                #expect(text.contains("reload the fixtures"))
                #expect(await server.journal.entries.map(\.status) == [200, 500])
            }
        }
    }
}
