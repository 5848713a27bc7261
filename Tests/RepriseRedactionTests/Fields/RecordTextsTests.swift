// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct RecordTextsTests {
    /// Text that could become a secret but never does is rescanned when its size has doubled, not after every part.
    @Test(arguments: ["e", "eyJ", "eyJabcdefghijk", "sk-", "a.", "-----BEGIN PRIVATE KEY"])
    func rescansSmallPartsRarely(_ part: String) {
        var texts = RecordTexts()
        var cuts: [Cut] = []
        let bytes = Array(part.utf8)[...]
        let count = 20_000
        for number in 0..<count {
            let start = number * bytes.count
            let text = JSONStringValue(path: JSONPathTracker.Path(), range: start..<start + bytes.count)
            texts.take(text, of: bytes.span, from: start, patterns: .standard, names: .standard, cuts: &cuts)
        }
        #expect(texts.repeatedCount <= 600 * count)
    }

    @Test func findsFieldOfObjectInParts() throws {
        let parts = [
            "", #"{\"user"#, #"\": \"app\", \"pass"#, #"word\": \""#, "Come", "t.anc", #"hor\\\"47"#, #"\", \"note"#,
            #"\": \"Comet"#, #"\"}"#, "Comet",
        ]
        let body = parts.map { "data: {\"d\":{\"partial_json\":\"\($0)\"}}\n\n" }.joined()
        let output = try BodyRedactions.redact(body, type: "text/event-stream").text
        for secret in ["Come\"", "t.anc", "hor", "47"] { #expect(!output.contains(secret), "kept \(secret)") }
        for text in [#"{\"user"#, "app", "pass", #"\", \"note"#, #"\": \"Comet"#, "\"Comet\""] {
            #expect(output.contains(text), "lost \(text)")
        }
        #expect(try BodyRedactions.redact(output, type: "text/event-stream").text == output)
    }

    @Test(arguments: [
        ["{", "\\n  \\\"name", "\\\": \\\"pass", "word", "\\\"\\n}"],
        ["{ if (password) return ", "x", "; }"],
        [#"{\"pass"#, #"word\": {\"type\": \"str"#, #"ing\"}}"#],
        [#"{\"pass"#, #"word\": \"This field is requ"#, #"ired\"}"#],
        [#"{\"pass"#, #"word\": "#, "true", "}"],
        [#"{\"max_to"#, #"kens\": \"25"#, #"6\"}"#],
    ])
    func keepsOtherFieldsOfObjects(_ parts: [String]) throws {
        let body = parts.map { "data: {\"arguments\":\"\($0)\"}\n\n" }.joined()
        #expect(try BodyRedactions.redact(body, type: "text/event-stream").text == body)
    }

    @Test func findsSecretCompletedByShortPart() throws {
        // Long enough that its scan is deferred, and completed by a part that doesn't trigger a scan.
        let token = "eyJ" + String(repeating: "abcdefghij", count: 60) + ".eyJzdWIiOiIxIn0.c2ln"
        let utf8 = Array(token.utf8)
        let parts = stride(from: 0, to: utf8.count, by: 7).map {
            String(decoding: utf8[$0..<min(utf8.count, $0 + 7)], as: UTF8.self)
        }
        let body = parts.map { "data: {\"t\":\"\($0)\"}\n\n" }.joined() + "data: {\"t\":\" end\"}\n\n"
        let output = try BodyRedactions.redact(body, type: "text/event-stream").text
        #expect(parts.allSatisfy { !output.contains("\"\($0)\"") })
        #expect(output.hasSuffix("data: {\"t\":\" end\"}\n\n"))
    }
}
