// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseAnswers
@testable import RepriseCassettes
@testable import RepriseDocuments
@testable import RepriseFixtures
@testable import RepriseText

/// What HAR files of various tools keep in another form, or do not keep.
@Suite struct HARLossTests {
    private func read(request: String = "", response: String, more: String = "") throws -> HARReader.Result {
        let text =
            #"{"log": {"entries": [{"request": {"method": "POST", "url": "https://h/"\#(request)}, "#
            + #""response": {\#(response)}\#(more)}]}}"#
        return try HARReader.read(Array(text.utf8), file: "a.har")
    }

    private func response(_ result: HARReader.Result) throws -> RecordedResponse {
        guard case .response(let response)? = result.exchanges.first?.outcome else {
            throw JSONError(offset: 0, message: "left out: \(result.notes)")
        }
        return response
    }

    private func body(_ response: RecordedResponse) -> [UInt8] {
        guard case .body(let body) = response.content, case .bytes(let bytes) = body.source else { return [] }
        return bytes
    }

    // MARK: Left out

    /// The response of an entry, further members of the entry, and why it is left out.
    @Test(arguments: [
        (#""status": 200, "content": {"size": -1, "mimeType": "x-unknown"}"#, "", "does not contain its body"),
        (#""status": -1, "_failureText": "net::ERR_FAILED""#, "", "it failed (net::ERR_FAILED)"),
        (#""status": 200, "content": {"text": "a"}, "_error": "net::ERR_ABORTED""#, "", "it failed (net::ERR_ABORTED)"),
        (#""status": 0, "_error": "net::ERR_ABORTED""#, "", "it failed (net::ERR_ABORTED)"),
        (#""status": 200, "_error": {"code": 1}"#, "", #"it failed ({"code": 1})"#),
        (#""status": 200, "content": {"text": "a"}"#, #", "_wasAborted": true"#, "it failed (true)"),
        (#""status": 204"#, #", "_error": "timeout""#, "it failed (timeout)"),
        (#""status": 200, "content": {"size": 12}"#, "", "does not contain the body of 12 bytes"),
        (#""status": 200, "content": {"size": 1}"#, "", "does not contain the body of 1 bytes"),
        (#""status": 404, "content": {"size": 12, "text": ""}"#, "", "does not contain the body of 12 bytes"),
        (#""status": 200, "bodySize": 12, "content": {}"#, "", "does not contain the body of 12 bytes"),
        (
            #""status": 200, "headers": [{"name": "content-length", "value": "12"}], "content": {"size": 0}"#, "",
            "does not contain the body of 12 bytes"
        ),
        (#""status": 200, "content": {"text": "ab", "encoding": "rot13"}"#, "", #"the encoding "rot13" of its body"#),
        (#""status": 200, "content": {"text": "abc", "encoding": "hex"}"#, "", "its body is not hex"),
        (#""status": 200, "content": {"text": {"a": 1}}"#, "", "its body is an object instead of a string"),
        (#""status": 200, "content": {"text": "ab", "_truncated": true}"#, "", "its body is truncated"),
        (
            #""status": 200, "content": {"text": "{\"a\": [1,", "size": 500, "mimeType": "application/json"}"#, "",
            "contains 9 of the 500 bytes"
        ),
        (#""status": 200, "content": {"text": "[binary]", "size": 500, "mimeType": "image/png"}"#, "", "binary"),
        (#""status": 200, "content": {"text": "\ufffdPNG", "mimeType": "image/png"}"#, "", "binary"),
    ])
    func leavesOutWhatItCannotPlay(response: String, more: String, reason: String) throws {
        let result = try read(response: response, more: more)
        #expect(result.exchanges.isEmpty)
        #expect(result.notes.count == 1)
        #expect(result.notes.first?.message.hasPrefix("left out POST https://h/: ") == true)
        #expect(result.notes.first?.message.contains(reason) == true, "\(result.notes)")
    }

    @Test(arguments: [
        #""status": 200, "_error": null, "content": {"text": "a"}"#,
        #""status": 200, "_failureText": "", "content": {"text": "a"}"#,
        #""status": 200, "content": {"text": "a"}}, "_wasAborted": false, "x": {"a": 1"#,
        #""status": 200, "content": {"text": "", "size": 0}"#, #""status": 200, "content": {"text": "", "size": -1}"#,
        #""status": 301, "content": {"size": -1}"#,
        // A compressed body without content has a length.
        #""status": 200, "headers": [{"name": "Content-Encoding", "value": "gzip"}, {"name": "Content-Length", "#
            + #""value": "20"}], "content": {"size": 0, "text": ""}"#,
        #""status": 304, "content": {"size": 500}"#,
    ])
    func playsWhatIsComplete(response: String) throws {
        let result = try read(response: response)
        #expect(result.exchanges.count == 1)
        #expect(result.notes.isEmpty, "\(result.notes)")
    }

    @Test func redirectIsPlayedWithoutItsBody() throws {
        let result = try read(
            response: #""status": 302, "content": {"size": 154}, "redirectURL": "https://h/next""#
        )
        let response = try response(result)
        #expect(response.headers.firstValue(named: "Location") == "https://h/next")
        #expect(
            result.notes.map(\.message) == [
                "the HAR file does not contain the body of 154 bytes; an empty body is replayed"
            ]
        )
    }

    @Test func interruptedStreamIsPlayed() throws {
        let result = try read(
            response: #""status": 200, "content": {"mimeType": "text/event-stream", "text": "data: 1\n\n"}, "#
                + #""_error": "net::ERR_ABORTED""#
        )
        #expect(result.exchanges.count == 1)
        #expect(result.notes.map(\.message) == ["plays what arrived of a stream: it failed (net::ERR_ABORTED)"])
    }

    /// A text that is shorter than its size, and its type. Some tools count other bytes.
    @Test(arguments: [("ab", "text/html"), ("[1]", "application/json"), (")]}'[1]", "application/json")])
    func notesTextThatMayBeTruncated(text: String, type: String) throws {
        let result = try read(
            response: #""status": 200, "content": {"text": "\#(text)", "size": 500, "mimeType": "\#(type)"}"#
        )
        #expect(body(try response(result)) == Array(text.utf8))
        let note = "the HAR file contains \(text.utf8.count) of the 500 bytes of its body"
        #expect(result.notes.map(\.message) == [note])
    }

    // MARK: Encodings

    @Test(
        arguments: [
            (#""encoding": "hex", "text": "00fF\n 41""#, [0x00, 0xFF, 0x41]),
            (#""encoding": "HEX", "text": """#, []),
            (#""encoding": "base64", "text": "-_8""#, [0xFB, 0xFF]),
            (#""encoding": "base64", "text": "[\"AP8=\", \"QQ==\"]""#, [0x00, 0xFF, 0x41]),
            (#""encoding": "hex", "text": "[\"00\",\"ff\"]""#, [0x00, 0xFF]),
            (#""encoding": "utf-8", "text": "[1]""#, Array("[1]".utf8)),
        ] as [(String, [UInt8])]
    )
    func decodesContent(content: String, bytes: [UInt8]) throws {
        let result = try read(response: #""status": 200, "content": {\#(content)}"#)
        #expect(body(try response(result)) == bytes)
        #expect(result.notes.isEmpty)
    }

    /// A Content-Encoding line, the body in Base64, its type, and whether the line stays.
    @Test(
        arguments: [
            ("gzip", [0x1F, 0x8B, 8, 0], "text/html", true), ("gzip", Array("plain".utf8), "text/html", false),
            ("zstd", [0x28, 0xB5, 0x2F, 0xFD], "application/json", true), ("br", [0x0B, 0x02, 0x80], "text/css", true),
            ("br", Array("plain".utf8), "text/css", false), ("br", [0x00, 0x02], "image/png", false),
        ] as [(String, [UInt8], String, Bool)]
    )
    func keepsCodingOfContentThatIsStillCoded(coding: String, bytes: [UInt8], type: String, isKept: Bool) throws {
        let result = try read(
            response: #""status": 200, "headers": [{"name": "Content-Encoding", "value": "\#(coding)"}], "content": "#
                + #"{"mimeType": "\#(type)", "encoding": "base64", "text": "\#(Base64.text(bytes))"}"#
        )
        let response = try response(result)
        #expect(body(response) == bytes)
        #expect(response.headers.firstValue(named: "Content-Encoding") == (isKept ? coding : nil))
    }

    // MARK: Charsets

    /// A Content-Type, the text, its size, the bytes, and the Content-Type that is sent.
    @Test(
        arguments: [
            ("text/html; charset=windows-1251", "Привет", 6, [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], ""),
            ("text/html; charset=CP1251", "Привет", -1, [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], ""),
            ("text/plain;charset=\"KOI8-R\"", "да", 2, [0xC4, 0xC1], ""),
            ("text/html; charset=GBK", "你好", 4, [0xC4, 0xE3, 0xBA, 0xC3], ""),
            ("text/html; charset=gb2312", "你好", 4, [0xC4, 0xE3, 0xBA, 0xC3], ""),
            ("text/html; charset=Shift_JIS", "表①", 4, [0x95, 0x5C, 0x87, 0x40], ""),
            ("text/html; charset=big5", "你", 2, [0xA7, 0x41], ""),
            ("text/html; charset=euc-kr", "안", 2, [0xBE, 0xC8], ""),
            ("text/html; charset=iso-8859-2", "ż", 1, [0xBF], ""),
            ("text/plain; charset=utf-16le", "aé", 4, [0x61, 0, 0xE9, 0], ""),
            ("text/plain; charset=UTF-16BE", "a", 2, [0, 0x61], ""),
            ("text/plain; charset=utf-16", "a", 4, [0xFF, 0xFE, 0x61, 0], ""),
            ("text/plain; charset=utf-16", "\u{FEFF}a", 4, [0xFF, 0xFE, 0x61, 0], ""),
            ("text/html; charset=windows-1251", "plain", 5, Array("plain".utf8), ""),
            ("text/html; charset=utf8mb4", "é", 1, Array("é".utf8), ""),
            // The document names its charset.
            (
                "text/html", "<meta charset='windows-1251'>да", 31,
                Array("<meta charset='windows-1251'>".utf8) + [0xE4, 0xE0], ""
            ),
            (
                "text/xml", "<?xml version='1.0' encoding='koi8-r'?>да", -1,
                Array("<?xml version='1.0' encoding='koi8-r'?>".utf8) + [0xC4, 0xC1], ""
            ),
            ("text/html", "<meta charset=utf-8>да", -1, Array("<meta charset=utf-8>да".utf8), ""),
            ("text/html", "<meta charset=utf-16>да", -1, Array("<meta charset=utf-16>да".utf8), ""),
            // The text has characters that the charset does not have, or it is unknown, or the size is that of UTF-8.
            ("text/html; charset=windows-1251; a=b", "да😀", 3, Array("да😀".utf8), "text/html; a=b; charset=utf-8"),
            ("text/html; charset=euc-jp", "日", 2, Array("日".utf8), "text/html; charset=utf-8"),
            ("text/html; charset=x-unknown", "日", 3, Array("日".utf8), ""),
            ("text/html; charset=koi8-r", "да", 4, Array("да".utf8), "text/html; charset=utf-8"),
            (
                "text/html", "<meta charset=big5>да😀", 9, Array("<meta charset=big5>да😀".utf8),
                "text/html; charset=utf-8"
            ),
        ] as [(String, String, Int, [UInt8], String)]
    )
    func restoresCharset(type: String, text: String, size: Int, bytes: [UInt8], sent: String) throws {
        let quoted = type.replacing("\"", with: "\\\"")
        let result = try read(
            response: #""status": 200, "headers": [{"name": "Content-Type", "value": "\#(quoted)"}], "#
                + #""content": {"text": "\#(text)", "size": \#(size)}"#
        )
        let response = try response(result)
        #expect(body(response) == bytes)
        #expect(response.headers.firstValue(named: "Content-Type") == (sent.isEmpty ? type : sent))
        #expect(result.notes.count == (sent.isEmpty ? 0 : 1))
    }

    // MARK: Requests and header lines

    @Test func jsonOfWhichOnlyFieldsAreKnownIsNotCompared() throws {
        let result = try read(
            request: #", "postData": {"mimeType": "application/json", "params": [{"name": "a", "value": "1"}]}"#,
            response: #""status": 204"#
        )
        let request = try #require(result.exchanges.first?.request)
        #expect(request.body == nil && !request.comparesBody)
        #expect(result.notes.first?.message.hasPrefix("the body of this request is not compared: ") == true)
    }

    @Test func requestBodyInUnknownEncodingIsNotCompared() throws {
        let result = try read(
            request: #", "postData": {"mimeType": "text/plain", "text": "a", "encoding": "x"}"#,
            response: #""status": 204"#
        )
        #expect(result.exchanges.first?.request.comparesBody == false)
        #expect(result.notes.count == 1)
    }

    @Test func headerValueThatIsAListBecomesOneLineEach() throws {
        let result = try read(
            response: #""status": 204, "headers": [{"name": "Set-Cookie", "value": ["a=1", "b=2", null, 3]}]"#
        )
        #expect(
            try response(result).headers.map { String(decoding: $0.valueBytes, as: UTF8.self) } == ["a=1", "b=2", "3"]
        )
    }

    @Test(arguments: [("get", "GET"), ("Post", "POST"), ("patch", "patch"), ("PURGE", "PURGE")])
    func methodIsSpelledAsItWasSent(method: String, sent: String) throws {
        let text =
            #"{"log": {"entries": [{"request": {"method": "\#(method)", "url": "https://h/"}, "#
            + #""response": {"status": 204}}]}}"#
        #expect(try HARReader.read(Array(text.utf8), file: "a").exchanges.first?.request.method == sent)
    }

    // MARK: Files

    private static func har(_ content: String) -> String {
        #"{"log": {"entries": [{"request": {"method": "GET", "url": "https://h/"}, "#
            + #""response": {"status": 200, "content": {"mimeType": "text/html", \#(content)}}}]}}"#
    }

    private func bodies(_ set: FixtureSet) -> [[UInt8]] {
        set.fixtures.map { fixture in
            fixture.plan.steps.reduce(into: []) { bytes, step in
                if case .bytes(.bytes(let piece)) = step { bytes = piece }
            }
        }
    }

    @Test func readsBodyFilesBesideTheFile() throws {
        let folder = try TemporaryFolder([
            "a.har": Self.har(#""_file": "c0ffee.html", "size": 5"#), "c0ffee.html": "hello",
            "sub/b.har": Self.har(#""_sha1": "resources/1.html""#), "sub/resources/1.html": "<p>",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(bodies(set) == [Array("hello".utf8), Array("<p>".utf8)])
        #expect(set.notes.isEmpty)
        #expect(bodies(try FixtureLoader.load(["\(folder.path)/a.har"])) == [Array("hello".utf8)])
    }

    /// The name of a body file, and why it is not read.
    @Test(arguments: [
        ("missing.html", "does not exist"), ("../secret.txt", "leads out"), ("link", "link"), ("sub/../x", "leads out"),
        ("folder", "cannot be read"), ("", "leads out"),
    ])
    func bodyFileNeverLeadsOutOfTheFolder(name: String, reason: String) throws {
        let folder = try TemporaryFolder([
            "har/a.har": Self.har(#""_file": "\#(name)""#), "secret.txt": "secret", "har/folder/x": "",
            "har/ok.get": "",
        ])
        try folder.link("har/link", to: "../secret.txt")
        let set = try FixtureLoader.load(["\(folder.path)/har"])
        #expect(set.fixtures.count == 1)
        let message = try #require(set.notes.first { $0.file.hasSuffix("a.har") }?.message)
        #expect(message.hasPrefix("left out GET https://h/: its body file '\(name)' "))
        #expect(message.contains(reason), "\(message)")
    }

    @Test func absolutePathIsNotABodyFile() throws {
        let folder = try TemporaryFolder(["secret.txt": "secret", "har/ok.get": ""])
        try folder.write(Array(Self.har(#""_file": "\#(folder.path)/secret.txt""#).utf8), to: "har/a.har")
        let set = try FixtureLoader.load(["\(folder.path)/har"])
        #expect(set.fixtures.count == 1 && set.notes.first?.message.contains("leads out") == true)
    }

    @Test(arguments: ["shop.har.zip", "har.zip", "shop.zip"])
    func readsArchiveWithBodies(name: String) throws {
        let folder = try TemporaryFolder()
        let zip = ZipText([
            ("c0ffee.html", Array("hello".utf8), .deflated),
            ("har.har", Array(Self.har(#""_file": "c0ffee.html""#).utf8), .stored),
        ])
        try folder.write(zip.bytes, to: name)
        #expect(bodies(try FixtureLoader.load(["\(folder.path)/\(name)"])) == [Array("hello".utf8)])
        let problem = "it is a ZIP archive; if it contains a HAR file, rename it to end in .har.zip"
        if name == "shop.zip" {
            try folder.write([], to: "a.get")
            let set = try FixtureLoader.load([folder.path])
            #expect(set.fixtures.count == 1 && set.notes.first?.message.hasSuffix(problem) == true)
        } else {
            #expect(bodies(try FixtureLoader.load([folder.path])) == [Array("hello".utf8)])
            #expect(SecretCheck(try FixtureLoader.load([folder.path])).problems.isEmpty)
        }
    }

    /// What is served is checked, whatever name it has.
    @Test(arguments: ["shop.har.zip", "shop.zip"])
    func checkSearchesArchiveForSecrets(name: String) throws {
        let folder = try TemporaryFolder()
        let har = Self.har(#""text": "{\"access_token\": \"s3cr3tvalue0123456789\"}""#)
        try folder.write(ZipText([("har.har", Array(har.utf8), .stored)]).bytes, to: name)
        let problems = SecretCheck(try FixtureLoader.load(["\(folder.path)/\(name)"])).problems
        #expect(problems.count == 1)
    }

    @Test(arguments: [#"{"b": ["c"]}"#, "[1, [2]]", "null", "5", #""a""#])
    func repeatedBodyCostsNoOtherEntry(second: String) throws {
        let other = #"{"request": {"method": "GET", "url": "https://h/b"}, "response": {"status": 204"#
        let response = #""status": 200, "content": {"text": "a", "text": \#(second)}"#
        let result = try read(response: response, more: "}, \(other)}")
        #expect(result.exchanges.map(\.request.url) == ["https://h/", "https://h/b"])
        #expect(result.notes.isEmpty)
    }

    @Test func readsFileInUTF16() throws {
        let folder = try TemporaryFolder()
        for (name, encoding) in [("a.har", String.Encoding.utf16LittleEndian), ("b.har", .utf16BigEndian)] {
            let text = "\u{FEFF}" + Self.har(#""text": "é""#)
            try folder.write(Array(try #require(text.data(using: encoding))), to: name)
        }
        #expect(bodies(try FixtureLoader.load([folder.path])) == [Array("é".utf8), Array("é".utf8)])
    }
}
