// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseAnswers
@testable import RepriseFixtures
@testable import RepriseText

@Suite struct StaticPathTests {
    private func path(_ text: String) -> StaticPath? {
        StaticPath(Array(text.utf8).span)
    }

    @Test(arguments: [
        ("", [], true), ("/", [], true), ("/a", ["a"], false), ("/a/", ["a"], true),
        ("/a/b.txt", ["a", "b.txt"], false),
        ("/a%20b", ["a b"], false), ("/%C3%A4", ["ä"], false), ("/a%2520", ["a%20"], false), ("/100%", ["100%"], false),
        ("/a..b", ["a..b"], false), ("/.well-known/x", [".well-known", "x"], false), ("/a 2.png", ["a 2.png"], false),
    ])
    func decodesNames(text: String, names: [String], isFolder: Bool) {
        let found = path(text)
        #expect(found?.names == names)
        #expect(found?.isFolder == isFolder)
    }

    @Test(arguments: [
        "a", "//", "//a", "/a//b", "/a//", "/..", "/../a", "/a/../b", "/./a", "/%2e%2e/a", "/%2E/a", "/a%2Fb",
        "/a%00b", "/%FF", "/.git/config", "/.env", "/a/.hidden", "/%2eenv", "/a.html~", "/%23a%23", "/a.bak",
        "/..%2f..", "/.%CC%81env", "/a/.%CC%81hidden",
    ])
    func rejectsOtherPaths(text: String) {
        #expect(path(text) == nil)
    }
}

@Suite struct StaticFolderTests {
    /// Returns the status, header lines, and content for a path; `nil` if there is no such file.
    private func answer(_ folder: StaticFolder, _ path: String) -> String? {
        switch folder.answer(Array(path.utf8).span) {
        case .file(let plan, _)?:
            plan.steps.map { step in
                switch step {
                case .head(let head): head.headers.firstValue(named: "Content-Type") ?? ""
                case .bytes(.bytes(let bytes)): " " + String(decoding: bytes, as: UTF8.self)
                case .bytes(.file(let file)): " file of \(file.size)"
                default: ""
                }
            }.joined()
        case .folder?: "folder"
        case .failure(let reason)?: reason
        case nil: nil
        }
    }

    @Test func findsFiles() throws {
        let folder = try TemporaryFolder([
            "index.html": "home", "docs/index.html": "docs", "docs/a b.css": "css", "empty/x.txt": "",
            "data.json": "{}",
            "LICENSE": "text", "events.sse": "data: 1\n\n", "big.mp4": String(repeating: "0", count: 100_000),
        ])
        let site = try StaticFolder(folder.path)
        #expect(answer(site, "/") == "text/html; charset=utf-8 home")
        #expect(answer(site, "") == "text/html; charset=utf-8 home")
        #expect(answer(site, "/index.html") == "text/html; charset=utf-8 home")
        #expect(answer(site, "/docs") == "folder")
        #expect(answer(site, "/docs/") == "text/html; charset=utf-8 docs")
        #expect(answer(site, "/docs/a%20b.css") == "text/css; charset=utf-8 css")
        #expect(answer(site, "/data.json") == "application/json {}")
        #expect(answer(site, "/LICENSE") == "application/octet-stream text")
        #expect(answer(site, "/events.sse") == "text/event-stream data: 1\n\n")
        #expect(answer(site, "/big.mp4") == "video/mp4 file of 100000")
        #expect(answer(site, "/empty/x.txt") == "text/plain; charset=utf-8")
        for path in ["/empty", "/empty/", "/data.json/", "/data.json/x", "/missing", "/DATA.json"] {
            #expect(answer(site, path) == nil, "\(path)")
        }
    }

    /// The paths that the request log shows.
    @Test func namesFilesLikeTheFolder() throws {
        let folder = try TemporaryFolder(["index.html": "", "docs/a b.css": ""])
        func file(_ root: String, _ path: String) throws -> String? {
            guard case .file(_, let path)? = try StaticFolder(root).answer(Array(path.utf8).span) else { return nil }
            return path
        }
        #expect(try file(folder.path, "/") == folder.path + "/index.html")
        #expect(try file(folder.path + "/", "/docs/a%20b.css") == folder.path + "/docs/a b.css")
        #expect(try file(folder.path + "/docs/..", "/index.html") == folder.path + "/docs/../index.html")
    }

    @Test func servesNothingOutside() throws {
        let outside = try TemporaryFolder(["secret.txt": "secret", "sub/index.html": "secret"])
        let folder = try TemporaryFolder([
            "a.txt": "a", "sub/b.txt": "b", ".git/config": "hidden", "x.bak": "backup", ".well-known/app.json": "{}",
        ])
        try folder.link("file.txt", to: "\(outside.path)/secret.txt")
        try folder.link("folder", to: outside.path)
        try folder.link("hidden.txt", to: ".git/config")
        try folder.link("inside.txt", to: "sub/b.txt")
        try folder.link("dangling.txt", to: "nowhere")
        try folder.link("device.txt", to: "/dev/zero")
        try folder.pipe("pipe.txt")
        let site = try StaticFolder(folder.path)
        let name = folder.path.split(separator: "/").last ?? ""
        for path in [
            "/file.txt", "/folder/secret.txt", "/folder/sub/", "/folder/sub", "/hidden.txt",
            "/.git/config", "/x.bak", "/dangling.txt", "/device.txt", "/pipe.txt", "/../\(name)/a.txt",
            "/%2e%2e/\(name)/a.txt",
        ] {
            #expect(answer(site, path) == nil, "\(path)")
        }
        #expect(answer(site, "/inside.txt") == "text/plain; charset=utf-8 b")
        #expect(answer(site, "/.well-known/app.json") == "application/json {}")
    }

    @Test func seesChangesAtOnce() throws {
        let large = String(repeating: "0", count: 100_000)
        let folder = try TemporaryFolder(["a.txt": "1", "b.bin": large])
        let site = try StaticFolder(folder.path)
        func tag(_ path: String) -> String? {
            guard case .file(let plan, _)? = site.answer(Array(path.utf8).span) else { return nil }
            return plan.head?.headers.firstValue(named: "ETag")
        }
        let (small, big) = (tag("/a.txt"), tag("/b.bin"))
        #expect(small != nil && big != nil && tag("/a.txt") == small && tag("/b.bin") == big)
        try folder.write(Array("2".utf8), to: "a.txt")
        try folder.write(Array((large + "1").utf8), to: "b.bin")
        #expect(answer(site, "/a.txt") == "text/plain; charset=utf-8 2")
        #expect(tag("/a.txt") != small && tag("/b.bin") != big)
    }

    @Test func requiresFolder() throws {
        let folder = try TemporaryFolder(["a.txt": ""])
        let file = #expect(throws: FixtureProblem.self) { try StaticFolder("\(folder.path)/a.txt") }
        #expect(file?.message == "expected a folder, found a file; name the folder that contains it")
        let missing = #expect(throws: FixtureProblem.self) { try StaticFolder("\(folder.path)/b") }
        #expect(missing?.message == "expected a folder, found nothing; create it")
    }
}
