// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseText

@Suite struct SecretCheckTests {
    /// A cassette can be read without being served, and have any name. It is searched once.
    @Test(arguments: ["chat.cassette.json", "chat.json"])
    func searchesCassetteThatOnlyStubNames(_ name: String) throws {
        let cassette =
            #"{"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"}, "response": {"status": "200", "#
            + #""headers": ["Set-Cookie: sid=0123456789"]}}]}"#
        let stub = #"{"request": {"url": "/x"}, "response": {"recorded": "../../\#(name)#1"}}"#
        let folder = try TemporaryFolder([name: cassette, "root/mappings/a.json": stub, "root/mappings/b.json": stub])
        let set = try FixtureLoader.load([folder.path + "/root"])
        #expect(set.files.map(\.fixtures) == [1, 1, 0])
        let problems = SecretCheck(set).problems
        #expect(problems.count == 1)
        #expect(problems.first?.file.hasSuffix("/\(name)") == true)
        let named = [folder.path + "/root/mappings/a.json", "\(folder.path)/chat.cassette.json"]
        if name == "chat.cassette.json" { #expect(SecretCheck(try FixtureLoader.load(named)).problems.count == 1) }
    }

    @Test func findsSecretsInAllFieldsOfCassette() throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": """
            {
              "reprise": 1,
              "exchanges": [
                {
                  "request": {
                    "method": "POST",
                    "url": "https://x.example/login?api_key=0123456789",
                    "headers": [
                      "Content-Type: application/json",
                      "Authorization: Bearer 0123456789"
                    ],
                    "body": {"json": {"password": "hunter2hunter2"}}
                  },
                  "response": {
                    "status": "200 OK",
                    "headers": ["Content-Type: text/plain", "Set-Cookie: sid=0123456789; Path=/"],
                    "stream": [
                      {"text": "key sk-abcdEFGH1234ijkl"},
                      {"end": "complete"}
                    ]
                  }
                },
                {
                  "request": {"method": "GET", "url": "/b"},
                  "response": {
                    "status": "200 OK",
                    "headers": ["Content-Type: application/json"],
                    "body": {"file": "b.json"}
                  }
                }
              ]
            }
            """,
            "a.cassette.bodies/b.json": #"{"secret":"abc-abc-abc"}"#,
        ])
        let found = try check(folder)
        #expect(
            found == [
                "a.cassette.json:7:49 request URL (012…)",
                "a.cassette.json:10:27 request header Authorization (Bea…)",
                "a.cassette.json:12:40 request body (hun…)",
                "a.cassette.json:16:66 response header Set-Cookie (012…)",
                "a.cassette.json:18:25 a key of a language model's API in response body (sk-…)",
                "a.cassette.json:23:5 response body (abc…)",
            ]
        )
    }

    @Test(
        arguments: [
            (0x00, false), (0x01, true), (0x08, true), (0x09, false), (0x0A, false), (0x0D, false), (0x0E, true),
            (0x1A, true), (0x1B, false), (0x1C, true), (0x1F, true), (0x20, false), (0x7F, false), (0xFF, false),
        ] as [(UInt8, Bool)]
    )
    func controlCharactersAreBinary(byte: UInt8, isBinary: Bool) {
        #expect(SecretCheck.isBinary([0x61, byte, 0x62]) == isBinary)
    }

    @Test(arguments: ["\n", "\r\n"])
    func countsLinesOfAllEndings(ending: String) throws {
        let lines = [
            "{", "  \"reprise\": 1,", "  \"exchanges\": [", "    {",
            "      \"request\": {\"method\": \"GET\", \"url\": \"/a\"},",
            "      \"response\": {\"status\": \"200 OK\",",
            "        \"headers\": [\"Content-Length: 0\", \"X-Api-Key: 0123456789\"]}", "    }", "  ]", "}",
        ]
        let folder = try TemporaryFolder(["a.cassette.json": lines.joined(separator: ending)])
        #expect(try check(folder) == ["a.cassette.json:7:54 response header X-Api-Key (012…)"])
    }

    /// The check uses the path of the URL, like the recorder.
    @Test(arguments: [("public-key", 0), ("app", 1)])
    func usesPathOfURL(segment: String, count: Int) throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": """
            {"reprise": 1, "exchanges": [
              {"request": {"method": "GET", "url": "/repos/a/b/actions/secrets/\(segment)"},
               "response": {"status": "200 OK", "headers": ["Content-Type: application/json"],
                 "body": {"json": {"key": "x7Rk2mT9vLpW4nB8sD1qZxa7"}}}}
            ]}
            """
        ])
        #expect(try check(folder).count == count)
    }

    /// A setting in a cookie is not a secret, but the session next to it is.
    @Test(arguments: [
        ("Set-Cookie: theme=dark; Path=/", []),
        ("Set-Cookie: lang=en-US", []),
        ("Set-Cookie: page=42", []),
        ("Set-Cookie: theme=[redacted]", []),
        ("Set-Cookie: sid=abcdef; Path=/", ["response header Set-Cookie (abc…)"]),
        ("Set-Cookie: token=dark", ["response header Set-Cookie"]),
        ("Set-Cookie: cart=8f2a91", ["response header Set-Cookie"]),
        (
            "Set-Cookie: theme=dark; Path=/sk-abcdEFGH1234ijkl",
            ["a key of a language model's API in response header Set-Cookie (sk-…)"]
        ),
        ("Cookie: theme=dark; cart=8f2a91c7", ["response header Cookie (8f2…)"]),
        // Words of up to 11 letters, and numbers of up to three digits.
        ("Set-Cookie: theme=dark-mode_x", []),
        ("Set-Cookie: theme=dark-mode_xy", ["response header Set-Cookie (dar…)"]),
        ("Set-Cookie: page=999", []), ("Set-Cookie: page=1000", ["response header Set-Cookie"]),
        ("Set-Cookie: theme=", []), ("Set-Cookie: theme=dark1", ["response header Set-Cookie"]),
        ("Set-Cookie: mySession=dark", ["response header Set-Cookie"]), ("Cookie: theme=dark; lang=en", []),
    ])
    func reportsOnlyCookiesThatCanBeSecret(line: String, expected: [String]) throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"},
              "response": {"status": "200 OK", "headers": ["\(line)", "Content-Length: 0"]}}]}
            """
        ])
        #expect(try check(folder).map { String($0.drop { $0 != " " }.dropFirst()) } == expected)
    }

    /// Responses whose header lines and content do not fit together are played as recorded, so they are only noted.
    @Test(arguments: [
        (#""200 OK", "headers": ["Content-Length: 2", "Transfer-Encoding: chunked"]"#, "found both"),
        (#""204 No Content", "body": {"text": "hi"}"#, "expected no body with status 204, found one"),
        (#""304 Not Modified", "stream": [{"text": "hi"}, {"end": "complete"}]"#, "expected no body with status 304"),
        (#""200 OK", "body": {"text": "hi"}"#, "found neither, so the body ends when the connection closes;"),
        (#""200 OK""#, "add 'Content-Length: 0'"),
        (#""200 OK", "stream": [{"text": "hi"}, {"end": "complete"}]"#, "add 'Transfer-Encoding: chunked'"),
        (#""200 OK", "headers": ["Connection: close"], "body": {"text": "hi"}"#, nil),
        (#""200 OK", "headers": ["Content-Length: 2"], "body": {"text": "hi"}"#, nil),
        (#""204 No Content""#, nil),
        (#""304 Not Modified""#, nil), (#""205 Reset Content", "headers": ["Content-Length: 0"]"#, nil),
        (#""204 No Content", "stream": [{"end": "complete"}]"#, nil), (#""204 No Content", "body": {"text": ""}"#, nil),
        (#""200 OK", "headers": ["transfer-encoding: chunked"], "body": {"text": "hi"}"#, nil),
        (#""200 OK", "headers": ["connection: Keep-Alive, CLOSE"], "body": {"text": "hi"}"#, nil),
        (#""200 OK", "headers": ["Connection: keep-alive"], "body": {"text": "hi"}"#, "add 'Content-Length: 2'"),
        (#""200 OK", "http": "1.0", "body": {"text": "hi"}"#, nil),
    ])
    func notesResponsesThatContradictThemselves(response: String, expected: String?) throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"},
              "response": {"status": \(response)}}]}
            """
        ])
        let check = SecretCheck(try FixtureLoader.load([folder.path]))
        #expect(check.problems.isEmpty)
        #expect(check.framingNotes.count == (expected == nil ? 0 : 1))
        if let expected, let note = check.framingNotes.first { #expect(note.message.contains(expected)) }
    }

    @Test(arguments: [("HEAD", 0), ("GET", 1), ("POST", 1)])
    func answerToHEADNeedsNoLength(method: String, count: Int) throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": """
            {"reprise": 1, "exchanges": [{"request": {"method": "\(method)", "url": "/"},
              "response": {"status": "200 OK"}}]}
            """
        ])
        #expect(SecretCheck(try FixtureLoader.load([folder.path])).framingNotes.count == count)
    }

    @Test(arguments: [(99, 99), (100, 100), (101, 101), (300, 101)])
    func limitsNotesOnFraming(exchanges: Int, count: Int) throws {
        let exchange = #"{"request": {"method": "GET", "url": "/"}, "response": {"status": "200 OK"}}"#
        let list = Array(repeating: exchange, count: exchanges).joined(separator: ",\n")
        let folder = try TemporaryFolder(["a.cassette.json": "{\"reprise\": 1, \"exchanges\": [\n\(list)]}"])
        let notes = SecretCheck(try FixtureLoader.load([folder.path])).framingNotes
        #expect(notes.count == count)
        #expect(
            notes.map { $0.message == FixtureProblems.andMore }.lastIndex(of: true) == (exchanges > 100 ? 100 : nil)
        )
        #expect(notes.last?.location?.line == count + 1)
    }

    /// The first characters of a short secret would be too large a part of it.
    @Test(arguments: [
        ("X-Api-Key: 1234567", "response header X-Api-Key"),
        ("X-Api-Key: 12345678", "response header X-Api-Key (123…)"),
        ("X-Api-Key: é2345678", "response header X-Api-Key"), ("X-Api-Key: 1 345678", "response header X-Api-Key"),
    ])
    func onlyStartOfLongSecretIsShown(line: String, expected: String) throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"},
              "response": {"status": "200 OK", "headers": ["\(line)", "Content-Length: 0"]}}]}
            """
        ])
        #expect(try check(folder).map { String($0.drop { $0 != " " }.dropFirst()) } == [expected])
    }

    /// A large file is searched without reading it into memory. Its start shows whether it is text.
    @Test(arguments: [("a", 1), ("\u{1}", 0)]) func startOfLargeFileDecides(start: String, count: Int) throws {
        let line = String(repeating: "x ", count: 511) + "\n"
        let filler = String(repeating: line, count: FixtureLoader.inMemoryStreamLimit / line.utf8.count + 1)
        let text = "\(start)\nghp_abcdefghijklmnopqrstuvwxyz0123456789\n"
        let folder = try TemporaryFolder(["x.get.txt": text + filler])
        let problems = SecretCheck(try FixtureLoader.load([folder.path])).problems
        #expect(problems.map(\.location) == Array(repeating: FilePosition(line: 1, column: 1), count: count))
    }

    /// Content in Base64 is searched as what it stands for.
    @Test(arguments: [
        (#""encoding": "base64", "text": "eyJwYXNzd29yZCI6Imh1bnRlcjJodW50ZXIyIn0=""#, 1),
        (#""text": "{\"password\":\"hunter2hunter2\"}""#, 1), (#""text": "{\"name\":\"hello\"}""#, 0),
    ])
    func findsSecretInContentOfSkippedEntry(content: String, count: Int) throws {
        let folder = try TemporaryFolder([
            "b.har": """
            {"log": {"version": "1.2", "entries": [{"startedDateTime": "2026-11-21T09:00:00Z", "time": 1,
              "request": {"method": "GET", "url": "data:text/plain,x", "headers": []},
              "response": {"status": 0, "headers": [], "content": {"size": 0, "mimeType": "application/json", \(content)}}}]}}
            """
        ])
        #expect(try check(folder).count == count)
    }

    @Test func findsSecretsInHARAndRouteFiles() throws {
        let folder = try TemporaryFolder([
            "b.har": """
            {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
              {"startedDateTime": "2026-11-21T09:00:00Z", "time": 1,
               "request": {"method": "GET", "url": "https://x.example/a", "httpVersion": "HTTP/1.1",
                 "headers": [{"name": "X-Api-Key", "value": "0123456789"}], "queryString": [],
                 "cookies": [{"name": "c", "value": "AKIAABCDEFGHIJKLMNOP"}], "headersSize": -1, "bodySize": 0},
               "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [],
                 "cookies": [], "content": {"size": 2, "mimeType": "text/plain", "text": "ok"}, "redirectURL": "",
                 "headersSize": -1, "bodySize": 2},
               "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}
            ]}}
            """,
            "v1/c.get.json": "{\n  \"client_secret\": \"x\"\n}",
            "v1/d.get.txt": "a\nghp_abcdefghijklmnopqrstuvwxyz0123456789",
        ])
        let found = try check(folder)
        #expect(
            found == [
                "b.har:4:50 request header X-Api-Key (012…)", "b.har:5:42 an AWS key in cookie c (AKI…)",
                "v1/d.get.txt:2:1 a code host's token in the file (ghp…)",
            ]
        )
        #expect(try notes(folder) == ["v1/c.get.json:2:21 the file"])
    }

    /// A cookie is judged by the same rule, whatever the format.
    @Test(arguments: [
        ("theme=dark", true), ("theme=dark; Path=/; HttpOnly", true), ("page=42; Path=/", true),
        ("sid=8f2a91c7", false),
        ("token=dark", false),
    ])
    func judgesCookiesAlikeInAllFormats(cookie: String, isHarmless: Bool) throws {
        let folder = try TemporaryFolder([
            "a.cassette.json":
                #"{"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"}, "response": {"status": "200 OK", "headers": ["Set-Cookie: \#(cookie)", "Content-Length: 0"]}}]}"#,
            "b.har":
                #"{"log": {"version": "1.2", "entries": [{"startedDateTime": "2026-11-21T09:00:00Z", "time": 1, "request": {"method": "GET", "url": "https://x.example/a", "headers": []}, "response": {"status": 200, "headers": [{"name": "Set-Cookie", "value": "\#(cookie)"}], "content": {"size": 2, "mimeType": "text/plain", "text": "ok"}}}]}}"#,
            "c.get.txt": "x", "c.get.txt.headers": "Set-Cookie: \(cookie)\n",
            "mappings/d.json":
                #"{"request": {"url": "/d"}, "response": {"headers": {"Set-Cookie": ["\#(cookie)"]}}}"#,
            "mappings/e.json":
                #"{"request": {"url": "/e"}, "response": {"headers": {"Set-Cookie": "\#(cookie)"}}}"#,
            "mappings/f.json":
                #"{"request": {"url": "/f", "headers": {"Cookie": {"contains": "theme=dark"}}}, "response": {}}"#,
        ])
        #expect(try check(folder).count == (isHarmless ? 0 : 2))
        #expect(try notes(folder).count == (isHarmless ? 0 : 3))
    }

    @Test func findsSecretsInRedundantHARFields() throws {
        let folder = try TemporaryFolder([
            "b.har": """
            {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
              {"startedDateTime": "2026-11-21T09:00:00Z", "time": 1,
               "request": {"method": "POST", "url": "https://x.example/a", "httpVersion": "HTTP/1.1", "headers": [],
                 "queryString": [{"name": "api_key", "value": "query-hunter2"}, {"name": "page", "value": "2"}],
                 "cookies": [{"name": "c", "value": "cookie-hunter2", "path": "/"}, {"name": "d", "value": "[redacted]"}],
                 "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "",
                   "params": [{"name": "password", "value": "param-hunter2"}]}, "headersSize": -1, "bodySize": 0},
               "response": {"status": 302, "statusText": "Found", "httpVersion": "HTTP/1.1", "headers": [],
                 "cookies": [], "content": {"size": 2, "mimeType": "text/plain", "text": "ok"},
                 "redirectURL": "/b?access_token=redirect-hunter2", "headersSize": -1, "bodySize": 2},
               "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}},
              {"startedDateTime": "2026-11-21T09:00:00Z", "time": 1,
               "request": {"method": "GET", "url": "data:text/plain,x", "httpVersion": "", "cookies": [],
                 "headers": [{"name": "Authorization", "value": "Bearer skipped-hunter2"}], "queryString": [],
                 "headersSize": -1, "bodySize": 0},
               "response": {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
                 "content": {"size": 0, "mimeType": "application/json", "text": "{\\"password\\":\\"text-hunter2\\"}"},
                 "redirectURL": "", "headersSize": -1, "bodySize": -1},
               "_webSocketMessages": [{"type": "send", "time": 1, "opcode": 1,
                 "data": "{\\"password\\":\\"socket-hunter2\\"}"}],
               "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}
            ]}}
            """
        ])
        let found = try check(folder).map { $0.split(separator: ":")[1] + " " + ($0.split(separator: " ").last ?? "") }
        for place in ["4", "5", "7", "10", "14", "17", "20"] {
            #expect(found.contains { $0.hasPrefix("\(place) ") }, "line \(place) of \(found)")
        }
        #expect(found.count == 7)
    }

    @Test func findsNothingInRedactedFiles() throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": """
            {"reprise": 1, "exchanges": [{
              "request": {"method": "GET", "url": "https://u:%5Bredacted%5D@x.example/?api_key=[redacted]",
                "headers": ["Authorization: [redacted]", "Cookie: a=[redacted]; b=[redacted:bob]"]},
              "response": {"status": "200 OK",
                "headers": ["Content-Type: application/json", "Location: /a?access_token=%5Bredacted%5D"],
                "body": {"json": {"next": "/a?access_token=[redacted]", "password": "[redacted]", "max_tokens": "5"}}}}]}
            """
        ])
        #expect(try check(folder).isEmpty)
    }

    @Test func appliesRulesOfNearestFolder() throws {
        let text = "AKIAIOSFODNN7EXAMPLE"
        let folder = try TemporaryFolder([
            "reprise.yaml": "redact: {patterns: ['acme_[a-z]{4}']}\nallow: {values: [\(text)]}",
            "a/x.get.txt": "\(text) acme_abcd",
            "b/reprise.yaml": "allow: {values: []}",
            "b/c/y.get.txt": "\(text) acme_abcd",
        ])
        #expect(
            try check(folder) == [
                "a/x.get.txt:1:22 the file (acm…)", "b/c/y.get.txt:1:1 an AWS key in the file (AKI…)",
            ]
        )
    }

    @Test func stubMappingIsCheckedAsOneWhateverItsName() throws {
        let mapping = #"{"request": {"url": "/a"}, "response": {"body": "AKIAABCDEFGHIJKLM100"}}"#
        let folder = try TemporaryFolder(["mappings/x.cassette.json": mapping, "mappings/y.har.json": mapping])
        #expect(
            try check(folder) == [
                "mappings/x.cassette.json:1:50 an AWS key in the file (AKI…)",
                "mappings/y.har.json:1:50 an AWS key in the file (AKI…)",
            ]
        )
    }

    @Test func reportsInvalidRules() throws {
        let folder = try TemporaryFolder(["reprise.yaml": "redcat:", "x.get.txt": "a"])
        let check = try SecretCheck(FixtureLoader.load([folder.path]))
        #expect(check.problems.map(\.message) == ["\"redcat\": unknown key; did you mean \"redact\"?"])
    }

    @Test func notesBodyThatCannotBeDecoded() throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"},
              "response": {"status": "200 OK", "headers": ["Content-Encoding: br"], "body": {"text": "x"}}}]}
            """
        ])
        let check = try SecretCheck(FixtureLoader.load([folder.path]))
        #expect(check.problems.isEmpty)
        #expect(check.notes.count == 1)
    }

    @Test func limitsProblemsPerFile() throws {
        let lines = (0..<300).map { "AKIAABCDEFGHIJKLM\(100 + $0)" }
        let folder = try TemporaryFolder(["x.get.txt": lines.joined(separator: "\n")])
        let check = try SecretCheck(FixtureLoader.load([folder.path]))
        #expect(check.problems.count == FixtureProblems.limitOfFile + 1)
        #expect(check.problems.last?.message == FixtureProblems.andMore)
        #expect(check.problems[41].location == FilePosition(line: 42, column: 1))
    }

    /// The secrets found in the folder: position, kind unless unknown, field, and first characters.
    private func check(_ folder: TemporaryFolder) throws -> [String] {
        let problems = try SecretCheck(FixtureLoader.load([folder.path])).problems
        return problems.map { describe($0, folder, "; replace it with [redacted], or allow it in reprise.yaml") }
    }

    /// The text in the folder that is noted because it looks like a secret.
    private func notes(_ folder: TemporaryFolder) throws -> [String] {
        let notes = try SecretCheck(FixtureLoader.load([folder.path])).notes
        return notes.map {
            describe($0, folder, "; if it is real, replace it with [redacted], or allow it in reprise.yaml")
        }
    }

    private func describe(_ problem: FixtureProblem, _ folder: TemporaryFolder, _ suffix: String) -> String {
        let prefix = "expected no secret, found "
        #expect(problem.message.hasPrefix(prefix) && problem.message.hasSuffix(suffix))
        let file = problem.file.dropFirst(folder.path.count + 1)
        let place = problem.location.map { "\($0.line):\($0.column)" } ?? "?"
        let found = problem.message.dropFirst(prefix.count).dropLast(suffix.count)
        return "\(file):\(place) \(found)".replacing("text that looks like one in ", with: "")
    }
}
