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
            ("login.yml", "---\nhttp_interactions:\n- request:\n    method: get\n", "a cassette of VCR"),
            ("login.cassette.yaml", "interactions:\n- request:\n    body: null\n", "a cassette of VCR"),
            ("login.json", #"{"version": 1, "interactions": [{"request": {}, "response": {}}]}"#, "a cassette of VCR"),
            ("pact.json", #"{"consumer": {"name": "a"}, "provider": {}, "interactions": []}"#, "a Pact contract"),
            ("b.json", #"{"http_interactions": [{"request": {}}]}"#, "a cassette of Betamax or VCR"),
            ("b.yaml", "!tape\nname: b\ninteractions:\n", "a tape of Betamax"),
            (
                "n.json", "[\n  {\"scope\": \"https://h:443\", \"method\": \"GET\", \"path\": \"/\"}]",
                "a recording of nock"
            ),
            ("h.json", #"{"data": {"pairs": [{"request": {}, "response": {}}]}}"#, "a simulation of Hoverfly"),
            ("m.json", #"{"protocol": "http", "port": 1, "stubs": []}"#, "an imposter of mountebank"),
            ("imposters.json", #"{"imposters": []}"#, "an imposter of mountebank"),
            ("e.json", #"[{"httpRequest": {"path": "/"}, "httpResponse": {}}]"#, "an expectation of MockServer"),
            ("mock.json", #"{"uuid": "1", "lastMigration": 33, "name": "x"}"#, "an environment of Mockoon"),
            ("i.json", #"{"_type": "export", "__export_format": 4}"#, "an export of Insomnia"),
            ("i.yaml", "type: collection.insomnia.rest/5.0\n", "an export of Insomnia"),
            ("s.chls", "\u{1}", "a session of Charles"),
            ("s.chlsj", "[]", "a session of Charles"),
            ("s.json", #"[{"status":"COMPLETE","method":"GET","protocolVersion":"HTTP/1.1"}]"#, "a session of Charles"),
            ("s.saz", "PK", "a session of Fiddler"),
            ("s.flow", "1:a;", "a flow file of mitmproxy"),
            ("s.mitm", "1:a;", "a flow file of mitmproxy"),
            ("s.proxymansession", "", "a session of Proxyman"),
            ("s.xml", "<?xml version=\"1.0\"?>\n<items burpVersion=\"2\">", "an export of Burp Suite"),
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
