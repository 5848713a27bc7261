import RepriseTestSupport
// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@Suite struct EncoderTests {
    @Test func writesResponseHeadVerbatim() {
        var output: [UInt8] = []
        ResponseHeadEncoder.appendStatusLine(status: 200, reason: "OK", to: &output)
        ResponseHeadEncoder.appendFieldLine(bytes("set-COOKIE:a ; \u{E9}"), to: &output)
        ResponseHeadEncoder.appendField(name: "Content-Type", value: "text/plain", to: &output)
        ResponseHeadEncoder.appendField(name: "Content-Length", value: 1205, to: &output)
        ResponseHeadEncoder.appendEndOfHead(to: &output)
        #expect(
            text(output, 0..<output.count) == "HTTP/1.1 200 OK\r\nset-COOKIE:a ; \u{E9}\r\nContent-Type: text/plain\r\n"
                + "Content-Length: 1205\r\n\r\n"
        )
    }

    @Test func writesEmptyReason() {
        var output: [UInt8] = []
        ResponseHeadEncoder.appendStatusLine(status: 404, reason: "", to: &output)
        #expect(output == bytes("HTTP/1.1 404 \r\n"))
    }

    @Test func writesRequestHeadVerbatim() {
        var output: [UInt8] = []
        RequestHeadEncoder.appendRequestLine(method: "GET", target: "/a?b", to: &output)
        RequestHeadEncoder.appendField(name: "Host", value: "h", to: &output)
        RequestHeadEncoder.appendEndOfHead(to: &output)
        #expect(output == bytes("GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n"))
    }

    @Test(arguments: [0, 1, 9, 10, 99, 100, 12345, .max, -1, .min])
    func writesNumbersInDecimal(number: Int) {
        var output: [UInt8] = []
        ResponseHeadEncoder.appendField(name: "N", value: number, to: &output)
        #expect(output == bytes("N: \(number)\r\n"))
    }

    @Test(arguments: [1, 9, 10, 15, 16, 255, 256, 4096, 0xABCDEF, .max])
    func writesChunkSizesInLowercase(size: Int) {
        var output: [UInt8] = []
        ChunkEncoder.appendChunkStart(size: size, to: &output)
        #expect(output == bytes(String(size, radix: 16) + "\r\n"))
    }

    @Test func writesChunksAndTrailers() {
        var output: [UInt8] = []
        ChunkEncoder.appendChunk(bytes("0123456789"), to: &output)
        ChunkEncoder.appendChunk([], to: &output)
        ChunkEncoder.appendChunk(bytes("xyz")[1...], to: &output)
        ChunkEncoder.appendLastChunk(trailers: [[UInt8]](), to: &output)
        ChunkEncoder.appendLastChunk(trailers: [bytes("A: b"), bytes("C:d")], to: &output)
        #expect(output == bytes("a\r\n0123456789\r\n2\r\nyz\r\n0\r\n\r\n0\r\nA: b\r\nC:d\r\n\r\n"))
    }

    @Test(arguments: 0..<50) func chunksRoundTripThroughDecoder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var body: [UInt8] = []
        var content: [UInt8] = []
        var sizes: [Int] = []
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            let chunk = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            ChunkEncoder.appendChunk(chunk, to: &body)
            content += chunk
            sizes.append(chunk.count)
        }
        ChunkEncoder.appendLastChunk(trailers: [bytes("T: u")], to: &body)
        let transcript = RequestTranscript(bytes(RequestCorpus.chunked("")) + body)
        #expect(transcript.requests.first?.body == text(content, 0..<content.count))
        #expect(transcript.requests.first?.chunks == sizes)
        #expect(transcript.requests.first?.trailers == ["T: u"])
        #expect(transcript.completed == 1)
    }
}
