// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseTestSupport
import RepriseText
import Testing

@Suite struct ForeignFileTests {
    /// The name of a file, its start, and what it is.
    @Test(
        arguments: [
            ("api.json", #"{"openapi": "3.1.0", "info": {}}"#, "an OpenAPI description"),
            ("api.yaml", "# comment\r\nopenapi: 3.0.3\r\n", "an OpenAPI description"),
            ("api.yml", "swagger: '2.0'\n", "an OpenAPI description"),
            ("shop.postman_collection.json", "{\n\t\"info\": {\n\t\t\"_postman_id\": \"1\"}}", "a Postman collection"),
            ("shop.json", #"{"info":{"schema":"https://schema.getpostman.com/v2.1"}}"#, "a Postman collection"),
            ("login.yml", "---\nhttp_interactions:\n- request:\n    method: get\n", "a VCR cassette"),
            ("login.cassette.yaml", "interactions:\n- request:\n    body: null\n", "a VCR cassette"),
            ("login.json", #"{"version": 1, "interactions": [{"request": {}, "response": {}}]}"#, "a VCR cassette"),
            ("pact.json", #"{"consumer": {"name": "a"}, "provider": {}, "interactions": []}"#, "a Pact contract"),
            ("b.json", #"{"http_interactions": [{"request": {}}]}"#, "a Betamax or VCR cassette"),
            ("b.yaml", "!tape\nname: b\ninteractions:\n", "a Betamax tape"),
            (
                "n.json", "[\n  {\"scope\": \"https://h:443\", \"method\": \"GET\", \"path\": \"/\"}]",
                "a nock recording"
            ),
            ("h.json", #"{"data": {"pairs": [{"request": {}, "response": {}}]}}"#, "a Hoverfly simulation"),
            ("m.json", #"{"protocol": "http", "port": 1, "stubs": []}"#, "a mountebank imposter"),
            ("imposters.json", #"{"imposters": []}"#, "a mountebank imposter"),
            ("e.json", #"[{"httpRequest": {"path": "/"}, "httpResponse": {}}]"#, "a MockServer expectation"),
            ("mock.json", #"{"uuid": "1", "lastMigration": 33, "name": "x"}"#, "a Mockoon environment"),
            ("i.json", #"{"_type": "export", "__export_format": 4}"#, "an Insomnia export"),
            ("i.yaml", "type: collection.insomnia.rest/5.0\n", "an Insomnia export"),
            ("s.chls", "\u{1}", "a Charles session"),
            ("s.chlsj", "[]", "a Charles session"),
            ("s.json", #"[{"status":"COMPLETE","method":"GET","protocolVersion":"HTTP/1.1"}]"#, "a Charles session"),
            ("s.saz", "PK", "a Fiddler session"),
            ("s.flow", "1:a;", "a mitmproxy flow file"),
            ("s.mitm", "1:a;", "a mitmproxy flow file"),
            ("s.proxymansession", "", "a Proxyman session"),
            ("s.xml", "<?xml version=\"1.0\"?>\n<items burpVersion=\"2\">", "a Burp Suite export"),
            ("stub.yaml", "- request:\n    url: /\n  response:\n    status: 200\n", "a stub in YAML"),
        ]
    )
    func isNamedWithWhatToDo(name: String, start: String, found: String) throws {
        let folder = try TemporaryFolder([name: start, "a.get.txt": ""])
        let file = "\(folder.path)/\(name)"
        let notes = try FixtureLoader.load([folder.path]).notes.map(\.description)
        #expect(notes.count == 1)
        #expect(
            notes.first?.hasPrefix("\(file): not served, because it is \(found), which Reprise doesn't read; ") == true
        )
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([file]) }
        #expect(
            error.description.hasPrefix("\(file): expected a fixture, found \(found), which Reprise doesn't read; ")
        )
    }

    /// A fixture under another name, and what to do.
    @Test(arguments: [
        ("polly.json", #"{"log": {"_recordingName": "a", "creator": {}}}"#, ".har"),
        ("shop.har.json", #"{"log": {"version": "1.2", "creator": {}, "entries": []}}"#, ".har"),
        ("users.json", #"{"request": {"url": "/"}, "response": {}}"#, ".stub.json"),
        ("chat.json", #"{"reprise": 2}"#, ".cassette.json"),
    ])
    func misnamedFixtureGetsItsName(name: String, start: String, ending: String) throws {
        let folder = try TemporaryFolder([name: start, "a.get.txt": ""])
        let notes = try FixtureLoader.load([folder.path]).notes
        #expect(notes.count == 1)
        #expect(notes.first?.message.hasSuffix("rename it to end in \(ending)") == true)
    }

    @Test(arguments: ["a.har", "a.cassette.json", "mappings/a.json"])
    func isNamedInPlaceOfItsMistakes(name: String) throws {
        let folder = try TemporaryFolder([name: #"{"openapi": "3.0.0", "paths": {}}"#])
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        #expect(error.problems.count == 1)
        #expect(error.description.contains("expected a fixture, found an OpenAPI description"))
    }

    @Test func routeFileCanServeTheFileOfAnotherTool() throws {
        let folder = try TemporaryFolder([
            "openapi.get.json": #"{"openapi": "3.0.0", "paths": {}}"#, "openapi.get.json.headers": "no header line",
        ])
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        #expect(error.problems.map(\.file) == ["\(folder.path)/openapi.get.json.headers"])
    }

    @Test func oneNoteNamesAllFilesOfOneTool() throws {
        let names = (1...300).map { "cassettes/\($0).yml" }
        let files = names.map { ($0, "http_interactions:\n") } + [("a.get.txt", ""), ("data.json", "{}")]
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files))
        let notes = try FixtureLoader.load([folder.path]).notes
        #expect(notes.count == 2)
        #expect(notes.first?.message.hasSuffix(" (and 299 more)") == true)
        #expect(notes.last?.message.hasPrefix("not a fixture; to serve 'data.json' as a route") == true)
    }
}
