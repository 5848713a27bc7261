// SPDX-License-Identifier: Apache-2.0

import Benchmark
import RepriseWire

/// Parsing messages from bytes, a thousand in each sample.
func wireBenchmarks() {
    for (name, text) in [("100-byte GET", smallRequest), ("600-byte browser GET", browserRequest)] {
        let bytes = Array(text.utf8)
        Benchmark("RequestParser, \(name)") { benchmark in
            var parser = RequestParser()
            for _ in benchmark.scaledIterations {
                guard try parser.parseHead(bytes.span) else { fatalError("incomplete head: \(name)") }
                blackHole(parser.head.length)
                parser.reset()
            }
        }
    }
    for size in [16, 512, 16 * 1024] {
        let bytes = chunkedBody(of: size)
        Benchmark("BodyDecoder, 64 KiB in chunks of \(size)", configuration: .init(scalingFactor: .one)) { benchmark in
            for _ in benchmark.scaledIterations { blackHole(try decode(bytes)) }
        }
    }
}

private func decode(_ bytes: [UInt8]) throws -> Int {
    var decoder = BodyDecoder(.chunked, limit: 1 << 20)
    var offset = 0
    while true {
        let event = try decoder.decode(bytes.span, from: offset)
        offset = event.consumedTo
        switch event {
        case .end: return decoder.received
        case .needsMore: fatalError("incomplete body")
        case .chunkStart, .chunkEnd, .data: continue
        }
    }
}

private func chunkedBody(of size: Int) -> [UInt8] {
    let chunk = [UInt8](repeating: 0x78, count: size)
    var bytes: [UInt8] = []
    for _ in 0..<(64 * 1024 / size) { ChunkEncoder.appendChunk(chunk, to: &bytes) }
    ChunkEncoder.appendLastChunk(trailers: [[UInt8]](), to: &bytes)
    return bytes
}

private let smallRequest = """
    GET /api/v1/items/12345 HTTP/1.1\r
    Host: 127.0.0.1:8080\r
    Accept: application/json\r
    User-Agent: xy\r
    \r

    """

private let browserRequest = """
    GET /api/v1/items/12345?include=profile&page=2 HTTP/1.1\r
    Host: staging.example.com\r
    Connection: keep-alive\r
    sec-ch-ua: "Chromium";v="130", "Not?A_Brand";v="99"\r
    sec-ch-ua-mobile: ?0\r
    User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36\r
    Accept: application/json, text/plain, */*\r
    Sec-Fetch-Site: same-origin\r
    Sec-Fetch-Mode: cors\r
    Sec-Fetch-Dest: empty\r
    Referer: https://staging.example.com/items\r
    Accept-Encoding: gzip, deflate, br, zstd\r
    Accept-Language: en-GB,en;q=0.9\r
    Cookie: session=0123456789abcdef0123456789abcdef0123456789abcd\r
    \r

    """
