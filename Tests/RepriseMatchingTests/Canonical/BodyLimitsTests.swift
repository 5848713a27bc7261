// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct BodyLimitsTests {
    private static let form = ["Content-Type: application/x-www-form-urlencoded"]
    private static let parts = ["Content-Type: multipart/form-data; boundary=b"]

    @Test(arguments: [
        ("Content-Type: application/json", "{" + String(repeating: " ", count: 1_150_000) + "\"a\": 1.0}"),
        (form[0], "a=1" + String(repeating: "&", count: 1_150_000)),
        (form[0], (0..<20_000).map { "a\($0)" }.joined(separator: "&")),
        (parts[0], "--b\r\n\r\none\r\n--b--" + String(repeating: "-", count: 1_150_000)),
        (
            parts[0],
            "--b\r\n" + (0..<20_000).map { "\($0):\r\n" }.joined() + "\r\none\r\n--b--\r\n"
        ),
        (parts[0], (0..<20_000).map { "--b\r\n\r\n\($0)\r\n" }.joined() + "--b--\r\n"),
    ])
    func matchesRecordedBodyBeyondLimits(header: String, body: String) {
        let index = FixtureIndex([.recorded("POST", "/x", headers: [header], body: body)])
        let request = OwnedRequest(
            method: "POST",
            url: "/x",
            headers: [header].compactMap { HeaderLine($0) },
            body: Array(body.utf8)
        )
        #expect(index.fixture(for: request) == 0)
    }

    @Test func doesNotParseFormsOfManyPairs() {
        let index = FixtureIndex([.recorded("POST", "/x", headers: Self.form, body: "a=1")])
        let body = "a=1" + String(repeating: "&b", count: 20_000)
        #expect(index.differences(for: .post("/x", body)) == [["body: expected a=1, found \(body.prefix(120))…"]])
        #expect(
            index.differences(for: .post("/x", "a=1&b")) == [["body.b: expected nothing, found \"\""]]
        )
    }

    @Test func doesNotParseLargeForms() {
        let index = FixtureIndex([.recorded("POST", "/x", headers: Self.form, body: "a=1")])
        let body = "a=" + String(repeating: "1", count: 1 << 20)
        #expect(index.differences(for: .post("/x", body)) == [["body: expected a=1, found \(body.prefix(120))…"]])
    }

    @Test func doesNotParsePartsWithManyHeaderLines() {
        let part = "Content-Disposition: form-data; name=\"file\"\r\n\r\none"
        let index = FixtureIndex([
            .recorded("POST", "/x", headers: Self.parts, body: "--b\r\n\(part)\r\n--b--\r\n")
        ])
        let lines = String(repeating: "a:\r\n", count: 20_000)
        let found = index.differences(for: .post("/x", "--b\r\n\(lines)\(part)\r\n--b--\r\n")).joined()
        #expect(found.first?.hasPrefix("body: expected multipart of 1 part, found --b\\r\\na:") ?? false)
    }

    @Test func pairsValuesOfSameName() {
        let index = FixtureIndex([.recorded("POST", "/x", headers: Self.form, body: "b=1&a=2&a=1")])
        #expect(
            index.differences(for: .post("/x", "a=4&a=2&a=3")) == [
                [
                    "body.a: expected 1, found 3", "body.a: expected nothing, found 4",
                    "body.b: expected 1, found nothing",
                ]
            ]
        )
    }

    @Test func reportsFirstDifferencesOfMany() {
        let index = FixtureIndex([.recorded("POST", "/x", headers: Self.form, body: "a=1")])
        let body = (0..<5000).map { "a=\($0 + 10)" }.joined(separator: "&")
        let found = index.differences(for: .post("/x", body)).joined()
        #expect(found.count == 5)
        #expect(found.first == "body.a: expected 1, found 10")
    }

    @Test func reportsDifferenceAfterLongValue() {
        let long = "a=" + String(repeating: "-", count: 600_000)
        let index = FixtureIndex([.recorded("POST", "/x", headers: Self.form, body: long + "&b=1")])
        #expect(
            index.differences(for: .post("/x", long + "&b=2")) == [
                ["body: expected …---------&b=1, found …---------&b=2"]
            ]
        )
    }
}
