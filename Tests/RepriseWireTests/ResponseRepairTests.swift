// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

/// Responses that are not valid, but can only mean one thing.
@Suite struct ResponseRepairTests {
    private struct Repaired: Equatable {
        var head: String
        var repairs: ResponseRepairs
    }

    /// Parses a head that ends where `rest` begins. Every split must give the same result.
    private func repaired(_ text: String, rest: String = "rest") throws -> Repaired {
        let input = Array((text + rest).utf8)
        let whole = try parse(input, cuts: [])
        #expect(whole.length == text.utf8.count)
        for cuts in splits(of: input.count) {
            let other = try parse(input, cuts: cuts)
            #expect(other == whole, "cut at \(cuts)")
        }
        return Repaired(head: whole.head, repairs: whole.repairs)
    }

    private struct Parsed: Equatable {
        var head: String
        var repairs: ResponseRepairs
        var length: Int
        var framing: ResponseBodyFraming
        var isKeepAlive: Bool
    }

    private func parse(_ input: [UInt8], cuts: [Int], repairs: Bool = true) throws -> Parsed {
        var parser = ResponseParser(repairs: repairs)
        for end in cuts + [input.count] {
            let start = input[..<end]
            guard try parser.parseHead(start.span) else { continue }
            let head = parser.head
            let bytes = parser.repaired?.bytes ?? Array(input[..<head.length])
            #expect(head.length == bytes.count)
            return Parsed(
                head: String(decoding: bytes, as: UTF8.self),
                repairs: parser.repaired?.repairs ?? [],
                length: parser.receivedLength,
                framing: head.body,
                isKeepAlive: head.isKeepAlive
            )
        }
        throw Incomplete()
    }

