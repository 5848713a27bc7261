// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct PlainEventsTests {
    private static let key = "sk-abcdefghij0123456789ABCDEFGHIJ"

    private static func event(_ values: String) -> String {
        "event: delta\ndata: {\"type\":\"delta\",\"n\":1,\(values),\"role\":\"user\"}\n\n"
    }

    private static func event(text: String) -> String { event(#""text":"\#(text)""#) }

    // MARK: Shapes

    @Test(arguments: [
        (#""text":"word""#, EventShape.Match.plain),
        (#""text":"""#, .plain),
        (#""text":" another word, and more.\n""#, .plain),
        (#""text":"of a key""#, .plain),
        (#""text":"[redacted]""#, .otherValue),
        (#""text":"sk-abcdefghij0123456789ABCDEFGHIJ""#, .otherValue),
        (#""text":"c2VjcmV0OnBhc3N3b3Jk""#, .otherValue),
        (#""text":"{\"password\":\"hunter22\"}""#, .otherValue),
        (#""text":": x""#, .otherValue),
        (#""text":"https://user:pw@example.com""#, .otherValue),
        (#""text":"Your code is 482913""#, .otherValue),
        (#""text":"\u0073k-""#, .otherValue),
        (#""text":4"#, .otherShape),
        (#""token":"word""#, .otherShape),
        (#""text":"word","more":1"#, .otherShape),
        (#""text":"word"}"#, .otherShape),
    ])
    func comparesValues(_ values: String, expected: EventShape.Match) throws {
        #expect(try Self.match(Self.event(values), with: Self.event(text: "some")) == expected)
    }

    @Test(arguments: [
        ("12", EventShape.Match.plain), ("1717171717", .plain), ("4242424242424242", .otherValue),
        ("1.5", .otherShape), ("-1", .otherShape), ("null", .otherShape), ("\"1\"", .otherShape),
    ])
    func comparesNumbers(_ number: String, expected: EventShape.Match) throws {
        let other = Self.event(text: "some").replacing("\"n\":1", with: "\"n\":\(number)")
        #expect(try Self.match(other, with: Self.event(text: "some")) == expected)
    }

    /// The type of an object can be the name of a secret in the field beside it.
    @Test func comparesNamesOfFields() throws {
        let other = Self.event(text: "some").replacing("\"type\":\"delta\"", with: "\"type\":\"password\"")
        #expect(try Self.match(other, with: Self.event(text: "some")) == .otherValue)
    }

    private static func match(_ other: String, with event: String) throws -> EventShape.Match {
        let slice = Array(event.utf8)[...]
        let learned = EventShape(slice.span, .standard)
        let shape = try #require(learned)
        let bytes = Array(other.utf8)[...]
        var texts: [EventText] = []
        let match = shape.match(bytes.span, at: 0, rules: .standard, texts: &texts)
        #expect(texts.isEmpty == (match != .plain))
        return match
    }

    @Test(arguments: [
        event(#""text":"[redacted]""#), event(#""password":"hunter22""#), event(#""token":"word""#),
        event(#""credentials":{"a":"b"}"#), event(#""otp":482913"#), event(#""text":"it's""#),
        event(#""name":"API_KEY","value":"word""#), "data: {\"a\":1}\r\n\r\n", "data: {\"a\":1}\ndata: {\"b\":1}\n\n",
        "data: text\n\n", "event: a=b\ndata: {\"a\":1}\n\n", ": comment\n\n", "data: {\"a\":\"sk-\ndata: \"}\n\n",
    ])
    func learnsOnlyPlainEvents(_ event: String) {
        let slice = Array(event.utf8)[...]
        let shape = EventShape(slice.span, .standard)
        #expect(shape == nil)
    }

    // MARK: Streams

    @Test func findsMostEvents() {
        let words = ["The", " quick", " brown", " fox", ".", " jumps", " over"]
        let body = (0..<200).map { Self.event(text: words[$0 % words.count]) }.joined()
        let slice = Array(body.utf8)[...]
        var events = PlainEvents()
        events.find(in: slice.span, from: 0, rules: .standard)
        #expect(events.ranges.map(\.count).reduce(0, +) > slice.count * 95 / 100)
    }

    /// An event with CR LF is scanned as a whole, so it shows what must be found.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func findsSameSecretsAsScan(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let texts = [
            "word", " a", "s", " sk", "-abcdefghij0123", "456789ABCDEFGHIJ", Self.key, "", " eyJ", "pass", "word=",
            "hunter22", "[redacted]", "[re", "dacted]", "it's", " 482913", "Your code is", "-----BEGIN",
            " PRIVATE KEY-----", "AKIA", "IOSFODNN7EXAMPLE", " Bearer ", "c2VjcmV0OnBhc3N3b3Jk", "\\n", "\\\"", "key",
        ]
        let other = [
            Self.event(#""token":"\#(Self.key)""#), Self.event(#""password":"hunter22""#),
            Self.event(#""name":"API_KEY","value":"hunter22x""#), Self.event(#""list":["password","hunter22"]"#),
            Self.event(#""text":"a","n":1"#), ": ping\n\n", "data: [DONE]\n\n", "data: \(Self.key)\n\n",
            "data: -----BEGIN PRIVATE KEY-----\n\n", "\n", "data: {\"text\":\"x\n\n",
        ]
        var body = ""
        for _ in 0..<120 {
            if Int.random(in: 0..<12, using: &generator) == 0 {
                body += other.randomElement(using: &generator) ?? ""
            } else {
                let isPlain = Int.random(in: 0..<3, using: &generator) > 0
                body += Self.event(text: isPlain ? "word" : texts.randomElement(using: &generator) ?? "")
            }
        }
        let expected = try BodyRedactions.redact(body.replacing("\n", with: "\r\n"), type: "text/event-stream")
        let bytes = Array(body.utf8)
        for count in [0, 3, 40] {
            let places = (0..<count).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
            let pieces = BodyRedactions.pieces(bytes, cutAt: places)
            let output = try BodyRedactions.redact(pieces, headers: ["Content-Type: text/event-stream"])
            #expect(output.text == expected.text.replacing("\r\n", with: "\n"))
        }
    }
}
