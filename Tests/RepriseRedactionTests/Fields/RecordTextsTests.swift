// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct RecordTextsTests {
    /// What may become a secret and never does, in small parts: looked at again when it has doubled, not each time.
    @Test(arguments: ["e", "eyJ", "eyJabcdefghijk", "sk-", "a.", "-----BEGIN PRIVATE KEY"])
    func looksAtSmallPartsSeldom(_ part: String) {
        var texts = RecordTexts()
        var cuts: [Cut] = []
        let bytes = Array(part.utf8)[...]
        let count = 20_000
        for number in 0..<count {
            let start = number * bytes.count
            let text = JSONStringValue(path: JSONPathTracker.Path(), range: start..<start + bytes.count)
            texts.take(text, of: bytes.span, from: start, patterns: .standard, cuts: &cuts)
        }
        #expect(texts.repeatedCount <= 600 * count)
    }

    @Test func findsWhatIsWholeWhenNothingFollows() throws {
        // Long enough to be put off, and then complete in a part that is not looked at for itself.
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
