// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseDocuments
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Stubs and files that are saved to the fixture folder.
@Suite struct AdminFilesTests {
    private func files(_ folder: TemporaryFolder, _ name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(name)")) ?? []).sorted()
    }

    private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
        try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }

    private static let stub =
        #"{"id": "0b6f0000-0000-4000-8000-000000000001", "name": "A user!", "persistent": true, "request": {"urlPath": "/a"}, "response": {"body": "hi"}}"#
    private static let name = "mappings/a-user-0b6f0000.json"

    @Test func persistentStubIsSavedAsReadableFile() async throws {
        let folder = try TemporaryFolder()
        let server = try await AdminTestServer.start(folder)
        #expect(try await server.admin("POST", "/mappings", Self.stub).status == 201)
        #expect(
            try text(folder, Self.name) == """
                {
                  "id": "0b6f0000-0000-4000-8000-000000000001",
                  "name": "A user!",
                  "persistent": true,
                  "request": {
                    "urlPath": "/a"
                  },
                  "response": {
                    "body": "hi"
                  }
                }

                """
        )
        await server.stop()
        let again = try await AdminTestServer.start(folder)
        #expect(try await again.send("GET", "/a").body == "hi")
        await again.stop()
    }

    /// A slow disk holds up only what is written to it.
    @Test func otherCallsAreAnsweredWhileFilesAreWritten() async throws {
        let folder = try TemporaryFolder()
        let server = try await AdminTestServer.start(folder)
        let disk = DispatchSemaphore(value: 0)
        server.server.control.savingThread.submit { disk.wait() }
        async let file = server.admin("PUT", "/files/a.txt", "one")
        async let stub = server.admin("POST", "/mappings", Self.stub)
        defer { disk.signal() }
        try await server.add(#"{"request": {"urlPath": "/b"}, "response": {"body": "b"}}"#)
        #expect(try await server.send("GET", "/b").body == "b")
        #expect(try await server.admin("GET", "/settings").status == 200)
        #expect(files(folder, "__files") == [] && files(folder, "mappings") == [])
        disk.signal()
        #expect(try await (file.status, stub.status) == (200, 201))
        #expect(try text(folder, "__files/a.txt") == "one")
        #expect(files(folder, "mappings").count == 1)
        await server.stop()
    }

    @Test func savedStubSurvivesReset() async throws {
        let folder = try TemporaryFolder()
        let server = try await AdminTestServer.start(folder)
        try await server.add(Self.stub.replacing(#""persistent": true, "#, with: ""))
        try await server.add(#"{"name": "other", "request": {"urlPath": "/b"}}"#)
        #expect(files(folder, "mappings") == [])
        #expect(try await server.admin("POST", "/mappings/save").status == 200)
        #expect(files(folder, "mappings").count == 2)
        #expect(try await server.admin("POST", "/reset").status == 200)
        #expect(try await server.send("GET", "/a").body == "hi")
        #expect(try await server.admin("POST", "/mappings/save").status == 200)
        #expect(files(folder, "mappings").count == 2)
        await server.stop()
    }

    @Test func deletingStubRemovesOnlyFileThatServerCreated() async throws {
        let folder = try TemporaryFolder(["mappings/mine.json": #"{"request": {"urlPath": "/mine"}}"#])
        let server = try await AdminTestServer.start(folder)
        try await server.add(Self.stub)
        #expect(files(folder, "mappings").count == 2)
        try await server.admin("DELETE", "/mappings")
        #expect(files(folder, "mappings") == ["mine.json"])
        await server.stop()
    }

    @Test func deletedStubStaysDeletedAfterReset() async throws {
        let folder = try TemporaryFolder()
        let server = try await AdminTestServer.start(folder)
        let id = try await server.add(Self.stub)
        // The stub is now one of the files.
        try await server.admin("POST", "/mappings/reset")
        #expect(try await server.send("GET", "/a").body == "hi")
        #expect(try await server.admin("DELETE", "/mappings/\(id)").status == 200)
        #expect(try await server.admin("POST", "/mappings/reset").status == 200)
        #expect(try await server.send("GET", "/a").status == 404)
        await server.stop()
    }

    @Test func externallyChangedFileIsNeitherReplacedNorRemoved() async throws {
        let folder = try TemporaryFolder()
        let server = try await AdminTestServer.start(folder)
        let id = try await server.add(Self.stub)
        try folder.write(Array("mine".utf8), to: Self.name)
        let answer = try await server.admin("PUT", "/mappings/\(id)", Self.stub.replacing("hi", with: "changed"))
        #expect(answer.status == 409)
        #expect(try await server.send("GET", "/a").body == "hi")
        #expect(answer.detail.contains("different content"))
        try await server.admin("DELETE", "/mappings/\(id)")
        #expect(try text(folder, Self.name) == "mine")
        await server.stop()
    }

    @Test(arguments: ["/mappings", "/mappings/import"])
    func stubThatCannotBeSavedLeavesEverythingAsItWas(_ path: String) async throws {
        let folder = try TemporaryFolder([
            Self.name: Self.stub, "mappings/other.json": #"{"request": {"urlPath": "/b"}}"#,
        ])
        let server = try await AdminTestServer.start(folder)
        try folder.write(Array("mine".utf8), to: Self.name)
        let stub = Self.stub.replacing("hi", with: "changed")
        let other = #"{"request": {"urlPath": "/c"}}"#
        let list = #"{"mappings": [\#(stub), \#(other)], "importOptions": {"deleteAllNotInImport": true}}"#
        #expect(try await server.admin("POST", path, path == "/mappings" ? stub : list).status == 409)
        #expect(try await server.send("GET", "/a").body == "hi")
        #expect(try await server.send("GET", "/b").status == 200)
        #expect(try await server.send("GET", "/c").status == 404)
        #expect(try text(folder, Self.name) == "mine")
        await server.stop()
    }

    @Test func editedStubReplacesItsUnchangedFile() async throws {
        let original = #"{"request": {"urlPath": "/a"}, "response": {"body": "1"}}"#
        let folder = try TemporaryFolder(["mappings/deep/mine.json": original])
        let server = try await AdminTestServer.start(folder)
        guard case .string(let id)? = try await server.admin("GET", "/mappings").json.first("mappings")?["id"] else {
            return
        }
        let edited = #"{"persistent": true, "request": {"urlPath": "/a"}, "response": {"body": "2"}}"#
        #expect(try await server.admin("PUT", "/mappings/\(id)", edited).status == 200)
        #expect(try text(folder, "mappings/deep/mine.json").contains(#""body": "2""#))
        try await server.admin("DELETE", "/mappings/\(id)")
        #expect(files(folder, "mappings/deep") == ["mine.json"])
        await server.stop()
    }

    @Test func fileWithSeveralStubsIsNotReplaced() async throws {
        let original = #"{"mappings": [{"request": {"urlPath": "/a"}}, {"request": {"urlPath": "/b"}}]}"#
        let folder = try TemporaryFolder(["mappings/mine.json": original])
        let server = try await AdminTestServer.start(folder)
        guard case .string(let id)? = try await server.admin("GET", "/mappings").json.first("mappings")?["id"] else {
            return
        }
        let edited = #"{"persistent": true, "request": {"urlPath": "/c"}}"#
        let answer = try await server.admin("PUT", "/mappings/\(id)", edited)
        #expect(answer.status == 409)
        #expect(answer.detail.contains("found 2"))
        #expect(try text(folder, "mappings/mine.json") == original)
        await server.stop()
    }

    @Test func serverWithoutFolderSavesNothing() async throws {
        let server = try await AdminTestServer.start()
        #expect(try await server.admin("POST", "/mappings", Self.stub).status == 409)
        #expect(try await server.admin("GET", "/mappings").json["meta"] == ["total": 0])
        for (method, path) in [
            ("POST", "/mappings/save"), ("GET", "/files"), ("PUT", "/files/a"), ("DELETE", "/files/a"),
        ] {
            #expect(try await server.admin(method, path, "").status == 409)
        }
        await server.stop()
    }

    @Test func filesAreWrittenReadListedAndRemoved() async throws {
        let folder = try TemporaryFolder(["__files/mine.txt": "mine"])
        let server = try await AdminTestServer.start(folder)
        try await server.add(#"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "x/b.txt"}}"#)
        #expect(try await server.send("GET", "/a").status == 500)
        #expect(try await server.admin("PUT", "/files/x/b.txt", "one").status == 200)
        #expect(try await server.send("GET", "/a").body == "one")
        #expect(try await server.admin("PUT", "/files/x/b.txt", "two").status == 200)
        #expect(try await server.admin("GET", "/files/x/b.txt").body == "two")
        #expect(try await server.admin("GET", "/files").json == ["mine.txt", "x/b.txt"])
        #expect(try await server.admin("DELETE", "/files/x/b.txt").status == 200)
        #expect(try await server.admin("DELETE", "/files/x/b.txt").status == 404)
        #expect(try await server.admin("DELETE", "/files/mine.txt").status == 403)
        #expect(try await server.admin("PUT", "/files/mine.txt", "two").status == 409)
        #expect(try text(folder, "__files/mine.txt") == "mine")
        await server.stop()
    }

    @Test(arguments: [
        "/files/..", "/files/../x", "/files/%2e%2e/x", "/files/..%2fx", "/files/a%2f..%2f..%2fx", "/files/a%00b",
        "/files/link/x", "/files/link.txt",
    ])
    func pathOutsideFolderIsRefused(path: String) async throws {
        let outside = try TemporaryFolder(["x": "secret", "secret.txt": "secret"])
        let folder = try TemporaryFolder(["__files/a.txt": "a", "x": "secret"])
        try folder.link("__files/link", to: outside.path)
        try folder.link("__files/link.txt", to: "\(outside.path)/secret.txt")
        let server = try await AdminTestServer.start(folder)
        for (method, body) in [("GET", nil), ("PUT", "changed"), ("DELETE", nil)] as [(String, String?)] {
            let answer = try await server.admin(method, path, body)
            #expect([403, 404].contains(answer.status), "\(method) \(answer.body)")
            #expect(!answer.body.contains("secret\n") && answer.body != "secret")
        }
        #expect(try text(folder, "x") == "secret")
        #expect(try text(outside, "x") == "secret")
        #expect(try text(outside, "secret.txt") == "secret")
        await server.stop()
    }

    @Test(arguments: [String(repeating: "a", count: 500), "folder"])
    func nameThatFileSystemRefusesIsInvalidParameter(name: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/__files/folder/inside",
            withIntermediateDirectories: true
        )
        let server = try await AdminTestServer.start(folder)
        #expect(try await server.admin("PUT", "/files/\(name)", "x").status == 422)
        #expect(try await server.admin("DELETE", "/files/\(name)").status == 422)
        await server.stop()
    }
}
