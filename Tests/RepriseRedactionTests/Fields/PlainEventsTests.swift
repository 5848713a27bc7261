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
        (#""text":"word""#, true),
        (#""text":"""#, true),
        (#""text":" another word, and more.\n""#, true),
        (#""text":"of a key""#, true),
        (#""text":"[redacted]""#, false),
        (#""text":"sk-abcdefghij0123456789ABCDEFGHIJ""#, false),
        (#""text":"c2VjcmV0OnBhc3N3b3Jk""#, false),
        (#""text":"{\"password\":\"hunter22\"}""#, false),
        (#""text":": x""#, false),
        (#""text":"https://user:pw@example.com""#, false),
        (#""text":"Your code is 482913""#, false),
        (#""text":"\u0073k-""#, false),
        ("\"text\":\"a\rb\"", false),
        ("\"text\":\"a\nb\"", false),
        (#""text":4"#, false),
        (#""token":"word""#, false),
        (#""text":"word","more":1"#, false),
        (#""text":"word"}"#, false),
    ])
    func comparesValues(_ values: String, expected: Bool) throws {
        #expect(try Self.match(Self.event(values), with: Self.event(text: "some")) == expected)
    }

    @Test(arguments: [
        ("12", true), ("1717171717", true), ("4242424242424242", false),
        ("1.5", false), ("-1", false), ("null", false), ("\"1\"", false),
    ])
    func comparesNumbers(_ number: String, expected: Bool) throws {
        let other = Self.event(text: "some").replacing("\"n\":1", with: "\"n\":\(number)")
        #expect(try Self.match(other, with: Self.event(text: "some")) == expected)
    }

    /// The type of an object can be the name of a secret in the field beside it.
    @Test func comparesNamesOfFields() throws {
        let other = Self.event(text: "some").replacing("\"type\":\"delta\"", with: "\"type\":\"password\"")
        #expect(try Self.match(other, with: Self.event(text: "some")) == false)
    }

    private static func match(_ other: String, with event: String) throws -> Bool {
        let slice = Array(event.utf8)[...]
        let learned = EventTemplate(slice.span, .standard)
        let shape = try #require(learned)
        let bytes = Array(other.utf8)[...]
        var texts: [EventText] = []
        let matches = shape.matches(bytes.span, at: 0, rules: .standard, texts: &texts)
        #expect(texts.isEmpty == !matches)
        return matches
    }

    @Test(arguments: [
        event(#""text":"[redacted]""#), event(#""password":"hunter22""#), event(#""token":"word""#),
        event(#""credentials":{"a":"b"}"#), event(#""otp":482913"#), event(#""text":"it's""#),
        event(#""name":"API_KEY","value":"word""#), "data: {\"a\":1}\r\r", "data: {\"a\":1}\ndata: {\"b\":1}\n\n",
        "data: text\n\n", "event: a=b\ndata: {\"a\":1}\n\n", ": comment\n\n", "data: {\"a\":\"sk-\ndata: \"}\n\n",
        event(#"":1,":"word""#), "data: {\"a\":\"word\":\"x\"}\n\n", "data: {\"a\":\"word\":12}\n\n",
        "data: {\"a\":[\"word\"]}\n\n",
    ])
    func learnsOnlyPlainEvents(_ event: String) {
        let slice = Array(event.utf8)[...]
        let shape = EventTemplate(slice.span, .standard)
        #expect(shape == nil)
    }

    // MARK: Streams

    @Test(arguments: ["\n", "\r\n"])
    func findsMostEvents(lineEnd: String) {
        let words = ["The", " quick", " brown", " fox", ".", " jumps", " over"]
        let events = (0..<200).map { Self.event(text: words[$0 % words.count]) }
        let body = events.joined().replacing("\n", with: lineEnd)
        let slice = Array(body.utf8)[...]
        var plain = PlainEvents()
        plain.find(in: slice.span, from: 0, rules: .standard)
        #expect(plain.ranges.map(\.count).reduce(0, +) > slice.count * 95 / 100)
    }

    /// Events with a URL match once their own shape is learned, even after events of another shape.
    @Test func findsEventsAfterOthers() {
        let event = Self.event(#""url":"https://example.com/v1","text":"a""#)
        let other = Self.event(#""url":"","text":"a","done":1"#)
        let body = String(repeating: other, count: 3) + String(repeating: event, count: 200)
        let slice = Array(body.utf8)[...]
        var events = PlainEvents()
        events.find(in: slice.span, from: 0, rules: .standard)
        #expect(events.ranges.map(\.count).reduce(0, +) > slice.count * 90 / 100)
    }

    /// The same secrets are found in random events whether or not plain events are skipped.
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func findsSameSecretsAsScan(seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        for redaction in [
            Redaction.standard, try Redaction([.pattern(##"word",?"x"##), .pattern(##"","n":[0-9]+"##)]),
        ] {
            let body = events.stream()
            var scanning = redaction
            scanning.skipsPlainEvents = false
            let expected = try BodyRedactions.redact(body, type: "text/event-stream", by: scanning)
            let bytes = Array(body.utf8)
            for count in [0, 3, 40] {
                let places = (0..<count).map { _ in Int.random(in: 0...bytes.count, using: &events.generator) }.sorted()
                let pieces = BodyRedactions.pieces(bytes, cutAt: places)
                let headers = ["Content-Type: text/event-stream"]
                let output = try BodyRedactions.redact(pieces, headers: headers, by: redaction)
                #expect(output.text == expected.text)
                #expect(output.count == expected.count)
            }
        }
    }

    /// The rest of a key is a string in a list. Earlier, the same string was not part of a key.
    @Test func findsSecretThatIsSplitAcrossLists() throws {
        let rest = "456789ABCDEFGHIJ"
        let words = Array(repeating: rest, count: 20) + ["sk-abcdefghij0123", rest, "."]
        let body = words.map { Self.event(#""list":["\#($0)"],"text":"a""#) }.joined()
        let output = try BodyRedactions.redact(body, type: "text/event-stream")
        #expect(output.count == 2)
        #expect(output.text.ranges(of: rest).count == 20)
    }
}

/// Makes streams of events, most of which differ from the first one only in values.
private struct RandomEvents {
    indirect enum Value {
        case string(String)
        case number(String)
        case list([Value])
        case object([(name: String, value: Value)])
    }

    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func stream() -> String {
        let space = isOne(of: 4) ? " " : ""
        let lines = any(["", "event: delta\n", ": note\n", "id: 5\n"])
        let end = Value.object([("id", .number("12")), ("text", .string("word")), ("role", .string(""))])
        var event = isOne(of: 4) ? object() : .object([("type", .string("delta")), ("d", value()), ("e", end)])
        var stream = ""
        for _ in 0..<30 {
            if isOne(of: 12) { event = object() }
            let next = isOne(of: 3) ? event : changed(event)
            stream += lines + "data: " + text(next, space) + "\n\n"
            if isOne(of: 20) { stream += any(Self.otherEvents) }
        }
        return isOne(of: 3) ? stream.replacing("\n", with: "\r\n") : stream
    }

    private mutating func isOne(of count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

    private mutating func any(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }

    private mutating func value(depth: Int = 0) -> Value {
        switch Int.random(in: 0..<(depth > 2 ? 6 : 9), using: &generator) {
        case 0...3: .string(any(Self.strings))
        case 4, 5: .number(any(Self.numbers))
        case 6: .list((0..<Int.random(in: 0...2, using: &generator)).map { _ in value(depth: depth + 1) })
        default: object(depth: depth + 1)
        }
    }

    private mutating func object(depth: Int = 0) -> Value {
        .object((0...Int.random(in: 0...3, using: &generator)).map { _ in (any(Self.names), value(depth: depth)) })
    }

    private mutating func changed(_ value: Value) -> Value {
        if isOne(of: 2) { return value }
        switch value {
        case .string: return .string(isOne(of: 3) ? "word" + any(Self.strings) : any(Self.strings))
        case .number: return .number(any(Self.numbers))
        case .list(let values): return .list(values.map { changed($0) })
        case .object(let fields): return .object(fields.map { ($0.name, changed($0.value)) })
        }
    }

    private func text(_ value: Value, _ space: String) -> String {
        switch value {
        case .string(let string): return "\"\(string)\""
        case .number(let number): return number
        case .list(let values): return "[" + values.map { text($0, space) }.joined(separator: ",") + "]"
        case .object(let fields):
            let texts = fields.map { "\"\($0.name)\":\(space)\(text($0.value, space))" }
            return "{" + texts.joined(separator: "," + space) + "}"
        }
    }

    private static let names = [
        "id", "type", "text", "content", "delta", "name", "value", "key", "n", "index", "token", "code", "password",
        "x",
        "number", "credentials", "item_id", "label", "list", "role", "session", "created", "secret", "api_key", "otp",
        "card_number", "email",
    ]
    private static let strings = [
        "word", " a", "s", " sk", "sk-", "-abcdefghij0123", "456789ABCDEFGHIJ", "sk-abcdefghij0123456789ABCDEFGHIJ", "",
        " eyJ", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "pass", "word=", "password", "API_KEY", "token",
        "hunter22", "[redacted]", "[re", "dacted]", "it's", " 482913", "Your code is", "482913 is your code",
        "-----BEGIN", " PRIVATE KEY-----", "AKIA", "IOSFODNN7EXAMPLE", " Bearer ", "c2VjcmV0OnBhc3N3b3Jk", #"\n"#,
        #"\""#, #"\u0073"#, "https://", "https://a:b@example.com", "user@example.com", ": x", "[", "[x](y)", "%73k-",
        "12:30", "\r", "\n", "\u{1}", "api_key=", "4242424242424242", "2024-08-06", "model-4",
        "https://hooks.slack.com/services/T00000000/B",
        "AIza", "ghp_", "a1b2c3d4e5f60718293a4b5c6d7e8f90", "Zx9Qw7Er5Ty3Ui1Op0As", "é", #"password\nfoo"#,
        #"{\""#, #"{\"pass"#, #"word\":\""#, #"\",\"n\":1}"#, "{", "}", #"{\"password\":\"hunt"#, #"\\\"er22\"}"#,
        "scott/tiger@//db:1521/x", "machine example.com", "login x", "sk_live_****", "SELECT", "SET PASSWORD",
    ]
    private static let numbers = [
        "0", "1", "12", "482913", "1717171717", "4242424242424242", "12.5", "-3", "1e5", "null", "true",
        "12345678901234567890",
    ]
    private static let otherEvents = [
        "\n", ": ping\n\n", "data: x\n\n", "data: -----BEGIN PRIVATE KEY-----\n\n", "data: [DONE]\n\n", "event: x\n",
        "data: {\"a\":\n", "\"\n\n", "data: sk-abcdefghij0123456789ABCDEFGHIJ\n\n",
    ]
}
