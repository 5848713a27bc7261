// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseFixtures

/// Files that are served but probably wrong.
@Suite struct AnswerCheckTests {
    private func problems(_ files: [String: String]) throws -> [String] {
        let folder = try TemporaryFolder(files)
        let set = try FixtureLoader.load([folder.path])
        return AnswerCheck.problems(set).map { problem in
            let place = problem.location.map { "\($0.line):\($0.column) " } ?? ""
            return place + problem.message.prefix { $0 != ":" && $0 != "," }
        }
    }

    private static func stub(_ headers: String, _ content: String) -> [String: String] {
        ["mappings/a.json": #"{"request": {"url": "/a"}, "response": {"headers": {\#(headers)}, \#(content)}}"#]
    }

    private static let coded = "expected content in the coding of Content-Encoding"
    private static let inCharset = "expected content in the charset of Content-Type"

    @Test(
        arguments: [
            (stub(#""Content-Encoding": "gzip""#, #""base64Body": "H4sI""#), []),
            (stub(#""Content-Encoding": "X-GZIP""#, #""base64Body": "AQID""#), [coded]),
            (stub(#""Content-Encoding": "gzip""#, #""base64Body": "H4oI""#), [coded]),
            (stub(#""Content-Encoding": "br""#, #""base64Body": "AQID""#), []),
            (stub(#""Content-Encoding": "br""#, #""base64Body": "/v8=""#), []),
            (stub(#""Content-Encoding": "br""#, #""body": """#), []),
            (stub(#""Content-Encoding": "deflate, gzip""#, #""body": "x""#), [coded]),
            (
                stub(
                    #""Content-Encoding": "{{request.query.c}}""#,
                    #""body": "x", "transformers": ["response-template"]"#
                ),
                []
            ),
            (stub(#""Content-Encoding": "br""#, #""body": "{{now}}", "transformers": ["response-template"]"#), [coded]),
            (stub(#""Content-Type": "text/plain; charset=latin1""#, #""body": "é""#), [inCharset]),
            (stub(#""Content-Type": "text/plain; charset=latin1""#, #""body": "e""#), []),
            (stub(#""Content-Type": "text/plain; charset=latin1""#, #""base64Body": "AcOp""#), []),
            (stub(#""Content-Type": "text/plain; charset=nonsense""#, #""body": "é""#), []),
            (stub(#""Content-Type": "text/plain; charset=utf-16""#, #""body": """#), []),
        ] as [([String: String], [String])]
    )
    func contentHasTheCodingOfItsHeader(files: [String: String], expected: [String]) throws {
        #expect(try problems(files).map { String($0.drop { $0 != " " }.dropFirst()) } == expected)
    }

    @Test(
        arguments: [
            (["a.get.json": "[1]"], []), (["a.get.json": ""], []), (["a.get.json": "[1\n,,]"], ["2:2 invalid JSON"]),
            (["a.get.json": "{", "a.get.json.headers": "Content-Type: application/problem+json\n"], []),
            (
                ["a.get.json": "{", "a.get.json.headers": "Content-Type: Application/JSON; charset=utf-8\n"],
                ["1:2 invalid JSON"]
            ),
            (["a.get.xml": "<a>\r\n<b></a>"], ["2:8 invalid XML"]), (["a.get.xml": "<!DOCTYPE a><a>"], []),
            (["a.get.sse": "data: 1\r\n\r\ndata: 2\r\n"], ["3:1 expected a blank line after the last event"]),
            (["a.get.sse": "data: 1\n\n: a comment\n"], []), (["a.get.sse": "data: 1\r\r"], []),
            (["a.get.sse": "\n\n"], []),
            (["a.get.sse": "data: 1\n\n:c\nid: 2"], ["3:1 expected a blank line after the last event"]),
            (["50%25.get.txt": "x"], ["1:1 expected a file name without percent-escapes"]), (["50%.get.txt": "x"], []),
            (["50%2g.get.txt": "x"], []), (["a?.get.txt": "x"], ["1:1 expected a name without '?'"]),
        ] as [([String: String], [String])]
    )
    func contentIsWhatItsNameSays(files: [String: String], expected: [String]) throws {
        #expect(try problems(files) == expected)
    }
}
