// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

/// Where redaction markers may occur, and what they match.
@Suite struct WildcardMatchingTests {
    @Test(arguments: [
        ("/a?token=[redacted]", ["/a?token=x", "/a?token=", "/a?token", "/a?token=%26%3D+"], ["/a", "/a?Token=x"]),
        ("/a?token=[redacted]", ["/a?token=[redacted]"], ["/a?token=x&token=y", "/a?token=x&b=1", "/b?token=x"]),
        ("/a?token=%5Bredacted%5D&b=1", ["/a?b=1&token=x", "/a?token=x&b=%31"], ["/a?token=x&b=2", "/a?b=1"]),
        ("/a?token=%5bredacted%3aalice%5d", ["/a?token=x"], ["/a?tokens=x"]),
        ("/a?k=1&k=[redacted]&k=2", ["/a?k=2&k=x&k=1", "/a?k=1&k=1&k=2"], ["/a?k=1&k=2", "/a?k=1&k=3&k=x"]),
        ("/a?k=[redacted]&k=[redacted]", ["/a?k=&k=z"], ["/a?k=1", "/a?k=1&k=2&k=3"]),
        ("/a?k=a[redacted]&k=ab[redacted]", ["/a?k=abx&k=a", "/a?k=ab&k=ab"], ["/a?k=a&k=ac", "/a?k=ab&k=b"]),
        ("/a?u=x:[redacted]@y", ["/a?u=x%3Apass%40y"], ["/a?u=x:pass@z", "/a?u=x@y"]),
        ("/a?[redacted]", ["/a?eyJhbGciOi", "/a?x=", "/a?[redacted]"], ["/a", "/a?x=1", "/a?x&y"]),
        ("/a/[redacted]/b", ["/a/x/b", "/a/%2F/b"], ["/a//b", "/a/x/y/b", "/a/x"]),
        ("/a/%5Bredacted%5D", ["/a/x", "/a/[redacted]", "/a/%5bredacted%5d"], ["/a/", "/a", "/a/x?b=1"]),
        ("/bot[redacted]/send", ["/bot12:ab/send"], ["/bo12:ab/send", "/bot12:ab/sent"]),
        ("/[redacted]?k=[redacted]", ["/x?k=y"], ["/x", "/?k=y"]),
    ])
    func matchesURLs(recorded: String, matching: [String], others: [String]) {
        expect(.recorded("GET", recorded), matching.map { .get($0) }, others.map { .get($0) })
    }

