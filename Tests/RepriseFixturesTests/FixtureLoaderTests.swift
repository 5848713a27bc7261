// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseFixtures

/// A cassette of one exchange for each of `paths`.
private func cassette(_ paths: String...) -> String {
    let exchanges = paths.map { path in
        """
        {"request": {"method": "GET", "url": "https://api.example.com\(path)"}, "response": {"status": "200 OK"}}
        """
    }
    return "{\"reprise\": 1, \"exchanges\": [\n\(exchanges.joined(separator: ",\n"))\n]}\n"
}

@Suite struct FixtureLoaderTests {
    private func summaries(_ set: FixtureSet) -> [String] {
        set.fixtures.map(\.pattern.summary)
    }

    @Test func loadsAFolderInTheOrderOfItsNames() throws {
        let folder = try TemporaryFolder([
            "b.get.txt": "b", "a/z.get.txt": "z", "a/B.get.txt": "B", "a.get.txt": "a",
            "c.cassette.json": cassette("/1", "/2"),
            "B/x.get.txt": "x",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(summaries(set) == ["GET /B/x", "GET /a/B", "GET /a/z", "GET /a", "GET /b", "GET /1", "GET /2"])
        #expect(
            set.fixtures.map(\.source.description).suffix(3).map { $0.dropFirst(folder.path.count) } == [
                "/b.get.txt", "/c.cassette.json:2", "/c.cassette.json:3",
            ]
        )
        #expect(set.paths == [FixtureSet.Count(path: folder.path, fixtures: 7)])
        #expect(set.files.last == FixtureSet.Count(path: "\(folder.path)/c.cassette.json", fixtures: 2))
        #expect(set.summary == "7 fixtures from \(folder.path)")
    }

    @Test func leavesOtherFilesOut() throws {
        let folder = try TemporaryFolder([
            "a.get.txt": "a", ".hidden.get.txt": "", "_draft.get.txt": "", ".git/b.get.txt": "", "_old/b.get.txt": "",
            "__files/b.get.txt": "", "x.cassette.bodies/b.get.txt": "", "logo.png": "", "README.md": "",
            "reprise.yaml": "",
            "data.json": "{}", "x.cassette.json.journal": "{",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(summaries(set) == ["GET /a"])
        #expect(set.notes.isEmpty)
    }

    @Test func keepsWhatTheUserWroteInPaths() throws {
        let folder = try TemporaryFolder(["a.get.txt": "a"])
        #expect(try FixtureLoader.load([folder.path + "/"]).fixtures.map(\.source.file) == ["\(folder.path)/a.get.txt"])
        let roundabout = folder.path + "/../" + (folder.path.split(separator: "/").last ?? "")
        #expect(try FixtureLoader.load([roundabout]).fixtures.map(\.source.file) == ["\(roundabout)/a.get.txt"])
    }

    @Test func loadsNamedFiles() throws {
        let folder = try TemporaryFolder([
            "api/users/42.get.json": "{}", "_x/a.cassette.json": cassette("/1"), "b.get.txt": "",
        ])
        let paths = ["api/users/42.get.json", "_x/a.cassette.json"].map { "\(folder.path)/\($0)" }
        let set = try FixtureLoader.load(paths)
        #expect(summaries(set) == ["GET /42", "GET /1"])
        #expect(set.summary == "2 fixtures from \(paths[0]), \(paths[1])")
    }

    @Test func loadsAFileOnceByWhateverPath() throws {
        let folder = try TemporaryFolder(["a.cassette.json": cassette("/1"), "users/42.get.txt": "42"])
        try folder.link("z.cassette.json", to: "a.cassette.json")
        let path = folder.path
        let set = try FixtureLoader.load([path, "\(path)/a.cassette.json", "\(path)/users/../", "\(path)/users"])
        #expect(summaries(set) == ["GET /1", "GET /users/42", "GET /42"])
        #expect(set.paths.map(\.fixtures) == [2, 0, 0, 1])
    }

    @Test func followsLinksButNotForEver() throws {
        let folder = try TemporaryFolder(["v1/a.get.txt": "a", "v1/deep/b.get.txt": "b"])
        try folder.link("v2", to: "v1")
        try folder.link("v1/self", to: ".")
        try folder.link("v1/deep/up", to: "../..")
        try folder.link("v1/c.get.txt", to: "a.get.txt")
        let set = try FixtureLoader.load([folder.path])
        #expect(
            summaries(set) == ["a", "c", "deep/b"].map { "GET /v1/\($0)" }
                + ["a", "c", "deep/b"].map { "GET /v2/\($0)" }
        )
    }

    @Test func endsWhereFoldersLinkToEachOther() throws {
        let folder = try TemporaryFolder()
        for name in 0..<9 {
            try folder.write([], to: "\(name)/x.get.204")
            for other in 0..<9 where other != name { try folder.link("\(name)/\(other)", to: "../\(other)") }
        }
        let set = try FixtureLoader.load([folder.path])
        #expect(set.fixtures.count > 9)
        #expect(set.fixtures.count <= 9 * 16)
    }

    @Test func keepsLargeFilesOnDisk() throws {
        let folder = try TemporaryFolder(["index.get.txt": "small"])
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: FixtureLoader.inMemoryLimit + 1)
        try folder.write(large, to: "large.get.txt")
        try folder.write(large + Array("\nrest".utf8), to: "stream.get.ndjson")
        let set = try FixtureLoader.load([folder.path])
        #expect(set.fixtures.map(\.plan.isImmediate) == [true, false, true])
        #expect(set.fixtures.map(\.plan.byteCount) == [5, large.count, large.count + 5])
        guard case .bytes(.file(let file)) = set.fixtures[1].plan.steps[1] else {
            Issue.record("no file")
            return
        }
        #expect(try FixtureFileReader.bytes(of: file.path) == large)
    }

    @Test func tellsOfNamesThatAreAlmostThoseOfFixtures() throws {
        let folder = try TemporaryFolder([
            "a.get.txt": "", "users.gte.json": "[]", "recorded.json": " {\n\"reprise\": 1, \"exchanges\": []}",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(
            set.notes.map(\.description) == [
                "\(folder.path)/recorded.json: not served, because its name does not end in .cassette.json, though it looks "
                    + "like a cassette",
                "\(folder.path)/users.gte.json: not served, because 'gte' is no method; if 'get' is meant, rename the file",
            ]
        )
    }

    @Test func refusesStubMappings() throws {
        let folder = try TemporaryFolder([
            "a.stub.json": "{}", "b.stub.yaml": "", "c.stub.yml": "", "mappings/d.json": "{}",
            "mappings/e/f.get.json": "{}",
            "mappings/README.md": "", "__files/x.json": "{}",
        ])
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        let names = ["a.stub.json", "b.stub.yaml", "c.stub.yml", "mappings/d.json", "mappings/e/f.get.json"]
        #expect(error.problems.map(\.file) == names.map { "\(folder.path)/\($0)" })
        #expect(error.problems.allSatisfy { $0.location == SourceLocation(line: 1, column: 1) })
        #expect(error.problems.allSatisfy { $0.message.contains("stub mapping") })

        let inside = try #require(throws: FixtureProblems.self) { try FixtureLoader.load(["\(folder.path)/mappings"]) }
        #expect(inside.problems.count == 2)
        let alone = "\(folder.path)/mappings/d.json"
        #expect(throws: FixtureProblems.self) { try FixtureLoader.load([alone]) }
    }

    @Test func refusesPathsWithoutFixtures() throws {
        let folder = try TemporaryFolder(["empty/README.md": "", "notes.txt": "", "x.json": "{\"reprise\":1}"])
        let names = ["empty", "nowhere", "notes.txt", "x.json"]
        let error = try #require(throws: FixtureProblems.self) {
            try FixtureLoader.load(names.map { "\(folder.path)/\($0)" })
        }
        let hint = "a fixture is a *.cassette.json, a *.har, or a route file such as users/42.get.json"
        let found = "expected a fixture, found a file whose name is not that of one"
        #expect(
            error.problems.map { $0.description.dropFirst(folder.path.count + 1) } == [
                "empty: expected fixtures in this folder, found none; \(hint)",
                "nowhere: expected a file or folder, found nothing",
                "notes.txt: \(found) (is it a body file?); \(hint)",
                "x.json: \(found) (it looks like a cassette, so name it so); \(hint)",
            ]
        )
    }
}

@Suite struct FixtureMistakesTests {
    @Test func reportsEveryMistakeAtOnceAndWhereItIs() throws {
        let folder = try TemporaryFolder([
            "01-syntax.cassette.json": "{\n  \"reprise\": 1,\n  \"exchanges\": [,]\n}\n",
            "02-newer.cassette.json": "{\"reprise\": 2, \"exchanges\": []}",
            "03-key.cassette.json": """
            {"reprise": 1, "exchanges": [
              {"request": {"metod": "GET", "url": "/"}, "response": {"status": "200 OK"}}
            ]}
            """,
            "04-body.cassette.json": """
            {"reprise": 1, "exchanges": [
              {"request": {"method": "GET", "url": "/"},
               "response": {"status": "200 OK", "body": {"file": "nowhere.bin"}}}
            ]}
            """,
            "05-cut.cassette.json": "{\"reprise\": 1, \"exchanges\": [{}",
            "06-status.get.99.json": "{}",
            "07-{template.get.json": "{}",
            "08-content.get.204.json": "{}",
            "09-stub.stub.json": "{}",
            "mappings/10.json": "{}",
            "fine.get.json": "{}",
        ])
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        let files = error.problems.map(\.file)
        var distinct: [String] = []
        for file in files where distinct.last != file { distinct.append(file) }
        #expect(
            distinct.map { $0.dropFirst(folder.path.count + 1) } == [
                "01-syntax.cassette.json", "02-newer.cassette.json", "03-key.cassette.json", "04-body.cassette.json",
                "05-cut.cassette.json", "06-status.get.99.json", "07-{template.get.json", "08-content.get.204.json",
                "09-stub.stub.json", "mappings/10.json",
            ]
        )
        let located = error.problems.filter { $0.location != nil }
        #expect(located.first?.location == SourceLocation(line: 3, column: 17))
        #expect(Set(located.map(\.file)).count == 7)
        #expect(error.description.split(separator: "\n").count == error.problems.count)
    }

    @Test func reportsFilesThatCannotBeRead() throws {
        let folder = try TemporaryFolder(["fine.get.json": "{}"])
        for name in ["a.cassette.json", "a.har", "a.get.txt"] { try folder.link(name, to: "nowhere") }
        for name in ["b.cassette.json", "b.har", "b.get.txt"] { try folder.write([], to: "\(name)/x.get.txt") }
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        #expect(
            error.problems.map { $0.description.dropFirst(folder.path.count) } == [
                "/a.cassette.json: expected a file or folder, found nothing",
                "/a.get.txt: expected a file or folder, found nothing",
                "/a.har: expected a file or folder, found nothing",
                "/b.cassette.json: expected a file, because the name is that of a fixture, found a folder",
                "/b.get.txt: expected a file, because the name is that of a fixture, found a folder",
                "/b.har: expected a file, because the name is that of a fixture, found a folder",
            ]
        )
    }
}
