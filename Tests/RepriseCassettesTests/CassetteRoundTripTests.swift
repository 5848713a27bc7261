import Testing

@testable import RepriseCassettes
// SPDX-License-Identifier: Apache-2.0
@testable import RepriseDocuments
@testable import RepriseText

@Suite struct CassetteRoundTripTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func readsWrittenCassette(seed: UInt64) throws {
        var source = CassetteSource(seed: seed)
        let cassette = source.cassette()
        let output = try CassetteWriter.write(cassette)
        let bodies = CassetteBodies.inMemory(output.bodies)
        let read = try CassetteReader.read(output.bytes, file: "a", bodies: bodies)
        #expect(read.cassette == cassette)
        #expect(read.locations.count == cassette.exchanges.count)
        #expect(try CassetteWriter.write(read.cassette) == output)
    }

    /// A cassette with values that may be invalid is either rejected or read back unchanged.
    @Test(arguments: 0..<600 as Range<UInt64>)
    func writesOnlyReadableCassettes(seed: UInt64) throws {
        var source = CassetteSource(seed: seed)
        source.isWild = true
        let cassette = source.cassette()
        let output: CassetteWriter.Output
        do {
            output = try CassetteWriter.write(cassette)
        } catch {
            switch error {
            case .invalid, .invalidStandIn: return
            case .bodyElsewhere: throw error
            }
        }
        let bodies = CassetteBodies.inMemory(output.bodies)
        let expected = cassette.format == .one ? cassette : cassette.listingMarkers()
        #expect(try CassetteReader.read(output.bytes, file: "a", bodies: bodies).cassette == expected)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func detectsLayoutOfJSON(seed: UInt64) throws {
        var source = CassetteSource(seed: seed)
        let compact = source.json()
        for layout in JSONLayout.allCases {
            let text = layout.applied(to: compact, in: compact.indices)
            let found = try #require(JSONLayout(of: text))
            // Layouts can be identical for a small text.
            #expect(found.applied(to: compact, in: compact.indices) == text)
            #expect(JSONLayout.compact.applied(to: text, in: text.indices) == compact)
        }
    }
}

/// Generates cassettes with everything that a cassette can contain.
private struct CassetteSource {
    private var state: UInt64
    /// Whether values may be invalid.
    var isWild = false

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    mutating func cassette() -> Cassette {
        var cassette = Cassette(exchanges: many(4) { $0.exchange() }, note: optional { $0.text() })
        if pick(0..<2) == 0 {
            cassette.standIns = standIns()
        } else if !isWild {
            // Without a table, a cassette that needs format 2 gets one.
            cassette = cassette.format == .one ? cassette : cassette.listingMarkers()
        }
        return cassette
    }

    private mutating func standIns() -> [StandIn] {
        let texts = ["[redacted]", "[redacted:a]", "[redacted~1]", "[redacted:a~2]", "[redacted~003]"]
        var standIns = texts.filter { _ in pick(0..<2) == 0 }.map { text in
            let isNumbered = RedactionMarker.number(of: text) != nil
            let literal = optional { $0.pick(["[redacted]", "%5Bredacted%5d"], wild: ["", "x"]) }
            return StandIn(text, literal: isNumbered ? literal : nil, note: optional { $0.text() })
        }
        if pick(0..<2) == 0 { standIns.append(StandIn("0123ABCDEF", shape: pick(StandIn.Shape.allCases))) }
        let wild = [
            StandIn(""), StandIn("x"), StandIn("", shape: .hex), StandIn("[redacted]", literal: "x"),
            StandIn("x", shape: .jwt, literal: "y"), StandIn("%5Bredacted%5D"), StandIn("[redacted~1]x"),
        ]
        return pick([standIns], wild: [standIns + standIns, standIns + [wild[pick(0..<wild.count)]]])
    }

    private mutating func exchange() -> Exchange {
        let request = RecordedRequest(
            method: pick(["GET", "POST", "M-SEARCH", "x!", "OPTIONS"], wild: ["", "G T", "CONNECT", "é"]),
            url: pick(
                ["/", "https://h/é?[redacted]", "http://[::1]:8080?a=b%20c", "/\"\\", "//h", "HTTP://u@h:1"],
                wild: ["*", "h:443", "http://h/a#b", "http://?h/a b'c", "http://", "", "a", "/\n", "http://:1/"]
            ),
            headers: many(3) { $0.headerLine() },
            body: optional { $0.body() },
            comparesBody: pick([true, true, false]),
            trailers: pick(0..<4) == 0 ? many(2) { $0.headerLine() } : [],
            base: pick([String?.none], wild: ["https://h", "https://h/", "HTTP://u@h:1", "/", "x"]),
            note: optional { $0.text() }
        )
        let recorded = optional { source in
            RecordingTime(
                at: source.pick(
                    ["2026-11-21T09:00:00Z", "2026-11-21T09:00:00.123456+01:00"],
                    wild: ["", "now", "2026-11-21T09:00:00Z\n", "2026-11-21T09:00:00"]
                ),
                milliseconds: source.optional {
                    $0.pick([0, 71.3, 1e-7, 1e300, 0.1 + 0.2], wild: [-1, -0.0, .nan, .infinity])
                },
                note: source.optional { $0.text() }
            )
        }
        let outcome = pick(0..<5) == 0 ? Exchange.Outcome.failure(pick(Failure.allCases)) : .response(response())
        return Exchange(request: request, outcome: outcome, recorded: recorded, note: optional { $0.text() })
    }

