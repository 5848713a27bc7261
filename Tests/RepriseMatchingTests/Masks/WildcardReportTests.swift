// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

/// Reports on redacted fields: whether they match, but never the client's value.
@Suite struct WildcardReportTests {
    @Test(arguments: [
        (#"{"user":"ann"}"#, ["body./password: expected any text ([redacted]), found nothing"]),
        (#"{"user":"ann","password":41}"#, ["body./password: expected any text ([redacted]), found a number"]),
        (#"{"user":"ann","password":["hunter2"]}"#, ["body./password: expected any text ([redacted]), found an array"]),
        (#"{"user":"bob","password":"hunter2"}"#, [#"body./user: expected "ann", found "bob""#]),
        ("hunter2", [#"body: expected {"password":"[redacted]","user":"ann"}, found another body"#]),
        ("", [#"body: expected {"password":"[redacted]","user":"ann"}, found nothing"#]),
    ])
    func reportsJSONDifferences(body: String, differences: [String]) {
        let index = FixtureIndex([.recorded("POST", "/x", body: #"{"user":"ann","password":"[redacted]"}"#)])
        #expect(index.differences(for: .post("/x", body)) == [differences])
        #expect(!report(index, .post("/x", body)).contains("hunter2"))
    }

    @Test(arguments: [
        ("/a?page=1", ["query.key: expected any text ([redacted]), found nothing"]),
        ("/a?page=2&key=hunter2", ["query.page: expected 1, found 2"]),
        ("/a?page=1&key=x&key=hunter2", ["query.key: expected nothing, found a value"]),
        ("/a?page=1&key=hunter2&b=1", ["query.b: expected nothing, found 1"]),
        ("/a?key=hunter2", ["query.page: expected 1, found nothing"]),
    ])
    func reportsQueryDifferences(url: String, differences: [String]) {
        let index = FixtureIndex(recorded: ["GET /a?key=[redacted]&page=1"])
        #expect(index.differences(for: .get(url)) == [differences])
    }

    @Test func reportsDifferencesOfPartlyRedactedValues() {
        let index = FixtureIndex([
            .recorded("POST", "/x", body: #"{"to":"Bearer [redacted]"}"#), .recorded("GET", "/y?t=a-[redacted]"),
            .recorded("POST", "/z", headers: ["Content-Type: text/plain"], body: "key [redacted]"),
        ])
        #expect(
            index.differences(for: .post("/x", #"{"to":"Basic hunter2"}"#)).first == [
                #"body./to: expected text like "Bearer [redacted]", found another text"#
            ]
        )
        #expect(
            index.differences(for: .get("/y?t=b-hunter2")).first == [
                "query.t: expected text like a-[redacted], found a value"
            ]
        )
        #expect(
            index.differences(for: .post("/z", "hunter2")).first == [
                "body: expected text like key [redacted], found another body"
            ]
        )
    }

    @Test func reportsPathsWithoutSecrets() {
        let index = FixtureIndex(recorded: ["GET /users/[redacted]/posts", "GET /zzz"])
        let expected = ["path: expected /users/%5Bredacted%5D/posts, found /users/%5Bredacted%5D/post"]
        #expect(index.differences(for: .get("/users/hunter2/post")).first == expected)
    }

    @Test func reportsFormDifferences() {
        let form = ["Content-Type: application/x-www-form-urlencoded"]
        let index = FixtureIndex([.recorded("POST", "/x", headers: form, body: "a=1&password=[redacted]")])
        #expect(
            index.differences(for: .post("/x", "a=2&password=hunter2")) == [["body.a: expected 1, found 2"]]
        )
        #expect(
            index.differences(for: .post("/x", "a=1")) == [
                ["body.password: expected any text ([redacted]), found nothing"]
            ]
        )
    }

    @Test func reportsMultipartDifferences() {
        func body(_ key: String, _ other: String) -> String {
            let disposition = "Content-Disposition: form-data; name="
            return "--b\r\n\(disposition)key\r\n\r\n\(key)\r\n--b\r\n\(disposition)other\r\n\r\n\(other)\r\n--b--\r\n"
        }
        let type = "multipart/form-data; boundary=b"
        let fixture = FixtureIndex.Entry.recorded(
            "POST",
            "/x",
            headers: ["Content-Type: \(type)"],
            body: body("[redacted]", "one")
        )
        let index = FixtureIndex([fixture])
        #expect(
            index.differences(for: .post("/x", body("hunter2", "two"), type: type)) == [
                ["body.other: expected one, found two"]
            ]
        )
    }

    @Test func reportsHeaderDifferences() throws {
        let options = MatchingOptions(headerNames: ["Authorization"])
        let index = FixtureIndex(
            [.recorded("GET", "/x", headers: ["Authorization: Bearer [redacted]"])],
            options: options
        )
        let line = try #require(HeaderLine("Authorization: Basic hunter2"))
        let expected = "header.Authorization: expected text like Bearer [redacted], found another text"
        #expect(index.differences(for: OwnedRequest(method: "GET", url: "/x", headers: [line])) == [[expected]])
        #expect(
            index.differences(for: .get("/x")) == [
                ["header.Authorization: expected text like Bearer [redacted], found nothing"]
            ]
        )
    }

    @Test func explainsPrecedenceWithoutSecrets() {
        let redacted: [FixtureIndex.Entry] = [
            .recorded("POST", "/x?k=[redacted]", body: #"{"p":"[redacted]"}"#, file: "a"),
            .recorded("POST", "/x?k=[redacted]", body: #"{"p":"[redacted:bob]"}"#, file: "b"),
            .recorded("POST", "/[redacted]?k=[redacted]", body: #"{"p":"[redacted]"}"#, file: "c"),
        ]
        let text = Explanation(FixtureIndex(redacted), .post("/x?k=2", #"{"p":"hunter3"}"#)).text()
        #expect(text.contains("Answered by a."))
        #expect(text.contains("= query: k=[redacted]"))
        #expect(text.contains(#"= body: {"p":"[redacted]"}"#))
        #expect(text.contains("hidden behind a: its redacted fields also match, and it is earlier"))
        #expect(text.contains("hidden behind a: a path without redacted segments takes precedence"))
        #expect(!text.contains("hunter3"))
        let equal = FixtureIndex.Entry.recorded("POST", "/x?k=1", body: #"{"p":"hunter2"}"#, file: "d")
        let exact = Explanation(FixtureIndex(redacted + [equal]), .post("/x?k=1", #"{"p":"hunter2"}"#)).text()
        #expect(exact.contains("hidden behind d: it has the request's values where this one is redacted"))
    }

    private func report(_ index: FixtureIndex, _ request: OwnedRequest) -> String {
        let report = MissReport(index, request)
        return String(decoding: report.text() + report.problem(), as: UTF8.self)
    }
}
