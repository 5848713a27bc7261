// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct DecodedRequestTests {
    private func text(_ bytes: ArraySlice<UInt8>?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test(arguments: [
        ("/a?b=1", "/a?b=1"), ("/a?", "/a"), ("/a", "/a"), ("http://h.example?x", "/?x"),
        ("/%C3%A9?a=%zz", "/%C3%A9?a=%zz"),
    ])
    func rawURLIsPathAndQueryAsSent(url: String, expected: String) {
        #expect(text(facts("GET", url).rawURL) == expected)
    }

    /// The parts of a request can be anywhere in its head.
    @Test func rawURLHasItsPartsInOrder() {
        let head = Array("b=1 GET /a".utf8)
        var ranges = RequestView.Ranges(method: 4..<7, path: 8..<10)
        ranges.query = 0..<3
        let facts = DecodedRequest(OwnedRequest(head: head, ranges: ranges))
        #expect(text(facts.rawURL) == "/a?b=1")
        #expect(text(facts.path) == "/a")
        #expect(facts.values(of: .query("b")).map { text($0) } == ["1"])
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

    /// A port that is not a number is that of the scheme. Without a host, it is that of the server.
    @Test(
        arguments: [
            ("https", "h.test", "h.test", 443), ("http", "h.test:", "h.test", 80),
            ("https", "h.test:99999999999999999999", "h.test", 443),
            ("https", "h.test:x", "h.test:x", 443),
            ("https", "[::1]", "[::1]", 443), ("http", nil, nil, 8080), ("http", "", nil, 8080),
        ] as [(String, String?, String?, Int?)]
    )
    func portIsThatOfHostOrScheme(scheme: String, field: String?, host: String?, port: Int?) {
        let lines = field.map { [HeaderLine(name: "Host", value: $0)] } ?? []
        let request = OwnedRequest(method: "GET", url: "/", headers: lines)
        let facts = DecodedRequest(request, scheme: scheme, localPort: 8080)
        #expect(text(facts.host) == host)
        #expect(facts.port == port)
    }

    @Test func namesOfFieldsIgnoreTheCaseOfAllLetters() {
        let facts = facts(headers: ["X-ABCDEFGHIJKLMNOPQRSTUVWXYZ_09~: 1", "X-^: 2"])
        #expect(facts.values(of: .header("x-abcdefghijklmnopqrstuvwxyz_09~")).map { text($0) } == ["1"])
        #expect(facts.values(of: .header("x-~")).isEmpty)
        #expect(facts.values(of: .header("x-^")).map { text($0) } == ["2"])
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

    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xAB, 0x56, 0x4A, 0x54, 0xB2, 0x32, 0xAC, 0x05,
        0x00, 0xAF, 0xAC, 0x1B, 0x56, 0x07, 0x00, 0x00, 0x00,
    ]
    /// The same in deflate.
    private static let twice: [UInt8] = [
        0x78, 0xDA, 0x93, 0xEF, 0xE6, 0x60, 0x00, 0x01, 0xA6, 0xFF, 0xAB, 0xC3, 0xBC, 0x42, 0x36, 0x19, 0xAD, 0x61,
        0x65, 0x58, 0xBF, 0x46, 0x3A, 0x8C, 0x1D, 0x28, 0x04, 0x00, 0x5D, 0x93, 0x06, 0xBB,
    ]

    /// Recorders keep content without its codings, in the order in which they were applied.
    @Test(
        arguments: [
            (["Content-Encoding: gzip"], gzip, 27, true, true), (["Content-Encoding: GZIP"], gzip, 27, true, true),
            (["Content-Encoding: gzip"], gzip, 26, true, false), (["Content-Encoding: gzip"], gzip, 27, false, false),
            (["Content-Encoding: gzip, deflate"], twice, 100, true, true),
            (["Content-Encoding: gzip", "content-encoding: deflate"], twice, 100, true, true),
            (["Content-Encoding: deflate, gzip"], twice, 100, true, false), ([], gzip, 100, true, false),
            (["Content-Encoding: br"], gzip, 100, true, false), (["Content-Encoding: gzip"], [], 100, true, false),
            (["Content-Encoding: gzip"], Array(gzip.dropLast(9)), 100, true, false),
        ] as [([String], [UInt8], Int, Bool, Bool)]
    )
    func codingsAreRemovedFromLastToFirst(
        headers: [String],
        content: [UInt8],
        limit: Int,
        isComplete: Bool,
        isDecoded: Bool
    ) {
        let lines = headers.compactMap { HeaderLine($0) }
        var request = OwnedRequest(method: "POST", url: "/", headers: lines, body: content)
        request.isContentComplete = isComplete
        let decoded = DecodedContent.decoded(request.view, limit: limit)
        #expect(decoded == (isDecoded ? Array("{\"a\":1}".utf8) : nil))
    }

    @Test(
        arguments: [
            ("text/plain; charset=utf-8", [0xC3, 0xA9], "é"), ("text/plain; charset=Windows-1252", [0x80], "€"),
            ("text/plain; charset=nonsense", [0x61], "a"), ("text/plain", [0x61], "a"),
            ("text/plain; charset=iso-8859-1", [], ""),
        ] as [(String, [UInt8], String)]
    )
    func contentIsReadInItsCharset(type: String, bytes: [UInt8], expected: String) {
        #expect(text(facts("POST", "/", headers: ["Content-Type: \(type)"], bytes: bytes).contentText) == expected)
    }

    @Test func partsAfterTenThousandAreIgnored() {
        let body = String(repeating: "--b\r\n\r\nx\r\n", count: 10_001) + "--b--"
        let facts = facts("POST", "/", headers: ["Content-Type: multipart/form-data; boundary=b"], body: body)
        #expect(facts.parts.count == 10_000)
    }

    @Test(arguments: ["multipart/form-data", "multipart/form-data; boundary=\"\"", "text/plain; boundary=b"])
    func contentWithoutBoundaryHasNoParts(type: String) {
        let facts = facts("POST", "/", headers: ["Content-Type: \(type)"], body: "--b\r\n\r\nx\r\n--b--")
        #expect(facts.parts.isEmpty)
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