    @Test(arguments: [
        (
            #"{"user":"ann","password":"[redacted]"}"#,
            [
                #"{"password":"x","user":"ann"}"#, #"{"user":"ann","password":""}"#,
                #"{"user":"\u0061nn","password":"\""}"#,
            ],
            [
                #"{"user":"bob","password":"x"}"#, #"{"user":"ann","password":1}"#, #"{"user":"ann","password":null}"#,
                #"{"user":"ann"}"#, #"{"user":"ann","password":"x","a":1}"#, #"{"user":"ann","password":["x"]}"#,
                #""x""#, "x",
            ]
        ),
        (
            #"{"a":[{"b":{"c":"[redacted]"}},1,"[redacted]"],"c":"d"}"#,
            [#"{"a":[{"b":{"c":"x"}},1.0,"y"],"c":"d"}"#],
            [
                #"{"a":[{"b":{"c":"x"}},2,"y"],"c":"d"}"#, #"{"a":[{"b":{"c":"x"}},1],"c":"d"}"#,
                #"{"a":[1,{"b":{"c":"x"}},"y"],"c":"d"}"#, #"{"a":[{"b":{"c":"x"}},1,"y"],"c":"x"}"#,
                #"{"a":[{"b":"x"},1,"y"],"c":"d"}"#,
            ]
        ),
        (
            #"{"text":"token sk is [redacted] ok","n":1}"#,
            [#"{"text":"token sk is sk-12 ok","n":1}"#, #"{"text":"token sk is \n ok","n":10e-1}"#],
            [#"{"text":"token sk is sk-12","n":1}"#, #"{"text":"token sk is sk-12 ok","n":2}"#]
        ),
        (#"["[redacted]","[redacted:b]"]"#, [#"["x","y"]"#, #"["[redacted]","y"]"#], [#"["x"]"#, #"["x","y","z"]"#]),
        (#"{"p":"\u005Bredacted]"}"#, [#"{"p":"x"}"#], [#"{"p":1}"#]),
        (#"{"p":"%5Bredacted%5D"}"#, [#"{"p":"x"}"#], [#"{"p":1}"#]),
        // The last of duplicate members counts, on both sides.
        (#"{"p":"[redacted]","p":"x"}"#, [#"{"p":"x"}"#, #"{"p":"y","p":"x"}"#], [#"{"p":"y"}"#]),
        (#"{"p":"x","p":"[redacted]"}"#, [#"{"p":"y"}"#, #"{"p":1,"p":"x"}"#], [#"{"p":"x","p":1}"#]),
        // A marker in a name is not a mask.
        (#"{"[redacted]":1}"#, [#"{"[redacted]":1}"#], [#"{"x":1}"#]),
    ])
    func matchesJSON(recorded: String, matching: [String], others: [String]) {
        let type = "application/json"
        expect(
            .recorded("POST", "/x", headers: ["Content-Type: \(type)"], body: recorded),
            matching.map { .post("/x", $0, type: type) },
            (others + [""]).map { .post("/x", $0, type: type) }
        )
    }

    @Test(arguments: [
        (
            "a=1&password=[redacted]", ["password=x&a=1", "a=%31&password="],
            ["a=2&password=x", "a=1", "a=1&passwort=x"]
        ),
        ("a=1&password=%5Bredacted%5D", ["password=x&a=1"], ["a=1&password=x&password=x"]),
        ("note=key+[redacted]+ok", ["note=key+x%20y+ok", "note=key%20sk+ok"], ["note=key+x", "note="]),
    ])
    func matchesForms(recorded: String, matching: [String], others: [String]) {
        let type = "application/x-www-form-urlencoded"
        expect(
            .recorded("POST", "/x", headers: ["Content-Type: \(type)"], body: recorded),
            matching.map { .post("/x", $0, type: type) },
            (others + [""]).map { .post("/x", $0, type: type) }
        )
    }

    @Test func matchesMultipart() {
        let type = "multipart/form-data; boundary=b"
        func body(_ key: String, _ name: String = "f", extra: String = "", content: String = "same") -> String {
            let first = "--b\r\nContent-Disposition: form-data; name=key\r\n\(extra)\r\n\(key)\r\n"
            return "\(first)--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(content)\r\n--b--\r\n"
        }
        expect(
            .recorded("POST", "/x", headers: ["Content-Type: \(type)"], body: body("[redacted]", "[redacted]")),
            [body("x"), body(""), body("x\r\n--\r\ny", "other")].map { .post("/x", $0, type: type) },
            [
                body("x", content: "another"), body("x", extra: "X: y\r\n"), "x",
                body("x", "f\"\r\nX: \"y"),
                body("x").replacing("--b--", with: "--b\r\n\r\nmore\r\n--b--"),
                "--b\r\nContent-Disposition: form-data; name=key\r\n\r\nx\r\n--b--\r\n",
            ].map { .post("/x", $0, type: type) }
        )
    }

    @Test(arguments: [
        ("[redacted]", ["x", "\u{0}", #"{"a":1}"#], [""]),
        ("key: [redacted]\n", ["key: \n", "key: a\nb\n"], ["key: x", "Key: x\n"]),
        ("<a>[redacted]</a><b>%5Bredacted%5D</b>", ["<a>1</a><b>2</b>"], ["<a>1</a><c>2</c>", "<a>1</a><b>2</b> "]),
    ])
    func matchesOtherBodies(recorded: String, matching: [String], others: [String]) {
        expect(
            .recorded("POST", "/x", headers: ["Content-Type: text/plain"], body: recorded),
            matching.map { .post("/x", $0) },
            others.map { .post("/x", $0) }
        )
    }

    @Test(arguments: [
        (
            "Authorization: [redacted]", ["Authorization: Bearer x", "authorization: y"],
            ["Accept: z", "X: Authorization"]
        ),
        ("Authorization: Bearer [redacted]", ["Authorization: Bearer x"], ["Authorization: Basic x"]),
    ])
    func matchesConfiguredHeaders(recorded: String, matching: [String], others: [String]) {
        let options = MatchingOptions(headerNames: ["Authorization", "Accept-Language"])
        func request(_ line: String) -> OwnedRequest {
            OwnedRequest(method: "GET", url: "/x", headers: [HeaderLine(line)].compactMap { $0 })
        }
        expect(.recorded("GET", "/x", headers: [recorded]), matching.map(request), others.map(request), options)
    }

    /// Compares the requests with the pattern alone, and with an index that also contains other fixtures.
    private func expect(
        _ fixture: FixtureIndex.Entry,
        _ matching: [OwnedRequest],
        _ others: [OwnedRequest],
        _ options: MatchingOptions = MatchingOptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let bystanders: [FixtureIndex.Entry] = [
            .recorded("GET", "/other?z=[redacted]"), .recorded("DELETE", "/a/[redacted]/b"),
        ]
        let index = FixtureIndex(bystanders + [fixture], options: options)
        for (request, matches) in matching.map({ ($0, true) }) + others.map({ ($0, false) }) {
            let found = index.fixture(for: request)
            let text = String(decoding: request.head + request.content, as: UTF8.self)
            #expect(found == (matches ? 2 : nil), "\(text)", sourceLocation: sourceLocation)
            #expect(
                fixture.pattern.matches(request, options: options) == matches,
                "\(text)",
                sourceLocation: sourceLocation
            )
            let isEqual = fixture.pattern.verdicts(on: request, options: options).allSatisfy(\.isEqual)
            #expect(isEqual == matches, "\(text)", sourceLocation: sourceLocation)
        }
    }
}
