// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// A server whose fixtures are edited while it runs.
@Suite struct WatchedServerTests {
    private static func start(_ folder: TemporaryFolder) async throws -> MockServer {
        let configuration = MockServer.Configuration(isWatching: true)
        return try await MockServer.start(fixtures: URL(filePath: folder.path + "/root"), configuration: configuration)
    }

    /// Writes a file beside the folder and moves it in, so that it is never seen half written.
    private static func replace(_ name: String, with text: String, in folder: TemporaryFolder) throws {
        try folder.write(Array(text.utf8), to: "new/\(name)")
        let top = String(name.prefix { $0 != "/" })
        let code = unsafe rename("\(folder.path)/new/\(top)", "\(folder.path)/root/\(top)")
        #expect(code == 0)
    }

    /// Sends a request on a connection that stays open, and returns the content of the answer.
    private static func get(_ path: String, _ client: RawClient, _ content: String) async throws {
        try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await client.read(until: "\r\n\r\n\(content)")
    }

    @Test func servesEditedAndAddedFilesOnOpenConnection() async throws {
        let folder = try TemporaryFolder(["root/a.get.txt": "one"])
        let server = try await Self.start(folder)
        let events = await EventReader(server)
        let client = try await RawClient.connect(port: server.port)
        try await Self.get("/a", client, "one")
        try Self.replace("a.get.txt", with: "two", in: folder)
        #expect(await events.change() == .reloaded(fixtures: 1))
        try await Self.get("/a", client, "two")
        try Self.replace("deep/b.get.txt", with: "new", in: folder)
        #expect(await events.change() == .reloaded(fixtures: 2))
        try await Self.get("/deep/b", client, "new")
        await server.stop()
    }

    @Test func brokenEditKeepsLastGoodFixturesAndReportsEveryProblem() async throws {
        let folder = try TemporaryFolder([
            "root/a.get.txt": "good", "root/b.cassette.json": #"{"reprise": 1, "exchanges": []}"#,
        ])
        let server = try await Self.start(folder)
        let events = await EventReader(server)
        let client = try await RawClient.connect(port: server.port)
        try Self.replace("c.cassette.json", with: "{", in: folder)
        guard case .reloadFailed(let problems)? = await events.change() else {
            Issue.record("expected a failed reload")
            return
        }
        #expect(problems.problems.map(\.file) == [folder.path + "/root/c.cassette.json"])
        #expect(problems.problems.first?.location == FilePosition(line: 1, column: 2))
        try await Self.get("/a", client, "good")
        try FileManager.default.removeItem(atPath: folder.path + "/root/c.cassette.json")
        #expect(await events.change() == .reloaded(fixtures: 1))
        let reloads = await server.control.reloads
        #expect(reloads.succeeded == 1)
        #expect(reloads.failed == 1)
        await server.stop()
    }

    @Test func vanishedFolderKeepsLastGoodFixturesUntilItComesBack() async throws {
        let folder = try TemporaryFolder(["root/a.get.txt": "old"])
        let server = try await Self.start(folder)
        let events = await EventReader(server)
        let client = try await RawClient.connect(port: server.port)
        try FileManager.default.moveItem(atPath: folder.path + "/root", toPath: folder.path + "/away")
        guard case .reloadFailed? = await events.change() else {
            Issue.record("expected a failed reload")
            return
        }
        try await Self.get("/a", client, "old")
        try folder.write(Array("new".utf8), to: "away/a.get.txt")
        try FileManager.default.moveItem(atPath: folder.path + "/away", toPath: folder.path + "/root")
        #expect(await events.change() == .reloaded(fixtures: 1))
        try await Self.get("/a", client, "new")
        await server.stop()
    }

    /// Editors write swap files again and again, and the server its own log, which must not reload anything.
    @Test(arguments: [
        ".a.get.txt.swp", "a.get.txt~", "#a.get.txt#", ".#a.get.txt", "x.cassette.json.recording-log", ".git",
        "3.response.part", "server.log", "port", "x.json", "a/b.get.txt.orig", ".hidden.json",
    ])
    func ignoresFilesThatCannotBeFixtures(_ name: String) {
        #expect(WatchedFiles.isIgnored("/f/\(name)", isFolder: false))
    }

    @Test(arguments: [
        "a.get.txt", "a.get.txt.headers", "x.har", "x.cassette.json", "x.stub.json", "mappings/x.json",
        "mappings/.hidden.json", "__files/x.log", "x.cassette.bodies/1.response.bin", "x.post.99.txt",
    ])
    func watchesFilesThatCanBeFixturesOrTheirBodies(_ name: String) {
        #expect(!WatchedFiles.isIgnored("/f/\(name)", isFolder: false))
    }