    private struct Incomplete: Error {}

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\nA: b\n\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", .lineEnds),
            ("HTTP/1.1 200 OK\r\nA: b\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", .lineEnds),
            ("HTTP/1.1 200 OK\r\nA: b\r\n\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", .lineEnds),
            ("HTTP/1.1 200\r\r\nA: b\r\r\n\r\r\n", "HTTP/1.1 200\r\nA: b\r\n\r\n", .lineEnds),
            (
                "HTTP/1.1 200 OK\r\nA: b \r\n c\r\n\t d\r\nE: f\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b c d\r\nE: f\r\n\r\n",
                .foldedLines
            ),
            ("HTTP/1.1 200 OK\r\nA: b\r\n \r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", .foldedLines),
            ("HTTP/1.1 200 OK\r\nA \t: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", .whitespaceBeforeColon),
            ("\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", .leadingLines),
            ("\n\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", [.leadingLines, .lineEnds]),
            ("http/1.1  200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", .statusLine),
            (
                "HTTP/1.1 200 OK\r\n: x\r\nX A: b\r\n c\r\nE[]: f\r\nG: h\r\n\r\n", "HTTP/1.1 200 OK\r\nG: h\r\n\r\n",
                [.fieldNames, .foldedLines]
            ),
            (
                "HTTP/1.1 200 OK\r\ncontent-length:5\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", .repeatedLength
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5, 005,5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
                .repeatedLength
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n 5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
                .foldedLines
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .lengthBesideChunks
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding:chunked\r\nContent-Length: 5\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding:chunked\r\n\r\n", .lengthBesideChunks
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", .transferEncoding
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: Chunked,\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncoding
            ),
        ] as [(String, String, ResponseRepairs)]
    )
    func headIsRewritten(received: String, rewritten: String, repairs: ResponseRepairs) throws {
        #expect(try repaired(received) == Repaired(head: rewritten, repairs: repairs))
        // A strict parser rejects a length without a number at once.
        if repairs == .foldedLines, !received.contains("Content-Length:\r\n") {
            #expect(try parse(Array(received.utf8), cuts: [], repairs: false).head == rewritten)
        } else {
            #expect(throws: ParsingError.self) { try parse(Array(received.utf8), cuts: [], repairs: false) }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nA:  b \r\nX-Y:\r\n\r\n", "HTTP/1.0 404 Not  Found\r\n\r\n", "HTTP/1.1 200\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: caf\u{E9}\r\n\r\n",
    ])
    func validHeadIsKept(head: String) throws {
        #expect(try repaired(head) == Repaired(head: head, repairs: []))
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", .conflictingContentLength),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n", .invalidContentLength),
            ("HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n", .invalidContentLength),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n", .invalidContentLength),
            ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", .invalidContentLength),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5,,\r\n\r\n", .invalidContentLength),
            ("HTTP/1.1 200 OK\nContent-Length: 18446744073709551616\n\n", .invalidContentLength),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 5\r\n\r\n",
                .unsupportedTransferEncoding
            ),
            ("HTTP/1.1 200 OK\nA: b\u{1}\n\n", .invalidFieldValue),
            ("HTTP/1.1 200 OK\r\nA: b\u{0}\r\n\r\n", .invalidFieldValue),
            ("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", .bareCarriageReturn),
            ("HTTP/1.1 200 OK\nA: b\rContent-Length: 5\n\n", .bareCarriageReturn),
            ("HTTP/1.1 200 OK\nContent-Length\u{1}: 5\n\n", .invalidFieldName),
            ("HTTP/1.1 200 O\u{1}K\n\n", .invalidReason),
            ("HTTP/1.1 200 OK\r\n A: b\r\n\r\n", .foldedLine),
            ("HTTP/1.1 200 OK\nnocolon\n\n", .missingColon),
            ("HTTP/2 200\r\n\r\n", .unsupportedVersion), ("HTTP/3.0 200 OK\r\n\r\n", .unsupportedVersion),
            ("http/2.0 200 OK\r\n\r\n", .unsupportedVersion),
            ("HTTP/1.1 99 OK\r\n\r\n", .invalidStatusCode),
            ("\n220 mail ESMTP\r\n", .invalidVersion),
            ("220 mail ESMTP\r\n", .invalidVersion),
        ] as [(String, ParsingError.Kind)]
    )
    func ambiguousHeadIsRejected(head: String, kind: ParsingError.Kind) {
        let input = Array(head.utf8)
        for cuts in [[]] + splits(of: input.count) {
            let error = #expect(throws: ParsingError.self) { try parse(input, cuts: cuts) }
            #expect(error?.kind == kind)
            #expect(0...input.count ~= error?.offset ?? -1)
        }
    }

    @Test(
        arguments: [
            ([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100], .foundHTTP2), ([0, 0, 8, 7, 0, 0, 0, 0, 0], .foundHTTP2),
            ([0x15, 3, 1, 0, 2, 2, 70], .foundTLS), ([0, 1, 2, 3, 4, 5, 6, 7, 8], .invalidVersion),
            ([0x15, 1], .invalidVersion),
        ] as [([UInt8], ParsingError.Kind)]
    )
    func otherProtocolIsRecognized(input: [UInt8], kind: ParsingError.Kind) {
        for cuts in [[]] + splits(of: input.count) {
            for repairs in [true, false] {
                let error = #expect(throws: ParsingError.self) { try parse(input, cuts: cuts, repairs: repairs) }
                #expect(error?.kind == kind)
            }
        }
    }

    @Test func connectionIsNotReusedIfFramingIsInDoubt() throws {
        let both = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        let parsed = try parse(Array(both.utf8), cuts: [])
        #expect(parsed.framing == .chunked)
        #expect(!parsed.isKeepAlive)
        let twice = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n"
        #expect(try parse(Array(twice.utf8), cuts: []).isKeepAlive)
    }

    @Test func endlessHeadIsRejectedAtLimit() throws {
        var parser = ResponseParser(limits: .init(statusLine: 100, headerSection: 1000), repairs: true)
        var input = Array("HTTP/1.1 200 OK\n".utf8)
        #expect(throws: ParsingError.self) {
            while input.count < 10_000 {
                input += Array("A: b\n".utf8)
                let slice = input[...]
                _ = try parser.parseHead(slice.span)
            }
        }
        #expect(input.count < 1200)
    }

    @Test func descriptionListsRepairs() {
        #expect(
            "\([.lineEnds, .foldedLines] as ResponseRepairs)" == "ended lines with CR LF; joined folded header lines"
        )
    }

    // MARK: Chunked bodies

    private struct Body: Equatable {
        var content = ""
        var sizes: [Int] = []
        var trailers: [String] = []
        var repairs: ResponseRepairs = []
        var left = 0
    }

    private func decode(_ input: [UInt8], cuts: [Int], repairs: Bool = true) throws -> Body {
        var decoder = BodyDecoder(response: .chunked, limit: 1000, trailerSection: 100, repairs: repairs)
        var body = Body()
        var start = 0
        for end in cuts + [input.count] {
            let piece = input[start..<end]
            let span = piece.span
            var offset = 0
            reading: while true {
                let event = try decoder.decode(span, from: offset)
                offset = event.consumedTo
                switch event {
                case .chunkStart(let size, _): body.sizes.append(size)
                case .data(let range):
                    body.content += String(
                        decoding: input[start + range.lowerBound..<start + range.upperBound],
                        as: UTF8.self
                    )
                case .chunkEnd: continue
                case .end:
                    body.trailers = decoder.trailers.lines.map { String(decoding: $0, as: UTF8.self) }
                    body.repairs = decoder.repairs
                    body.left = input.count - start - offset
                    return body
                case .needsMore: break reading
                }
            }
            start = end
        }
        throw Incomplete()
    }

    @Test(
        arguments: [
            ("5\r\nhello\r\n0\r\n\r\n", [], []), ("5\nhello\n0\n\n", [], .chunkLineEnds),
            ("5;a=b\nhello\r\n0\r\n\r\n", [], .chunkLineEnds), ("5 \nhello\r\n0\r\n\r\n", [], .chunkLineEnds),
            ("5;;=(\r\nhello\r\n0;!\r\n\r\n", [], .chunkExtensions),
            ("5;\"\r\nhello\r\n0\r\n\r\n", [], .chunkExtensions),
            ("5\r\nhello\r\n0\r\nA: b\r\n\r\n", ["A: b"], []),
            ("5\r\nhello\r\n0\r\nA: b\nC:d\n\n", ["A: b", "C:d"], .lineEnds),
            ("5\r\nhello\r\n0\r\nA: b\r\n c\r\n\r\n", ["A: b c"], .foldedLines),
            ("5\r\nhello\r\n0\r\nA : b\r\n\r\n", ["A: b"], .whitespaceBeforeColon),
        ] as [(String, [String], ResponseRepairs)]
    )
    func chunkedBodyIsDecoded(text: String, trailers: [String], repairs: ResponseRepairs) throws {
        let input = Array((text + "rest").utf8)
        let whole = try decode(input, cuts: [])
        #expect(whole == Body(content: "hello", sizes: [5], trailers: trailers, repairs: repairs, left: 4))
        for cuts in splits(of: input.count) { #expect(try decode(input, cuts: cuts) == whole, "cut at \(cuts)") }
        if !repairs.isSubset(of: .foldedLines) {
            #expect(throws: ParsingError.self) { try decode(input, cuts: [], repairs: false) }
        } else {
            #expect(try decode(input, cuts: [], repairs: false) == whole)
        }
    }

    @Test(arguments: [
        "0x5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n", " 5\r\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n",
        "\nhello", "5\r\nhello\r\n0\r\nA: b\u{1}\n\n", "5\r\nhello\r\n0\r\nno colon\n\n",
        "00000000000000005\r\nhello\r\n0\r\n\r\n",
    ])
    func malformedChunkedBodyIsRejected(text: String) {
        let input = Array(text.utf8)
        for cuts in [[]] + splits(of: input.count) {
            #expect(throws: ParsingError.self) { try decode(input, cuts: cuts) }
        }
    }

    @Test func endlessExtensionsAndTrailersAreRejected() {
        let extensions = "1;;" + String(repeating: "x", count: 10_000)
        #expect(throws: ParsingError.self) { try decode(Array(extensions.utf8), cuts: []) }
        let trailers = "0\r\n" + String(repeating: "A: b\n", count: 100)
        #expect(throws: ParsingError.self) { try decode(Array(trailers.utf8), cuts: []) }
    }
}
