// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct DecodedBodyTests {
    private static let hello = ConformanceCase.gzippedHello
    /// ``hello`` in gzip.
    private static let twice: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 147, 239, 230, 96, 0, 3, 230, 211, 30, 103, 79, 158, 100, 103, 104, 91, 38, 96,
        198, 10, 228, 3, 0, 96, 255, 136, 145, 25, 0, 0, 0,
    ]

    private func response(
        _ parts: [Body.Part],
        _ coding: String = "gzip",
        _ status: HTTPResponse.Status = .ok,
        to method: HTTPRequest.Method = .get
    ) -> Response {
        let lines = "HTTP/1.1 200 OK\r\nA:  1\r\ncontent-ENCODING: \(coding)\r\nContent-Length: 9\r\nB: 2\r\n"
        let head = HTTPResponse(status: status, headerFields: [.contentEncoding: coding, .contentLength: "9"])
        let body = Body(ScriptedSource(parts))
        let request = HTTPRequest(method: method, scheme: "http", authority: "h", path: "/")
        return Response(head, rawHead: RawHead(bytes: Array(lines.utf8)), body: body)
            .decoded(answering: request, RequestOptions())
    }

    @Test func decodesAtEverySplit() async throws {
        for cut in 0...Self.hello.count {
            let pieces = [Self.hello[..<cut], Self.hello[cut...]].filter { !$0.isEmpty }
            let response = response(pieces.map { .bytes(Array($0), endsChunk: true) })
            #expect(try await response.text() == "hello")
        }
    }

    @Test(
        arguments: [
            ("GZIP", hello, "hello"), ("gzip, gzip", twice, "hello"), ("identity, gzip", hello, "hello"),
            ("gzip, aws-chunked", hello, "hello"),
            ("gzip", hello + hello, "hellohello"), ("gzip", [], ""), ("deflate", [0xCB, 0x48, 5, 0], "he"),
        ] as [(String, [UInt8], String)]
    )
    func decodesContent(coding: String, content: [UInt8], expected: String) async throws {
        let response = response(content.isEmpty ? [] : [.bytes(content, endsChunk: true)], coding)
        #expect(response.headers.isEmpty)
        #expect(response.rawHead?.bytes == Array("HTTP/1.1 200 OK\r\nA:  1\r\nB: 2\r\n".utf8))
        #expect(try await response.text() == expected)
    }

    @Test(
        arguments: [
            ("br", 200, HTTPRequest.Method.get), ("gzip, br", 200, .get), ("identity", 200, .get), ("gzip", 206, .get),
            ("gzip", 304, .get), ("gzip", 200, .head), ("gzip,gzip,gzip,gzip", 200, .get),
        ] as [(String, Int, HTTPRequest.Method)]
    )
    func leavesOtherContent(coding: String, status: Int, method: HTTPRequest.Method) async throws {
        let response = response([.bytes([1, 2], endsChunk: true)], coding, .init(code: status), to: method)
        #expect(response.headers == [.contentEncoding: coding, .contentLength: "9"])
        #expect(try await response.body.collect() == [1, 2])
    }

    @Test func preservesTrailers() async throws {
        let response = response([.bytes(Self.hello, endsChunk: true), .trailers([Array("A: 1".utf8)])])
        #expect(try await response.text() == "hello")
        #expect(response.trailers == [.init("A")!: "1"])
    }

    /// A small body that expands to a large one takes no more memory than its pieces.
    @Test func decodesInSmallPieces() async throws {
        // 10 MB of zeros, in matches that repeat the previous byte (RFC 1951 section 3.2.6).
        let source = ScriptedSource([.bytes(Self.zeros, endsChunk: true)])
        var response = Response(HTTPResponse(status: .ok, headerFields: [.contentEncoding: "deflate"]))
        response.body = Body(source)
        let request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")
        var count = 0
        for try await chunk in response.decoded(answering: request, RequestOptions()).body {
            #expect(chunk.count <= 64 << 10)
            count += chunk.count
        }
        #expect(count == 1 + 258 * Self.matches)
    }

    private static let matches = 40_000

    /// Deflated zeros: the byte 0, then matches of length 258 and distance 1 (codes 285 and 0) with fixed codes.
    private static let zeros: [UInt8] = {
        var bits: [Bool] = [true, true, false]
        bits += [false, false, true, true, false, false, false, false]
        for _ in 0..<matches {
            bits += [true, true, false, false, false, true, false, true] + [Bool](repeating: false, count: 5)
        }
        bits += [Bool](repeating: false, count: 7)
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].enumerated().reduce(UInt8(0)) { byte, bit in
                byte | (bit.element ? UInt8(1) << UInt8(bit.offset) : 0)
            }
        }
    }()

    @Test(arguments: [Array(hello.dropLast(1)), Array(hello.dropLast(9)), [0x1F]])
    func throwsIfContentEndsEarly(content: [UInt8]) async {
        let response = response([.bytes(content, endsChunk: true)])
        let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
        #expect(error?.code == .truncated)
        #expect(error?.message.contains("gzip") == true)
        #expect(response.ending == .truncated)
    }

    @Test(arguments: [Array("hello".utf8), hello + Array("x".utf8)])
    func throwsIfContentIsInvalid(content: [UInt8]) async {
        let response = response([.bytes(content, endsChunk: true)])
        let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
        #expect(error?.code == .malformedResponse)
        #expect(error?.message.contains("gzip") == true)
    }
}
