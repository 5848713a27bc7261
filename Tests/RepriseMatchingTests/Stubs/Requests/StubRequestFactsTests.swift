// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct StubRequestFactsTests {
    private func text(_ bytes: ArraySlice<UInt8>?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test(arguments: [
        ("/a?b=1", "/a?b=1"), ("/a?", "/a"), ("/a", "/a"), ("http://h.example?x", "/?x"),
        ("/%C3%A9?a=%zz", "/%C3%A9?a=%zz"),
    ])
    func rawURLIsPathAndQueryAsSent(url: String, expected: String) {
        #expect(text(facts("GET", url).rawURL) == expected)
    }

    @Test func queryIsDecodedAndKeepsRepeatedNames() {
        let facts = facts("GET", "/?a=1+2&a=%C3%A9&&b&c=1=2&a%20b=x")
        #expect(facts.query.values(named: Array("a".utf8)).map { text($0) } == ["1 2", "é"])
        #expect(facts.query.values(named: Array("b".utf8)).map { text($0) } == [""])
        #expect(facts.query.values(named: Array("c".utf8)).map { text($0) } == ["1=2"])
        #expect(facts.query.values(named: Array("a b".utf8)).map { text($0) } == ["x"])
    }

    @Test(arguments: [
        ("example.com", "example.com", 80), ("example.com:8080", "example.com", 8080), ("[::1]:81", "[::1]", 81),
    ])
    func hostAndPortComeFromHostField(field: String, host: String, port: Int) {
        let facts = facts("GET", "/", headers: ["Host: \(field)"])
        #expect(text(facts.host) == host)
        #expect(facts.port == port)
    }

    @Test func cookiesOfAllFieldsLoseTheirQuotationMarks() {
        let facts = facts(headers: [#"Cookie: a="b \"c\";d"; e=1"#, #"Cookie: a=2"#])
        #expect(facts.texts(of: .cookie("a")) == [#"b "c";d"#, "2"])
        #expect(facts.texts(of: .cookie("e")) == ["1"])
    }

    @Test func headerNamesIgnoreCaseAndCookieNamesDoNot() {
        let facts = facts(
            "GET",
            "/",
            headers: ["ACCEPT:  a ", "accept: b", "Cookie: s=\"1\"; t=2", "cookie: s=3; S=4"]
        )
        #expect(facts.headers.values(named: Array("accept".utf8)).map { text($0) } == ["a", "b"])
        #expect(facts.cookies.values(named: Array("s".utf8)).map { text($0) } == ["1", "3"])
        #expect(facts.cookies.values(named: Array("S".utf8)).map { text($0) } == ["4"])
    }

    @Test func formFieldsRequireFormContentType() {
        let type = "Content-Type: application/x-www-form-urlencoded; charset=utf-8"
        #expect(facts("POST", "/", headers: [type], body: "a=1+2").form.entries.map { text($0.value) } == ["1 2"])
        #expect(facts("POST", "/", body: "a=1").form.entries.isEmpty)
    }

    @Test func gzipIsDecodedAndOtherContentIsLeft() {
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xAB, 0x56, 0x4A, 0x54, 0xB2, 0x32, 0xAC, 0x05,
            0x00, 0xAF, 0xAC, 0x1B, 0x56, 0x07, 0x00, 0x00, 0x00,
        ]
        #expect(text(facts("POST", "/", headers: ["Content-Encoding: gzip"], bytes: gzip).content) == "{\"a\":1}")
        #expect(text(facts("POST", "/", bytes: gzip).content) == "{\"a\":1}")
        let broken = Array(gzip.prefix(12)) + [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(Array(facts("POST", "/", headers: ["Content-Encoding: gzip"], bytes: broken).content) == broken)
        #expect(text(facts("POST", "/", headers: ["Content-Encoding: gzip"], body: "x").content) == "x")
    }

    @Test func contentInLatin1IsReadAsText() {
        let facts = facts("POST", "/", headers: ["Content-Type: text/plain; charset=iso-8859-1"], bytes: [0xE9])
        #expect(text(facts.contentText) == "é")
        #expect(Array(facts.content) == [0xE9])
    }

    @Test func multipartContentIsSplitIntoParts() {
        let first = "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f.txt\"\r\n\r\none\r\n"
        let body = "pre\r\n" + first + "--b\r\n\r\n\r\n--b--\r\nx"
        let facts = facts("POST", "/", headers: ["Content-Type: multipart/form-data; boundary=b"], body: body)
        #expect(facts.parts.map { text($0.content) } == ["one", ""])
        #expect(facts.parts.first?.fileName == Array("f.txt".utf8))
    }

    @Test func invalidHeaderLineOfPartIsLeftOut() {
        let body = "--b\r\nnone\r\n \r\nContent-Disposition: form-data; filename=\"f.txt\"\r\n\r\none\r\n--b--"
        let facts = facts("POST", "/", headers: ["Content-Type: multipart/form-data; boundary=b"], body: body)
        #expect(facts.parts.map { text($0.content) } == ["one"])
        #expect(facts.parts.first?.fileName == Array("f.txt".utf8))
    }

    @Test(arguments: [
        (#"{"a":1} x"#, true), ("{'a':1}", true), (#"/*c*/{"a":1}"#, true), (#"{"a":1} // c"#, true),
        (#"{"a":1}]"#, true),
        ("{a:1}", false), (#"{"a":1,}"#, false), (#"{"a":1"#, false), ("x", false), ("// c", false), (" ", false),
        (#"{"a":01}"#, false),
    ])
    func jsonIsReadAsLenientlyAsStubs(body: String, isJSON: Bool) throws {
        let expected = JSONTree.object([JSONTree.Member("a", .number(JSONNumber(1)))])
        #expect(facts("POST", "/", body: body).json == (isJSON ? .some(expected) : .none))
        let matcher = ValueMatcher.equalToJSON(expected)
        #expect(try accepts(matcher, body: body) == isJSON)
        #expect(try accepts(matcher, body) == isJSON)
    }

    @Test func deepJSONIsNotJSON() {
        let body = String(repeating: "[", count: 100_000)
        #expect(facts("POST", "/", body: body).json == nil)
        #expect(facts("POST", "/", body: "{\"a\": 1}").json?["a"] == .number(JSONNumber(1)))
    }
}