    @Test func watchesBodyFilesThatWereLoaded() throws {
        let har =
            #"{"log": {"entries": [{"request": {"method": "GET", "url": "https://a.example/x"}, "response": "#
            + #"{"status": 200, "content": {"mimeType": "text/plain", "_file": "1a2b.txt"}}}]}}"#
        let folder = try TemporaryFolder(["a.har": har, "1a2b.txt": "x", "other.txt": "x"])
        let bodies = try FixtureLoader.load([folder.path]).bodyFiles
        #expect(bodies.count == 1)
        #expect(!WatchedFiles.isIgnored(folder.path + "/1a2b.txt", isFolder: false, bodyFiles: bodies))
        #expect(WatchedFiles.isIgnored(folder.path + "/other.txt", isFolder: false, bodyFiles: bodies))
    }

    /// A log in a folder for bodies is not a body.
    @Test func watchesOnlyBodiesThatFixturesName() throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": Self.cassette("deep/1.bin"), "a.cassette.bodies/deep/1.bin": "x",
            "__files/a.txt": "x", "__files/real.txt": "x", "recorded": Self.cassette("2.bin"),
            "recorded.bodies/2.bin": "x",
            "mappings/a.json": #"{"request": {"url": "/a"}, "response": {"bodyFileName": "a.txt"}}"#,
            "mappings/b.json": #"{"request": {"url": "/b"}, "response": {"bodyFileName": "link.txt"}}"#,
            "mappings/c.json": #"{"request": {"url": "/c"}, "response": {"recorded": "../recorded#1"}}"#,
            "mappings/server.log": "", "__files/server.log": "", "a.cassette.bodies/server.log": "",
        ])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/__files/link.txt",
            withDestinationPath: "real.txt"
        )
        let bodies = try FixtureLoader.load([folder.path]).bodyFiles
        for name in [
            "__files/a.txt", "__files/link.txt", "__files/real.txt", "a.cassette.bodies/deep/1.bin", "recorded",
            "recorded.bodies/2.bin",
        ] {
            #expect(!WatchedFiles.isIgnored("\(folder.path)/\(name)", isFolder: false, bodyFiles: bodies), "\(name)")
        }
        for name in ["mappings/server.log", "__files/server.log", "a.cassette.bodies/server.log"] {
            #expect(WatchedFiles.isIgnored("\(folder.path)/\(name)", isFolder: false, bodyFiles: bodies), "\(name)")
        }
    }

    private static func cassette(_ body: String) -> String {
        #"{"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/b"}, "response": {"status": "200", "#
            + #""body": {"file": "\#(body)"}}}]}"#
    }

    /// A cassette can be written before its bodies. Other files in their folder cause no reload.
    @Test func loadsCassetteWhoseBodyComesLater() async throws {
        let folder = try TemporaryFolder(["root/a.get.txt": "one", "root/b.cassette.bodies/server.log": ""])
        let server = try await Self.start(folder)
        let events = await EventReader(server)
        try Self.replace("b.cassette.json", with: Self.cassette("1.bin"), in: folder)
        guard case .reloadFailed? = await events.change() else {
            Issue.record("expected a failed reload")
            return
        }
        for name in ["server.log", "other.bin", "1.bin"] {
            try folder.write(Array("two".utf8), to: "root/b.cassette.bodies/\(name)")
        }
        #expect(await events.change() == .reloaded(fixtures: 2))
        await server.stop()
    }

    @Test(arguments: ["_drafts", "x.cassette.bodies", "a.log"])
    func watchesFolders(_ name: String) {
        #expect(!WatchedFiles.isIgnored("/f/\(name)", isFolder: true))
    }

    @Test func watchesFilesThatFixturesRead() throws {
        let folder = try TemporaryFolder(["mappings/a.json": "{}", "c.cassette.json": "{}", "a.get.txt": ""])
        let path = folder.path
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        #expect(WatchedFiles.paths(for: [path]) == [path])
        #expect(WatchedFiles.paths(for: [path + "/mappings"]) == [path + "/mappings", real + "/__files"])
        #expect(WatchedFiles.paths(for: [path + "/mappings/a.json"]).last == real + "/__files")
        #expect(
            WatchedFiles.paths(for: [path + "/c.cassette.json", path + "/a.get.txt"]) == [
                path + "/c.cassette.json", path + "/c.cassette.bodies", path + "/a.get.txt",
                path + "/a.get.txt.headers",
            ]
        )
    }

    @Test func stoppingEndsWatching() async throws {
        let folder = try TemporaryFolder(["root/a.get.txt": "old"])
        let watch = try await FixtureWatch([folder.path]) { _ in }
        await watch.stop()
        for await _ in watch.changes { Issue.record("expected no change") }
    }
}
