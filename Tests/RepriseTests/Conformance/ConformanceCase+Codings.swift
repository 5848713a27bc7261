// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport
import Testing

extension ConformanceCase {
    /// Content codings (RFC 9110 section 8.4).
    static let codings: [ConformanceCase] = [
        ConformanceCase("asks for gzip") { subject in
            let request = try await seen(subject)
            #expect(request["Accept-Encoding"]?.contains("gzip") == true)
            let own = try await seen(subject, fields: [.acceptEncoding: "identity"])
            #expect(own.fields.filter { $0.name.lowercased() == "accept-encoding" }.map(\.value) == ["identity"])
        },
        ConformanceCase("asks for no coding of a range") { subject in
            let request = try await seen(subject, fields: [.range: "bytes=0-9"])
            #expect(request["Accept-Encoding"] == nil)
        },
        ConformanceCase("decodes gzip and deflate") { subject in
            let zlib: [UInt8] = [0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x06, 0x2C, 0x02, 0x15]
            for (coding, content) in [("gzip", gzippedHello), ("x-gzip", gzippedHello), ("deflate", zlib)] {
                let response = try await coded(coding, content, subject)
                #expect(response.headers[.contentEncoding] == nil)
                #expect(response.headers[.contentLength] == nil)
                #expect(response.body.length == nil)
                #expect(try await response.text() == "hello")
                #expect(response.ending == .complete)
            }
        },
        ConformanceCase("decodes gzip as it arrives") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("\(ok)Content-Encoding: gzip\r\nContent-Length: 31\r\n\r\n")
            try await connection.send([31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 202, 72, 5, 0, 0, 0, 255, 255])
            var chunks = try await response.body.makeAsyncIterator()
            #expect(try await chunks.next() == Array("he".utf8))
            try await connection.send([203, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0])
            #expect(try await chunks.next() == Array("llo".utf8))
            #expect(try await chunks.next() == nil)
        },
        ConformanceCase("leaves other codings") { subject in
            let response = try await coded("zstd", gzippedHello, subject)
            #expect(response.headers[.contentEncoding] == "zstd")
            #expect(try await response.body.collect() == gzippedHello)
        },
        ConformanceCase("reports content that ends within its coding") { subject in
            let response = try await coded("gzip", Array(gzippedHello.dropLast(9)), subject)
            let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
            #expect(error?.code == .truncated)
            #expect(error?.message.contains("gzip") == true)
        },
        ConformanceCase("reports content that is not in its coding") { subject in
            let wrongSum: [UInt8] = gzippedHello.dropLast(8) + [1, 2, 3, 4, 5, 0, 0, 0]
            for content in [Array("hello".utf8), wrongSum] {
                let error = await #expect(throws: TransportError.self) {
                    try await coded("gzip", content, subject).body.collect()
                }
                #expect(error?.code == .malformedResponse)
            }
        },
    ]

    /// The output of `printf hello | gzip -n`.
    static let gzippedHello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10, 0x36, 0x05,
        0, 0, 0,
    ]

    private static func coded(
        _ coding: String,
        _ content: [UInt8],
        _ subject: ConformanceSubject
    ) async throws -> Response {
        let server = try await subject.server()
        async let response = subject.transport.send(server.request())
        let connection = try await server.accept()
        _ = try await connection.readRequest()
        let head = "\(ok)Content-Encoding: \(coding)\r\nContent-Length: \(content.count)\r\n\r\n"
        try await connection.send(Array(head.utf8) + content)
        return try await response
    }
}
