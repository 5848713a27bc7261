// SPDX-License-Identifier: Apache-2.0
import HTTPWire
import Testing

@Suite struct RequestParserTests {
    @Test func readsAHead() throws {
        let bytes = Array("POST /a/b?c=d HTTP/1.1\r\nHost: example.com\r\nContent-Length: 3\r\n\r\nabc".utf8)
        var parser = RequestParser()
        #expect(try parser.parseHead(bytes.span))
        let head = parser.head
        #expect(String(decoding: bytes[head.method], as: UTF8.self) == "POST")
        #expect(String(decoding: bytes[head.path], as: UTF8.self) == "/a/b")
        #expect(head.query.map { String(decoding: bytes[$0], as: UTF8.self) } == "c=d")
        #expect(head.body == .length(3))
        #expect(bytes[head.length...] == Array("abc".utf8)[...])
    }

    @Test func decodesChunks() throws {
        let bytes = Array("5;a=\"b\"\r\nhello\r\n1\r\n!\r\n0\r\nTrailer: x\r\n\r\nGET".utf8)
        var decoder = BodyDecoder(.chunked, limit: 100)
        var events: [BodyEvent] = []
        var offset = 0
        while true {
            let event = try decoder.decode(bytes.span, from: offset)
            offset = event.consumedTo
            events.append(event)
            if case .end = event { break }
        }
        #expect(events.count == 7)
        #expect(bytes.count - offset == 3)
        #expect(decoder.trailers.fields.count == 1)
        #expect(decoder.trailers.bytes == Array("Trailer: x\r\n".utf8))
    }
}
