// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct SecretMemoryTests {
    private func cuts(_ text: String, after secrets: String...) -> [String] {
        let memory = SecretMemory()
        for secret in secrets { memory.remember(Array(secret.utf8)) }
        let bytes = Array(text.utf8)
        return (memory.table?.cuts(in: bytes) ?? []).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }

    @Test(arguments: ["dfe2068c-c2da-4ff6-af12-fba97e65e4b7", "e94b46bcfe4323ef2002789bace19353", "x2012k99871234q"])
    func valueWithDigitsOfYearIsNoTime(value: String) {
        #expect(SecretMemory.isDistinctive(Array(value.utf8)))
    }

    @Test(arguments: [
        "2026-11-23T10:00:00Z", "20261123T100000Z", "Mon, 23 Nov 2026 10:00:00 GMT",
        "1795200000", "1795200000.123",
    ])
    func timeIsNotLookedForElsewhere(value: String) {
        #expect(!SecretMemory.isDistinctive(Array(value.utf8)))
    }

    @Test(arguments: [
        ("hunter2 a/b", "hunter2%20a%2Fb"), ("hunter2 a/b", "hunter2+a%2Fb"), ("hunter2 a/b", "hunter2%20a%2fb"),
        ("hunter2\"x", #"hunter2\"x"#), ("hunter2/x", #"hunter2\/x"#), ("hunter2&x", #"hunter2\u0026x"#),
        ("hunter2<x", #"hunter2\u003cx"#), ("hunter2+x", #"hunter2\u002Bx"#), ("hunter2&x", "hunter2&amp;x"),
        ("hunter2'x", "hunter2&#39;x"), (#"hunter2#\u0041x"#, "hunter2#Ax"), ("hunter2%23Ax", "hunter2#Ax"),
        ("hunter2&quot;x", "hunter2\"x"), ("hunter2&x+y", "hunter2&amp;x+y"), ("hunter2&x+y", "hunter2&amp;x&#43;y"),
        ("hunter2&x'y", "hunter2&amp;x'y"), ("hunter2<x'y", "hunter2&lt;x&#x27;y"), ("hunter2/'x", "hunter2/&apos;x"),
        ("hunter2x=y", "hunter2x&#61;y"),
    ])
    func findsValueInEachSpelling(secret: String, spelling: String) {
        #expect(cuts("a \(spelling)!", after: secret) == [spelling])
        let memory = SecretMemory()
        #expect(memory.remember(Array(secret.utf8)) == memory.remember(Array(spelling.utf8)))
    }

    @Test(arguments: [
        ("hunter2-abc", "68756e746572322d616263"), ("hunter2-abc", "68756E746572322D616263"),
        ("da180c71eb5b7b4afb15344cac0ba55f", "DA180C71EB5B7B4AFB15344CAC0BA55F"),
        ("DA180C71EB5B7B4AFB15344CAC0BA55F", "da180c71eb5b7b4afb15344cac0ba55f"),
        ("550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-446655440000"),
    ])
    func findsValueInHexadecimalDigits(secret: String, spelling: String) {
        #expect(cuts("key \(spelling)", after: secret) == [spelling])
        #expect(cuts("00\(spelling)0a", after: secret) == (secret.hasPrefix("h") ? [spelling] : []))
    }

    @Test(arguments: ["DA180C71eb5b7b4afb15344cac0ba55f", "Da180c71eb5b7b4afb15344cac0ba55f"])
    func digitsInBothCasesStay(text: String) {
        #expect(cuts("key \(text)", after: "da180c71eb5b7b4afb15344cac0ba55f").isEmpty)
        #expect(cuts("HUNTER2-ABC", after: "hunter2-abc").isEmpty)
    }

    @Test(arguments: ["", "x", "xy", "xyz"])
    func findsValueInBase64(prefix: String) {
        let secret = "sk-live-0123456789?>~"
        let text = Base64.encode(Array("\(prefix)\(secret) and more".utf8))
        #expect(cuts(String(decoding: text, as: UTF8.self), after: secret).count == 1)
    }

    @Test(arguments: [
        ("aHVudGVyMi1hYmM=", "hunter2-abc"), ("aHVudGVyMi1hYmM", "hunter2-abc"), ("aHVudGVyMi1hYmMK", "hunter2-abc"),
        ("eDdSazJtVDl2THBXNG5COHNEMXE=", "x7Rk2mT9vLpW4nB8sD1q"),
    ])
    func findsContentOfBase64(secret: String, content: String) {
        #expect(cuts("saw \(content) here", after: secret) == [content])
        #expect(cuts("saw \(content)9 here", after: secret).isEmpty)
        let memory = SecretMemory()
        #expect(memory.remember(Array(secret.utf8)) == memory.remember(Array(content.utf8)))
    }

    @Test(arguments: [
        "https://a.example/home1", "ada1@example.com", "Order:12345abc", "{\"page\":12345}", "two words 42", "/etc/x1",
        "123456789012",
    ])
    func contentThatMayBePublicStays(content: String) {
        let secret = String(decoding: Base64.encode(Array(content.utf8)), as: UTF8.self)
        #expect(cuts("saw \(content) here", after: secret).isEmpty)
    }

    @Test func valueThatIsNotBase64HasNoContent() {
        for value in ["x7Rk2mT9vLpW4nB8sD1qZxa7", "hunter2-abc", "8f14e45fceea167a5a36dedd4bea2543", "a", "===="] {
            #expect(SecretSpellings.content(ofBase64: Array(value.utf8)) == nil)
        }
    }

    @Test(arguments: [
        #"\u0068\u0075nter2-abc"#, #"\x68unter2-abc"#, #"hunter2\-abc"#, "&#104;unter2-abc", "&#x68;&#x75;nter2-abc",
        "%68%75nter2-abc",
        #"\\u0068unter2-abc"#, "&#37;68unter2-abc",
    ])
    func findsValueWithEscapedLetters(spelling: String) {
        #expect(cuts("a \(spelling)!", after: "hunter2-abc") == [spelling])
        #expect(cuts("a \(spelling)9!", after: "hunter2-abc").isEmpty)
    }

    @Test(arguments: ["\\n", "&#10;", "%20", "\\u00e4"])
    func escapeBesideValueStays(escape: String) {
        #expect(cuts("a\(escape)hunter2-abc\(escape)", after: "hunter2-abc") == ["hunter2-abc"])
    }

    @Test(arguments: ["", "x", "xy", "xyz"], ["", "!", "!!"])
    func restOfBase64DoesNotDependOnValue(prefix: String, suffix: String) {
        let rests = ["sk-live-0123456789?>~", "pk-test-9876543210<}{"].map { secret -> [UInt8] in
            let memory = SecretMemory()
            memory.remember(Array((secret + suffix).utf8))
            let text = Base64.encode(Array("\(prefix)\(secret)\(suffix) and more".utf8))
            let cuts = memory.table?.cuts(in: text) ?? []
            return cuts.reversed().reduce(into: text) { $0.removeSubrange($1.range) }
        }
        #expect(rests[0] == rests[1])
    }

    /// What is compressed or escaped in Base64 is removed with all of it.
    @Test(arguments: [
        "H4sIAAAAAAACA8tIzEvJSVXIKM0rSS0y0k1MSk5JTVNIzUsBACyOqvsZAAAA",
        Base64.text(Array(#"{"a":"\u0068\u0075nter2-abcdef"}"#.utf8)),
        Base64.text(Array("see &#104;unter2-abcdef and more".utf8)),
    ])
    func findsValueBehindBase64(text: String) {
        #expect(cuts("a \(text)!", after: "hunter2-abcdef") == [text])
        #expect(cuts("a \(text)!", after: "hunter2-abcdex").isEmpty)
    }

    @Test func findsValueInUTF16() {
        let memory = SecretMemory()
        memory.remember(Array("hunter2-abc".utf8))
        for order in [true, false] {
            let text = Array("a hunter2-abc!".utf8).flatMap { byte -> [UInt8] in order ? [byte, 0] : [0, byte] }
            #expect(memory.table?.cuts(in: text).map(\.range) == [4..<26])
            #expect(memory.table?.cuts(in: (order ? [0xFF, 0xFE] : [0xFE, 0xFF]) + text).map(\.range) == [6..<28])
        }
    }

    @Test(arguments: [
        ("secret1", "secret10"), ("secret1", "mysecret1"), ("secret1", "Secret1"), ("secret1", "0secret1"),
    ])
    func ignoresPartsOfWords(secret: String, text: String) {
        #expect(cuts("see \(text)!", after: secret) == [])
    }

    @Test(arguments: [#"\nsecret1"#, "%3Dsecret1", #"\u0022secret1"#, "_secret1_", "a=secret1&", "-secret1-"])
    func findsWordsAfterEscapesAndSigns(_ text: String) {
        #expect(cuts("see \(text)!", after: "secret1") == ["secret1"])
    }

    @Test func forgetsLeastRecentlyUsedSecretsBeyondLimit() {
        var limits = SecretMemory.Limits()
        limits.count = 100
        let memory = SecretMemory(limits: limits)
        for number in 0..<150 { memory.remember(Array("secret-number-\(number)!".utf8)) }
        #expect(memory.forgottenCount == 50)
        #expect(memory.table?.cuts(in: Array("secret-number-0!".utf8)).isEmpty == true)
        #expect(memory.table?.cuts(in: Array("secret-number-149!".utf8)).count == 1)
        #expect(memory.total == 150)
        #expect(memory.values(after: 148).count == 2)
        #expect(memory.values(after: 0).count == 100)
        #expect(memory.values(after: 0, upTo: 148).count == 98)
    }

    @Test func secretInUseIsNotForgotten() {
        var limits = SecretMemory.Limits()
        limits.count = 100
        let memory = SecretMemory(limits: limits)
        let session = memory.remember(Array("session-0123".utf8))
        let token = memory.remember(Array("token-0123".utf8))
        for number in 0..<1_000 {
            memory.remember(Array("secret-number-\(number)!".utf8))
            #expect(memory.remember(Array("session-0123".utf8)) == session)
            // It is found in a text without a name.
            #expect(memory.secret(token) != nil)
        }
        #expect(memory.forgottenCount > 900)
        #expect(memory.table?.cuts(in: Array("session-0123 token-0123".utf8)).count == 2)
    }

    @Test func valuesThatAreNotLookedForDoNotDisplaceSecrets() {
        var limits = SecretMemory.Limits()
        limits.count = 100
        let memory = SecretMemory(limits: limits)
        let secret = memory.remember(Array("hunter2-abc".utf8))
        for number in 0..<1_000 { memory.remember(Array("\(number)".utf8)) }
        #expect(memory.remember(Array("hunter2-abc".utf8)) == secret)
        #expect(memory.forgottenCount == 0)
        // They have a limit, too.
        #expect(memory.secret(secret + 1) == nil)
    }

    @Test func valuesAreThoseAfterCount() {
        let memory = SecretMemory()
        memory.remember(Array("secret-1".utf8))
        let count = memory.total
        // Neither is new or distinctive.
        memory.remember(Array("secret-1".utf8))
        memory.remember(Array("true".utf8))
        #expect(memory.values(after: count) == [])
        memory.remember(Array("secret-2".utf8))
        #expect(
            memory.values(after: count) == [
                [Array("secret-2".utf8), Array("7365637265742d32".utf8), Array("7365637265742D32".utf8)]
            ]
        )
    }

    @Test func tableFindsAllOfManyValues() {
        var table = SecretTable()
        for number in 0..<20_000 { table.insert(Array("value-\(number)-of-many".utf8), secret: number) }
        for number in stride(from: 0, to: 20_000, by: 997) {
            let cuts = table.cuts(in: Array("x value-\(number)-of-many y".utf8))
            #expect(cuts.map(\.replacement) == [.remembered(number)])
        }
    }

    /// Values of one length that start alike are told apart by their last bytes, and those that end alike too.
    @Test func tableFindsValuesWithEqualStartsAndEnds() {
        var table = SecretTable()
        for number in 100..<1_000 {
            table.insert(Array("sk_acme_live_\(number)".utf8), secret: number)
            table.insert(Array("sk_acme_live_\(number)_same_end".utf8), secret: 1_000 + number)
        }
        for number in stride(from: 100, to: 1_000, by: 89) {
            let text = "x sk_acme_live_\(number) sk_acme_live_\(number)_same_end sk_acme_live_\(number)_same_en"
            let cuts = table.cuts(in: Array(text.utf8))
            let found: [Cut.Replacement] = [.remembered(number), .remembered(1_000 + number), .remembered(number)]
            #expect(cuts.map(\.replacement) == found)
        }
    }

    @Test(arguments: [
        ("a text", 6), ("a hunter2", 2), ("a hun", 2), ("a h", 2), ("a hunter3", 9), ("a hunter2!", 10), ("ahun", 4),
        ("a hunter2-long-to", 2), ("a hunter2-long-x", 16), ("aHVudGVyMi1sb25nLXRva2", 0), ("x aHVudGVyMi1", 2),
    ])
    func onlyStartOfValueIsUndecided(text: String, offset: Int) {
        var table = SecretTable()
        table.insert(Array("hunter2".utf8), secret: 0)
        table.insert(Array("hunter2-long-token".utf8), secret: 1)
        let inner = SecretTable.Form.inner(sharesFirst: false, sharesLast: false)
        table.insert(Array("aHVudGVyMi1sb25nLXRva2Vu".utf8), secret: 1, form: inner)
        table.insert([UInt8](repeating: UInt8(ascii: "#"), count: 4_000), secret: 2)
        let bytes = Array(text.utf8)
        #expect(table.undecided(in: bytes.span, from: 0) == offset)
    }

    /// The value is found in an event or a line, wherever the body is cut.
    @Test(
        arguments: ["text/event-stream", "application/x-ndjson"],
        [#"hunter2\u002dabc"#, #"\u0068unter2-abc"#, "hunter2%2d%61bc", "&#104;unter2-abc", "hunter2-abc"]
    )
    func findsEscapedValueInRecordsOfStream(type: String, spelling: String) throws {
        let start = type == "text/event-stream" ? "data: " : ""
        let end = type == "text/event-stream" ? "\n\n" : "\n"
        let records = ["before", spelling, "after"].map { "\(start){\"a\": 1, \"text\": \"x \($0) y\"}\(end)" }
        let body = Array(records.joined().utf8)
        for cut in 0...body.count {
            let memory = SecretMemory()
            memory.remember(Array("hunter2-abc".utf8))
            let redaction = Redaction.standard.replacing(with: StandIns(memory))
            var redactor = redaction.bodyRedactor(for: [HeaderLine(name: "Content-Type", value: type)])
            var output = try redactor.append(Array(body[..<cut]))
            output += try redactor.append(Array(body[cut...]))
            output += try redactor.finish().pieces
            let text = String(decoding: output.joined(), as: UTF8.self)
            #expect(text == records.joined().replacing(spelling, with: "[redacted~1]"))
        }
    }

    /// A recording that is killed has lost what was held back.
    @Test func streamIsNotHeldBackForLongSecrets() throws {
        let memory = SecretMemory()
        memory.remember(Array("sk-live-\(String(repeating: "0a", count: 1_500))".utf8))
        let redaction = Redaction.standard.replacing(with: StandIns(memory))
        var redactor = redaction.bodyRedactor(for: [HeaderLine(name: "Content-Type", value: "text/event-stream")])
        for number in 0..<3 {
            let event = Array("data: {\"number\":\(number)}\n\n".utf8)
            #expect(try redactor.append(event) == [event])
        }
        #expect(try redactor.append(Array("data: sk-live-0a".utf8)) == [])
    }
}