    private mutating func response() -> RecordedResponse {
        let content: RecordedResponse.Content =
            switch pick(0..<3) {
            case 0: .none
            case 1: .body(body())
            default: .stream(steps())
            }
        return RecordedResponse(
            status: pick(200...999, wild: [0, -1, 99, 100, 101, 199, 1000, 20_000]),
            reason: pick(["", "OK", "Not\tquite", " ", "é\"\\"], wild: ["\u{7F}", "\n", "a\rb", "\0", "O\u{1}K"]),
            httpVersion: optional { $0.pick(["2", "1.0", "3"], wild: ["", "1.", "HTTP/2", "1.1.1"]) },
            headers: many(4) { $0.headerLine() },
            delay: optional { $0.duration() },
            content: content,
            trailers: many(2) { $0.headerLine() },
            informational: pick(0..<4) == 0 ? many(2) { $0.informational() } : [],
            note: optional { $0.text() }
        )
    }

    private mutating func informational() -> RecordedResponse.Informational {
        RecordedResponse.Informational(
            status: pick([100, 102, 103, 199], wild: [101, 99, 200, 0]),
            reason: pick(["", "Early Hints", "é"], wild: ["\n"]),
            headers: many(2) { $0.headerLine() },
            delay: optional { $0.duration() },
            note: optional { $0.text() }
        )
    }

    private mutating func steps() -> [StreamStep] {
        let steps = many(4) { $0.step() }
        let end = StreamStep(after: duration(), .end(pick(Ending.allCases)))
        return pick([steps + [end]], wild: [steps, [end] + steps, []])
    }

    private mutating func step() -> StreamStep {
        StreamStep(after: duration(), .bytes(bytes()), note: optional { $0.text() })
    }

    private mutating func body() -> RecordedBody {
        let bytes: [UInt8]
        switch pick(0..<8) {
        case 0: bytes = [UInt8](repeating: UInt8(pick(0...255)), count: pick([4096, 4097, 65_536, 65_537]))
        case 1...4:
            let json = json()
            bytes = pick(JSONLayout.allCases).applied(to: json, in: json.indices)
        default: bytes = self.bytes()
        }
        return RecordedBody(
            .bytes(bytes),
            chunks: optional { $0.many(3) { $0.pick(0...9000, wild: [-1]) } },
            note: optional { $0.text() }
        )
    }

    /// A JSON text without white space.
    mutating func json(depth: Int = 0) -> [UInt8] {
        switch pick(depth > 4 ? 2..<4 : 0..<4) {
        case 0: return bracketed("[", "]", many(4) { $0.json(depth: depth + 1) })
        case 1: return bracketed("{", "}", many(4) { $0.member(depth) })
        case 2:
            return Array(
                pick(["0", "-0", "1.0", "1E+2", "1e-400", "123456789012345678901234567890", "true", "null"]).utf8
            )
        default:
            return Array(pick([#""""#, #""\ud800""#, #""a\/\"b\\""#, #""é😀\u00e9""#, "\"\u{2028}[{,: \""]).utf8)
        }
    }

    private mutating func member(_ depth: Int) -> [UInt8] {
        Array("\"\(pick(["a", "b", #"\u0061"#, "é", "", "{"]))\":".utf8) + json(depth: depth + 1)
    }

    private func bracketed(_ open: String, _ close: String, _ items: [[UInt8]]) -> [UInt8] {
        Array(open.utf8) + Array(items.joined(separator: [UInt8(ascii: ",")])) + Array(close.utf8)
    }

    private mutating func headerLine() -> HeaderLine {
        let bytes = pick([
            Array("Content-Type: application/json".utf8), Array("content-type:image/png".utf8), Array("X:".utf8),
            Array("X-A:  é\t\"\\ ".utf8), [0x58, 0x3A, 0xFF], Array("Set-Cookie: a=1".utf8),
        ])
        var line = HeaderLine(bytes: bytes) ?? HeaderLine(name: "X", value: "")
        line.note = optional { $0.text() }
        return line
    }

    private mutating func text() -> String {
        pick(["", "a note", "\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}\u{85}", "é😀\u{2028}\u{FEFF}\u{10FFFF}\u{E000}"])
    }

    private mutating func bytes() -> [UInt8] {
        pick(0..<2) == 0 ? Array(text().utf8) : many(20) { UInt8($0.pick(0...255)) }
    }

    private mutating func duration() -> Duration {
        .microseconds(
            pick(
                [0, 1, 100, 41_200, 22_000, 999_999, 2_678_400_000_000, Int64(pick(0...10_000_000))],
                wild: [-1, 2_678_400_000_001, .max / 4, .min / 4]
            )
        )
    }

    // MARK: Choices

    private mutating func next() -> UInt64 {
        // xorshift64*
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    private mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        let offset = Int(next() >> 33) % choices.count
        return choices[choices.index(choices.startIndex, offsetBy: offset)]
    }

    /// One of `choices`, or occasionally one of `wild` if the cassette may be invalid.
    private mutating func pick<Choices: RandomAccessCollection>(
        _ choices: Choices,
        wild: [Choices.Element]
    ) -> Choices.Element {
        isWild && pick(0..<30) == 0 ? pick(wild) : pick(choices)
    }

    private mutating func many<Element>(_ limit: Int, _ make: (inout Self) -> Element) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<pick(0..<limit) { elements.append(make(&self)) }
        return elements
    }

    private mutating func optional<Value>(_ make: (inout Self) -> Value) -> Value? {
        pick(0..<3) == 0 ? make(&self) : nil
    }
}
