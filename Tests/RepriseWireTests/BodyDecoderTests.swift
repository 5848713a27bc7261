// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@Suite struct BodyDecoderTests {
    @Test func reportsChunkBoundaries() throws {
        let input = bytes("5;a=\"b\"\r\nhello\r\nb\r\nhello world\r\n0\r\n\r\nnext")
        let events = try decode(BodyDecoder(.chunked, limit: 100), input)
        #expect(
            events == [
                .chunkStart(size: 5, consumedTo: 9), .data(9..<14), .chunkEnd(consumedTo: 16),
                .chunkStart(size: 11, consumedTo: 19), .data(19..<30), .chunkEnd(consumedTo: 32),
                .end(consumedTo: 37),
            ]
        )
    }

    @Test func deliversPartialChunks() throws {
        var decoder = BodyDecoder(.chunked, limit: 100)
        let first = bytes("3\r\nab")
        #expect(
            try decode(&decoder, first) == [
                .chunkStart(size: 3, consumedTo: 3), .data(3..<5), .needsMore(consumedTo: 5),
            ]
        )
        #expect(try decode(&decoder, bytes("c")) == [.data(0..<1), .needsMore(consumedTo: 1)])
        #expect(try decode(&decoder, bytes("\r")) == [.needsMore(consumedTo: 1)])
        #expect(try decode(&decoder, bytes("\n0\r\n\r")) == [.chunkEnd(consumedTo: 1), .needsMore(consumedTo: 5)])
        #expect(try decode(&decoder, bytes("\nx")) == [.end(consumedTo: 1)])
        #expect(decoder.received == 3)
    }

    @Test func staysAtEnd() throws {
        var decoder = BodyDecoder(.chunked, limit: 0)
        #expect(try decode(&decoder, bytes("0\r\n\r\n")) == [.end(consumedTo: 5)])
        #expect(try decode(&decoder, bytes("GET")) == [.end(consumedTo: 0)])
    }

    /// Consumed bytes are gone, because each piece is a separate buffer.
    @Test(arguments: 1...12) func doesNotRereadConsumedBytes(pieceLength: Int) throws {
        let input = bytes("3 ; x = \"y\"\r\nabc\r\n4\r\ndefg\r\n0;z\r\nTrailer: one\r\nOther:  two \r\n\r\n")
        var decoder = BodyDecoder(.chunked, limit: 7)
        var content: [UInt8] = []
        var sizes: [Int] = []
        for start in stride(from: 0, to: input.count, by: pieceLength) {
            let piece = Array(input[start..<min(start + pieceLength, input.count)])
            for event in try decode(&decoder, piece) {
                if case .data(let range) = event { content += piece[range] }
                if case .chunkStart(let size, _) = event { sizes.append(size) }
            }
        }
        #expect(content == bytes("abcdefg"))
        #expect(sizes == [3, 4])
        let trailers = decoder.trailers
        #expect(trailers.bytes == bytes("Trailer: one\r\nOther:  two \r\n"))
        #expect(trailers.fields.map { text(trailers.bytes, $0.name) } == ["Trailer", "Other"])
        #expect(trailers.fields.map { text(trailers.bytes, $0.value) } == ["one", "two"])
    }

    @Test func trailerNamesHaveNoEffectOnFraming() throws {
        var decoder = BodyDecoder(.chunked, limit: 7)
        #expect(decoder.trailers.isEmpty)
        let input = bytes("0\r\nContent-Length: 5\r\nTransfer-Encoding: x\r\nHost: a b\r\n\r\n")
        #expect(try decode(&decoder, input) == [.end(consumedTo: input.count)])
        #expect(decoder.trailers.fields.count == 3)
        #expect(!decoder.trailers.isEmpty)
    }

    @Test func locatesTrailerFaultInInput() {
        var decoder = BodyDecoder(.chunked, limit: 7)
        let first = bytes("0\r\nA: b\r\nC")
        let second = bytes(" : d\r\n")
        #expect(throws: Never.self) { try decode(&decoder, first) }
        let error = #expect(throws: ParsingError.self) { try decode(&decoder, second) }
        #expect(error?.kind == .whitespaceBeforeColon)
        #expect(error?.offset == 0)
    }

    @Test(arguments: [0, 1, 5]) func endsAtContentLength(length: Int) throws {
        let input = bytes("hello, world")
        let data: [BodyEvent] = length == 0 ? [] : [.data(0..<length)]
        #expect(try decode(BodyDecoder(.length(length), limit: 5), input) == data + [.end(consumedTo: length)])
    }

    @Test func consumesNothingWithoutBody() throws {
        #expect(try decode(BodyDecoder(.none, limit: 5), bytes("GET")) == [.end(consumedTo: 0)])
        #expect(try decode(BodyDecoder(response: .none, limit: 5), bytes("HTTP")) == [.end(consumedTo: 0)])
    }

    @Test func readsUntilConnectionCloses() throws {
        var decoder = BodyDecoder(response: .untilClose, limit: 5)
        #expect(try decode(&decoder, bytes("abc")) == [.data(0..<3), .needsMore(consumedTo: 3)])
        #expect(throws: Never.self) { try decoder.endOfInput() }
        #expect(try decode(&decoder, bytes("de")) == [.data(0..<2), .needsMore(consumedTo: 2)])
        #expect(throws: ParsingError.self) { try decode(&decoder, bytes("f")) }
    }

    @Test func rejectsLengthOverLimit() {
        let error = #expect(throws: ParsingError.self) { try decode(BodyDecoder(.length(6), limit: 5), []) }
        #expect(error?.kind == .oversizedBody)
    }

    @Test(arguments: [
        (ResponseBodyFraming.length(3), "ab"), (.chunked, ""), (.chunked, "2\r\nab\r\n"), (.chunked, "0\r\n"),
        (.chunked, "0\r\nA: b\r\n"), (.chunked, "0\r\n\r"), (.length(1), ""),
    ])
    func detectsTruncatedMessage(framing: ResponseBodyFraming, input: String) throws {
        var decoder = BodyDecoder(response: framing, limit: 10)
        _ = try decode(&decoder, bytes(input))
        let error = #expect(throws: ParsingError.self) { try decoder.endOfInput() }
        #expect(error?.kind == .truncatedMessage)
    }

    @Test(arguments: [
        (ResponseBodyFraming.length(2), "ab"), (.length(0), ""), (.none, ""), (.chunked, "2\r\nab\r\n0\r\n\r\n"),
        (.tunnel, "x"),
    ])
    func acceptsEndOfCompleteBody(framing: ResponseBodyFraming, input: String) throws {
        var decoder = BodyDecoder(response: framing, limit: 10)
        _ = try decode(&decoder, bytes(input))
        #expect(throws: Never.self) { try decoder.endOfInput() }
    }

    @Test(arguments: ["1", "fedcba9876543210".prefix(15), "7FFFFFFFFFFFFFFF", "000000000000000a"] as [Substring])
    func readsChunkSizesUpTo63Bits(size: Substring) throws {
        var decoder = BodyDecoder(.chunked, limit: .max)
        let events = try decode(&decoder, bytes(size + "\r\n"))
        #expect(events.first == .chunkStart(size: Int(size, radix: 16)!, consumedTo: size.utf8.count + 2))
    }

    private func decode(_ decoder: BodyDecoder, _ input: [UInt8]) throws -> [BodyEvent] {
        var decoder = decoder
        return try decode(&decoder, input)
    }

    /// All events up to the first `end` or `needsMore`.
    private func decode(_ decoder: inout BodyDecoder, _ input: [UInt8]) throws -> [BodyEvent] {
        var events: [BodyEvent] = []
        var offset = 0
        while true {
            let event = try decoder.decode(input.span, from: offset)
            events.append(event)
            offset = event.consumedTo
            switch event {
            case .end, .needsMore: return events
            case .data, .chunkStart, .chunkEnd: continue
            }
        }
    }
}
