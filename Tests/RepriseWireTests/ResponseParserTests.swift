// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@Suite struct ResponseParserTests {
    @Test func preservesHeadLayout() throws {
        let input = bytes("HTTP/1.1 200  Very OK \r\nserver:x\r\nSet-Cookie:  a \r\nSET-COOKIE: b\r\n\r\nbody")
        let head = try head(input)
        #expect(text(input, head.statusLine) == "HTTP/1.1 200  Very OK ")
        #expect(text(input, head.statusText) == "200  Very OK ")
        #expect(head.status == 200)
        #expect(head.reason.map { text(input, $0) } == " Very OK ")
        #expect(head.fields.map { text(input, $0.line) } == ["server:x", "Set-Cookie:  a ", "SET-COOKIE: b"])
        #expect(head.fields.map { text(input, $0.value) } == ["x", "a", "b"])
        #expect(head.length == input.count - 4)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200", nil, "200"), ("HTTP/1.1 200 ", "", "200 "), ("HTTP/1.0 999 x", "x", "999 x"),
            ("HTTP/1.1 404 \u{E9}\t!", "\u{E9}\t!", "404 \u{E9}\t!"),
        ] as [(String, String?, String)]
    )
    func acceptsAnyReason(line: String, reason: String?, statusText: String) throws {
        let input = bytes(line + "\r\n\r\n")
        let head = try head(input)
        #expect(head.reason.map { text(input, $0) } == reason)
        #expect(text(input, head.statusText) == statusText)
        #expect(text(input, head.statusLine) == line)
    }

    @Test(
        arguments: [
            (200, "", .other, .untilClose, false), (200, "Content-Length: 5", .other, .length(5), true),
            (200, "Content-Length: 0", .other, .length(0), true),
            (200, "Transfer-Encoding: chunked", .other, .chunked, true),
            (200, "Content-Length: 5\r\nConnection: close", .other, .length(5), false),
            (200, "Content-Length: 5", .head, .none, true), (200, "Transfer-Encoding: chunked", .head, .none, true),
            (200, "", .head, .none, true), (204, "", .other, .none, true),
            (204, "Content-Length: 5", .other, .none, true),
            (304, "Content-Length: 5", .other, .none, true), (304, "Transfer-Encoding: chunked", .other, .none, true),
            (100, "", .other, .none, true), (103, "Link: x", .other, .none, true),
            (101, "Upgrade: x", .other, .tunnel, false),
            (200, "", .connect, .tunnel, false), (299, "Content-Length: 5", .connect, .tunnel, false),
            (300, "Content-Length: 5", .connect, .length(5), true), (407, "", .connect, .untilClose, false),
        ] as [(Int, String, ResponseParser.RequestKind, ResponseBodyFraming, Bool)]
    )
    func determinesBodyFraming(
        status: Int,
        line: String,
        request: ResponseParser.RequestKind,
        framing: ResponseBodyFraming,
        isKeepAlive: Bool
    ) throws {
        let lines = line.isEmpty ? "" : line + "\r\n"
        let head = try head(bytes("HTTP/1.1 \(status) x\r\n\(lines)\r\n"), answering: request)
        #expect(head.body == framing)
        #expect(head.isKeepAlive == isKeepAlive)
    }

    @Test(arguments: [("", false), ("Connection: keep-alive\r\n", true)])
    func closesAfterHTTP10UnlessKeepAlive(line: String, isKeepAlive: Bool) throws {
        let head = try head(bytes("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\(line)\r\n"))
        #expect(head.minorVersion == 0)
        #expect(head.isKeepAlive == isKeepAlive)
    }

    @Test func readsInterimHeadsSeparately() throws {
        let input = bytes(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        )
        var parser = ResponseParser()
        var offset = 0
        var statuses: [Int] = []
        repeat {
            parser.reset()
            #expect(try parser.parseHead(input.span.extracting(offset..<input.count)))
            offset += parser.head.length
            statuses.append(parser.head.status)
        } while parser.head.isInterim
        #expect(statuses == [100, 103, 200])
        #expect(offset == input.count)
        #expect(try head(bytes("HTTP/1.1 101 S\r\n\r\n")).isInterim == false)
    }

    static let rejected: [(String, ParsingError.Kind)] = [
        ("http/1.1 200 OK", .invalidVersion), ("\r\nHTTP/1.1 200 OK", .invalidVersion),
        ("HTTP/1.1\r\n", .invalidVersion),
        ("HTTP/1.1\t200", .invalidVersion), ("HTTP/2.0 200 OK", .unsupportedVersion), ("ICY 200 OK", .invalidVersion),
        ("HTTP/1.1  200 OK", .invalidStatusCode), ("HTTP/1.1 20 OK", .invalidStatusCode),
        ("HTTP/1.1 2000 OK", .invalidStatusCode), ("HTTP/1.1 099 OK", .invalidStatusCode),
        ("HTTP/1.1 +20 OK", .invalidStatusCode), ("HTTP/1.1 200\tOK", .invalidStatusCode),
        ("HTTP/1.1 200\n", .bareLineFeed), ("HTTP/1.1 200 OK\n", .bareLineFeed), ("HTTP/1.1 200 \u{0}", .invalidReason),
        ("HTTP/1.1 200 O\rK", .bareCarriageReturn), ("HTTP/1.1 200\rX", .bareCarriageReturn),
        ("HTTP/1.1 200 \(String(repeating: "x", count: 8180))", .oversizedReason),
        ("HTTP/1.1 200 OK\r\nA : b", .whitespaceBeforeColon),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\nD : e\r\n\r\n", .foldedLine),
        ("HTTP/1.1 200 OK\r\nA: b\nC: d", .bareLineFeed), ("HTTP/1.1 200 OK\r\nA: \u{0}", .invalidFieldValue),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n", .conflictingContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n", .invalidContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n", .contentLengthWithTransferEncoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n", .unsupportedTransferEncoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n", .invalidTransferEncoding),
    ]

    @Test(arguments: rejected) func rejectsInvalidHead(_ input: String, kind: ParsingError.Kind) {
        let error = #expect(throws: ParsingError.self) { try head(bytes(input)) }
        #expect(error?.kind == kind)
    }

    @Test func limitsStatusLine() {
        let limits = ResponseParser.Limits(statusLine: 20)
        let line = "HTTP/1.1 200 1234567"
        #expect(throws: Never.self) { try head(bytes(line + "\r\n\r\n"), limits: limits) }
        #expect(throws: ParsingError.self) { try head(bytes(line + "8"), limits: limits) }
    }

    @Test(
        arguments: rejected.map(\.0) + [
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200\r\n\r\n", "HTTP/1.1 200 \r\nA: b \r\nContent-Type: c\r\n\r\nxyz",
            "HTTP/1.0 304 N\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n",
        ]
    )
    func parsesSameHeadAtEverySplit(_ input: String) {
        let input = bytes(input)
        let whole = summary(input, cuts: [])
        for cuts in splits(of: min(input.count, 100)) { #expect(summary(input, cuts: cuts) == whole) }
    }

    private func head(
        _ input: [UInt8],
        answering request: ResponseParser.RequestKind = .other,
        limits: ResponseParser.Limits = .init()
    ) throws(ParsingError) -> ResponseParser.Head {
        var parser = ResponseParser(limits: limits)
        let isComplete = try parser.parseHead(input.span, answering: request)
        #expect(isComplete)
        return parser.head
    }

    private func summary(_ input: [UInt8], cuts: [Int]) -> String {
        var parser = ResponseParser()
        do throws(ParsingError) {
            for end in cuts + [input.count] {
                if try parser.parseHead(input.span.extracting(0..<end)) { return String(describing: parser.head) }
            }
            return "needs more"
        } catch {
            return error.description
        }
    }
}
