// SPDX-License-Identifier: Apache-2.0

import RepriseStubAnswers
import RepriseStubs
import RepriseTestSupport
import Testing

@testable import RepriseAnswers
@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

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

    @Test func loadsFolderInNameOrder() throws {
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

    @Test func ignoresOtherFiles() throws {
        let folder = try TemporaryFolder([
            "a.get.txt": "a", ".hidden.get.txt": "", "_draft.get.txt": "", ".git/b.get.txt": "", "_old/b.get.txt": "",
            "__files/b.get.txt": "", "x.cassette.json": cassette("/x"), "x.cassette.bodies/b.get.txt": "",
            "logo.png": "", "README.md": "",
            "reprise.yaml": "", "x.cassette.bodies/data.json": "{}", "__files/data.json": "{}",
            "x.cassette.json.recording-log": "{",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(summaries(set) == ["GET /a", "GET /x"])
        #expect(set.notes.isEmpty)
    }

    @Test func notesNamesWithoutMethod() throws {
        let files = ["users.json", "b/home.html", "a.txt", "script.js"].map { ($0, "") }
        let folder = try TemporaryFolder(["a.get.txt": ""].merging(files) { $1 })
        let notes = try FixtureLoader.load([folder.path]).notes.map { "\($0)".dropFirst(folder.path.count + 1) }
        #expect(
            notes == [
                "b/home.html: not a fixture; to serve 'home.html' as a route, put a method into its name, as in "
                    + "'home.get.html'",
                "users.json: not a fixture; to serve 'users.json' as a route, put a method into its name, as in "
                    + "'users.get.json'",
            ]
        )
        for number in 0..<10 { try folder.write([], to: "\(number).json") }
        let many = try FixtureLoader.load([folder.path]).notes
        #expect(many.count == 6)
        #expect(many.last?.message.hasPrefix("7 more files are not fixtures") == true)
    }

    @Test func readsFoldersOfAnyName() throws {
        let folder = try TemporaryFolder([
            "blog.post/index.get.html": "", "a.cassette.json/x.get.txt": "", "b.har/x.get.txt": "",
            "limbs.bodies/x.get.txt": "", "old.cassette.bodies/x.get.txt": "", "users.get/{id}.get.txt": "",
        ])
        let set = try FixtureLoader.load([folder.path])
        let paths = [
            "a.cassette.json/x", "b.har/x", "blog.post", "limbs.bodies/x", "old.cassette.bodies/x", "users.get/{id}",
        ]
        #expect(summaries(set) == paths.map { "GET /\($0)" })
    }

    @Test func findsBodiesOfCassetteWithUppercaseExtension() throws {
        let text = """
            {"reprise": 1, "exchanges": [
              {"request": {"method": "GET", "url": "/"}, "response": {"status": "200 OK", "body": {"file": "x.get.txt"}}}
            ]}
            """
        let folder = try TemporaryFolder(["A.CASSETTE.JSON": text, "A.CASSETTE.bodies/x.get.txt": "body"])
        let set = try FixtureLoader.load([folder.path])
        #expect(summaries(set) == ["GET /"])
        #expect(set.fixtures.first?.plan.steps.contains(.bytes(.bytes(Array("body".utf8)))) == true)
    }

    @Test(.timeLimit(.minutes(1))) func rejectsDevicesAndPipes() throws {
        let folder = try TemporaryFolder(["fine.get.json": "{}"])
        try folder.link("a.cassette.json", to: "/dev/zero")
        try folder.link("a.har", to: "/dev/full")
        try folder.link("a.get.txt", to: "/dev/null")
        try folder.pipe("b.get.txt")
        try folder.pipe("body.json")
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        let expected = ["a.cassette.json", "a.get.txt", "a.har", "b.get.txt"].map {
            "\(folder.path)/\($0): expected a regular file, found a pipe, socket, or device"
        }
        #expect(error.problems.map(\.description) == expected)
        let named = "\(folder.path)/b.get.txt"
        let alone = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([named]) }
        #expect(alone.problems.map(\.description) == [expected[3]])
    }

    @Test func preservesSpellingOfPaths() throws {
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

    @Test func loadsEachFileOnce() throws {
        let folder = try TemporaryFolder(["a.cassette.json": cassette("/1"), "users/42.get.txt": "42"])
        try folder.link("z.cassette.json", to: "a.cassette.json")
        let path = folder.path
        let set = try FixtureLoader.load([path, "\(path)/a.cassette.json", "\(path)/users/../", "\(path)/users"])
        #expect(summaries(set) == ["GET /1", "GET /users/42", "GET /42"])
        #expect(set.paths.map(\.fixtures) == [2, 0, 0, 1])
    }

    @Test func followsLinksWithoutLooping() throws {
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

    @Test func followsEveryLinkToFolder() throws {
        let folder = try TemporaryFolder(["_shared/a.get.txt": "a"])
        for tenant in 0..<40 { try folder.link("\(tenant)", to: "_shared") }
        #expect(try FixtureLoader.load([folder.path]).fixtures.count == 40)
    }

    @Test func limitsFoldersThatLinkToEachOther() throws {
        let folder = try TemporaryFolder()
        for name in 0..<9 {
            try folder.write([], to: "\(name)/x.get.204")
            for other in 0..<9 where other != name { try folder.link("\(name)/\(other)", to: "../\(other)") }
        }
        let found = FixtureFolder(folder.path, maximumRepeats: 200)
        #expect(found.files.count == 9 + 200)
        #expect(
            found.problems.map(\.message) == [
                "expected at most 200 links to folders that were already read, found more; remove links "
                    + "that lead to each other"
            ]
        )
    }

    @Test func keepsLargeFilesOnDisk() throws {
        let folder = try TemporaryFolder(["index.get.txt": "small"])
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: CassetteBodies.inMemoryLimit + 1)
        try folder.write(large, to: "large.get.txt")
        try folder.write(large + Array("\nrest".utf8), to: "stream.get.ndjson")
        let set = try FixtureLoader.load([folder.path])
        #expect(set.fixtures[0].plan.steps[1] == .bytes(.bytes(Array("small".utf8))))
        #expect(set.fixtures[2].plan.steps[1] == .bytes(.bytes(large + [0x0A])))
        guard case .bytes(.file(let file)) = set.fixtures[1].plan.steps[1] else {
            Issue.record("expected a file")
            return
        }
        #expect(try FixtureFileReader.bytes(of: file.path) == large)
    }

    @Test func notesNearlyCorrectFixtureNames() throws {
        let folder = try TemporaryFolder([
            "a.get.txt": "", "users.gte.json": "[]", "app.get.min.js": "", "users/get.json": "{}",
            "x.cassette.yaml": "", "y.cassette.yml": "", "z.cassette": "", "shop.har.json": "{}",
            "recorded.json": " {\n\"reprise\": 1, \"exchanges\": []}",
        ])
        let set = try FixtureLoader.load([folder.path])
        let cassette = "the name of a cassette ends in .cassette.json"
        let expected = [
            ("app.get.min.js", NearName.misplacedMethod("get").reason),
            ("recorded.json", "it is a cassette; rename it to end in .cassette.json"),
            ("shop.har.json", "the name of a HAR file ends in .har"),
            ("users/get.json", NearName.bareMethod("get").reason),
            ("users.gte.json", "'gte' is not a method; if it means 'get', rename the file"),
            ("x.cassette.yaml", cassette), ("y.cassette.yml", cassette), ("z.cassette", cassette),
        ]
        #expect(
            set.notes.map(\.description) == expected.map { "\(folder.path)/\($0): not served, because \($1)" }
        )
        let alone = "\(folder.path)/x.cassette.yaml"
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([alone]) }
        #expect(error.description.contains(cassette))
    }

    @Test func loadsStubMappings() throws {
        let folder = try TemporaryFolder([
            "a.stub.json": "{}", "mappings/d.json": "{\"mappings\": [{}, {\"name\": \"two\"}]}",
            "mappings/d/x.json": "{}",
            "mappings/.hidden/f.get.json": "{}", "mappings/.#lock.json": "no JSON",
            "mappings/README.md": "", "__files/x.json": "{}",
        ])
        let set = try FixtureLoader.load([folder.path])
        let names = [
            "a.stub.json", "mappings/.hidden/f.get.json", "mappings/d.json", "mappings/d.json", "mappings/d/x.json",
        ]
        #expect(set.stubs.map(\.source.file) == names.map { "\(folder.path)/\($0)" })
        #expect(set.stubs.map(\.source.location) == [1, 1, 15, 19, 1].map { FilePosition(line: 1, column: $0) })
        #expect(Set(set.stubs.map(\.id)).count == 5)
        #expect(set.fixtures.isEmpty && set.count == "5 stubs")
        #expect(try FixtureLoader.load(["\(folder.path)/mappings"]).stubs.count == 4)
        #expect(try FixtureLoader.load(["\(folder.path)/mappings/d.json"]).stubs.count == 2)
    }

    /// As WireMock does.
    @Test func readsOnlyMappingsAtTheTopIfThereAreSome() throws {
        let folder = try TemporaryFolder([
            "mappings/a/mappings/1.json": #"{"response": {"bodyFileName": "b.txt"}}"#, "__files/b.txt": "top",
            "other/mappings/2.json": "{}", "other/mappings/deep/users.get.json": "{}", "other/__files/b.txt": "below",
            "other/mappings/3.stub.json": #"{"response": {"bodyFileName": "b.txt"}}"#,
            "other/mappings/x.cassette.json": cassette("/x"), "other/mappings/page.get.html": "",
            "other/mappings/_draft/4.json": "{}",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(
            set.stubs.map { $0.source.file.dropFirst(folder.path.count + 1) } == [
                "mappings/a/mappings/1.json", "other/mappings/3.stub.json",
            ]
        )
        #expect(summaries(set) == ["GET /other/mappings/page", "GET /x"])
        let note =
            "not read as a stub mapping, because only mappings/ at the top of the folder that is served is; move it "
            + "there, or pass '\(folder.path)/other' as another path (and 1 more)"
        #expect(set.notes.map(\.description) == ["\(folder.path)/other/mappings/2.json: \(note)"])
        for (stub, text) in zip(set.stubs, ["top", "below"]) {
            #expect(stub.answer.plan?.steps.contains(.bytes(.bytes(Array(text.utf8)))) == true)
        }
        let both = try FixtureLoader.load([folder.path, "\(folder.path)/other"])
        #expect(both.stubs.count == 5)
    }

    @Test func readsEveryMappingsFolderIfNoneIsAtTheTop() throws {
        let folder = try TemporaryFolder(["a/mappings/1.json": "{}", "b/mappings/2.json": "{}"])
        let set = try FixtureLoader.load([folder.path])
        #expect(set.stubs.count == 2 && set.notes.isEmpty)
    }

    @Test func filesAreNextToTheMappingsOfTheNamedFile() throws {
        let folder = try TemporaryFolder([
            "mappings/project/mappings/a.json": #"{"response": {"bodyFileName": "b.txt"}}"#,
            "mappings/project/__files/b.txt": "near", "__files/b.txt": "from afar",
        ])
        for name in ["mappings/project", "mappings/project/mappings", "mappings/project/mappings/a.json"] {
            let stub = try #require(try FixtureLoader.load(["\(folder.path)/\(name)"]).stubs.first)
            #expect(stub.answer.plan?.steps.contains(.bytes(.bytes(Array("near".utf8)))) == true, "\(name)")
        }
    }

    /// WireMock serves both, and real folders have copies of a mapping that differ in the URL.
    @Test func stubsWithTheSameIdentifierBothAnswer() throws {
        let folder = try TemporaryFolder([
            "mappings/a.json": "{\"id\": \"11111111-1111-1111-1111-111111111111\", \"name\": \"a\"}",

            "mappings/b.json": "{\"id\": \"11111111-1111-1111-1111-111111111111\", \"name\": \"b\"}",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(set.stubs.map(\.mapping.name) == ["a", "b"])
        #expect(set.stubs.first?.id == "11111111-1111-1111-1111-111111111111")
        #expect(set.stubs.last?.id != set.stubs.first?.id)
        #expect(set.notes.first?.message.hasPrefix("has the same id as the stub at ") == true)
    }

    @Test(arguments: [
        (#""url": "http://localhost/a""#, "", ""),
        (#""url": "{{#if a}}""#, "", "sends no webhook: the template of the webhook's url is invalid: "),
        (#""url": "http://a""#, #", "requestPhases": ["BEFORE_MATCH"]"#, "sends no webhook: expected AFTER_COMPLETE"),
        (
            #""url": "http://a", "body": "{{eq originalRequest.query.a 'b'}}""#, "",
            "webhook template 1:3: eq: expected two values of the same kind"
        ),
    ])
    func webhookThatCannotWorkIsNoted(parameters: String, phases: String, note: String) throws {
        let folder = try TemporaryFolder([
            "mappings/a.json": """
            {"serveEventListeners": [{"name": "webhook", "parameters": {\(parameters)}\(phases)}]}
            """
        ])
        let notes = try FixtureLoader.load([folder.path]).notes.map(\.message)
        #expect(note.isEmpty ? notes.isEmpty : notes.contains { $0.hasPrefix(note) }, "\(notes)")
    }

    @Test func rejectsStubMappingsInYAML() throws {
        let folder = try TemporaryFolder(["b.stub.yaml": "", "c.stub.yml": ""])
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        #expect(error.problems.count == 2)
        #expect(error.problems.allSatisfy { $0.message.contains("expected a stub mapping in JSON") })
    }

    @Test func rejectsPathsWithoutFixtures() throws {
        let folder = try TemporaryFolder(["empty/README.md": "", "notes.txt": "", "x.json": "{\"reprise\":1}"])
        let names = ["empty", "nowhere", "notes.txt", "x.json"]
        let error = try #require(throws: FixtureProblems.self) {
            try FixtureLoader.load(names.map { "\(folder.path)/\($0)" })
        }
        let hint =
            "a fixture is a *.cassette.json, a *.har, a stub mapping in mappings/, or a route file such as "
            + "users/42.get.json"
        let found = "expected a fixture, found a file with another name"
        #expect(
            error.problems.map { $0.description.dropFirst(folder.path.count + 1) } == [
                "empty: expected fixtures in this folder, found none; \(hint)",
                "nowhere: expected a file or folder, found nothing",
                "notes.txt: \(found) (is it a body file?); \(hint)",
                "x.json: expected a fixture, found a cassette; rename it to end in .cassette.json",
            ]
        )
    }
}

@Suite struct FixtureProblemsTests {
    @Test func reportsAllProblemsWithPositions() throws {
        let folder = try TemporaryFolder([
            "01-syntax.cassette.json": "{\n  \"reprise\": 1,\n  \"exchanges\": [,]\n}\n",
            "02-newer.cassette.json": "{\"reprise\": 3, \"exchanges\": []}",
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
            "06-status.get.100.json": "{}",
            "07-{template.get.json": "{}",
            "08-content.get.204.json": "{}",
            "09-stub.stub.json": "{\"requests\": {}}",
            "mappings/10.json": "{\"request\": {\"urlPattern\": \"(\"}}",
            "fine.get.json": "{}",
        ])
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        #expect(
            error.problems.map { $0.description.dropFirst(folder.path.count + 1) } == [
                "01-syntax.cassette.json:3:17: expected a value, found ','",
                "02-newer.cassette.json:1:13: format 3 is newer than this release can read (2); upgrade Reprise",
                "03-key.cassette.json:2:16: \"metod\": unknown key; did you mean \"method\"?",
                "04-body.cassette.json:3:54: expected the file \"nowhere.bin\" in 04-body.cassette.bodies/, found none",
                "05-cut.cassette.json:1:30: expected \"request\" in the exchange, found none",
                "05-cut.cassette.json:1:30: expected \"response\" or \"failure\" in the exchange, found none",
                "05-cut.cassette.json:1:32: expected ',' or ']' after the value, found the end of the text",
                "06-status.get.100.json:1:1: expected a status from 200 to 999 in the file name, found '100'",
                "07-{template.get.json:1:1: expected a template segment such as {id}, with nothing outside the braces, "
                    + "found '07-{template'",
                "08-content.get.204.json:1:1: expected an empty file, because an answer with status 204 has no content, "
                    + "found 2 bytes",
                "09-stub.stub.json:1:2: expected a field of a stub mapping, found \"requests\"; did you mean \"request\"?",
                "mappings/10.json:1:1: /request/urlPattern: expected a regular expression, found \"(\"; correct its syntax",
            ]
        )
    }

    @Test func reportsDanglingLinks() throws {
        let folder = try TemporaryFolder(["fine.get.json": "{}"])
        for name in ["a.cassette.json", "a.har", "a.get.txt"] { try folder.link(name, to: "nowhere") }
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        let found =
            "expected a file or folder, found a link to 'nowhere', where nothing exists; correct or remove the link"
        #expect(
            error.problems.map { $0.description.dropFirst(folder.path.count) } == [
                "/a.cassette.json: \(found)",
                "/a.get.txt: \(found)",
                "/a.har: \(found)",
            ]
        )
    }
}
