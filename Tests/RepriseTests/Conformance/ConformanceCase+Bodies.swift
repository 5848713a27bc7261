// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport
import Testing

extension ConformanceCase {
    /// The content of responses.
    static let bodies: [ConformanceCase] = [
        ConformanceCase("delivers content as it arrives") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("\(ok)Content-Length: 5\r\n\r\n")
            var chunks = try await response.body.makeAsyncIterator()
            // Each byte is sent after the previous one was read.
            for byte in Array("hello".utf8) {
                try await connection.send([byte])
                #expect(try await chunks.next() == [byte])
            }
            #expect(try await chunks.next() == nil)
            #expect(try await response.ending == .complete)
        },
        ConformanceCase("delivers content once", isForStubs: true) { subject in
            for content in ["", "hello"] {
                let response = try await subject.answer(
                    with: "\(ok)Content-Length: \(content.utf8.count)\r\n\r\n\(content)",
                    or: .bytes(Array(content.utf8))
                )
                #expect(try await response.body.collect() == Array(content.utf8))
                #expect(response.ending == .complete)
                let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
                #expect(error?.code == .bodyConsumed)
            }
        },
        ConformanceCase("delivers pieces of a chunk as they arrive") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhe")
            var chunks = try await response.body.makeAsyncIterator()
            #expect(try await chunks.next() == Array("he".utf8))
            try await connection.send("llo\r\n0\r\n\r\n")
            #expect(try await chunks.next() == Array("llo".utf8))
            #expect(try await chunks.next() == nil)
        },
        ConformanceCase("preserves the boundaries of chunks", isForStubs: true) { subject in
            let response = try await subject.answer(
                with: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n2\r\nef\r\n0\r\n\r\n",
                or: .stream("abc", "d", "ef")
            )
            var chunks: [String] = []
            var chunk: [UInt8] = []
            for try await case .bytes(let bytes, let endsChunk) in response.body.parts {
                chunk += bytes
                guard endsChunk else { continue }
                chunks.append(String(decoding: chunk, as: UTF8.self))
                chunk = []
            }
            #expect(chunks == ["abc", "d", "ef"])
        },
        ConformanceCase("reports the end of a chunk that arrives in pieces") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhe")
            var parts = try await response.body.parts.makeAsyncIterator()
            #expect(try await parts.next() == .bytes(Array("he".utf8), endsChunk: false))
            try await connection.send("llo\r\n0\r\n\r\n")
            #expect(try await parts.next() == .bytes(Array("llo".utf8), endsChunk: true))
            #expect(try await parts.next() == nil)
        },
        ConformanceCase("provides the trailer fields", isForStubs: true) { subject in
            let response = try await subject.answer(
                with: """
                    HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum:  1\r\nx-sum: 2\r\n\r\n
                    """,
                or: .stream("a", trailers: ["X-Sum:  1", "x-sum: 2"])
            )
            #expect(try await response.text() == "a")
            #expect(response.body.rawTrailers == [Array("X-Sum:  1".utf8), Array("x-sum: 2".utf8)])
            #expect(response.trailers?[fields: .init("X-Sum")!].map(\.value) == ["1", "2"])
        },
        ConformanceCase("reads until the connection closes if there is no length") { subject in
            for version in ["1.0", "1.1"] {
                let response = try await subject.answer(
                    with: "HTTP/\(version) 200 OK\r\n\r\nall of it",
                    andCloses: true,
                    or: .status(.ok)
                )
                #expect(try await response.text() == "all of it")
                #expect(response.ending == .complete)
            }
        },
        ConformanceCase("reports a known length") { subject in
            let response = try await subject.answer(
                with: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd",
                or: .text("abcd")
            )
            #expect(response.body.length == 4)
        },
    ]

    /// The endings of content.
    static let endings: [ConformanceCase] = [
        ConformanceCase("reports truncated content", isForStubs: true) { subject in
            for framing in ["Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"] {
                let response: Response
                if subject.live == nil {
                    response = try await subject.answer(with: "", or: .stream("abc", ending: .truncated))
                } else {
                    let server = try await subject.server()
                    async let coming = subject.transport.send(server.request())
                    let connection = try await server.accept()
                    _ = try await connection.readRequest()
                    try await connection.send("\(ok)\(framing)")
                    response = try await coming
                    await connection.close()
                }
                try await expectFailure(.truncated, ending: .truncated, after: "abc", of: response)
            }
        },
        ConformanceCase("reports a reset in the content", isForStubs: true) { subject in
            let response: Response
            if subject.live == nil {
                response = try await subject.answer(with: "", or: .stream("abc", ending: .reset))
            } else {
                let server = try await subject.server()
                async let coming = subject.transport.send(server.request())
                let connection = try await server.accept()
                _ = try await connection.readRequest()
                try await connection.send("\(ok)Content-Length: 10\r\n\r\nabc")
                response = try await coming
                var chunks = response.body.makeAsyncIterator()
                #expect(try await chunks.next() == Array("abc".utf8))
                await connection.reset()
                let error = await #expect(throws: TransportError.self) { try await chunks.next() }
                #expect(error?.code == .reset)
                #expect(response.ending == .reset)
                return
            }
            try await expectFailure(.reset, ending: .reset, after: "abc", of: response)
        },
        ConformanceCase("reports a connection that ends before the head") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request(.post), body: "content")
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            await connection.close()
            do {
                _ = try await response
                Issue.record("expected an error, not a response")
            } catch {
                let code = (error as? TransportError)?.code
                #expect(code == .reset || code == .truncated)
            }
        },
        ConformanceCase("rejects an invalid chunk") { subject in
            let response = try await subject.answer(
                with: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
                or: .status(.ok)
            )
            let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
            #expect(error?.code == .malformedResponse)
        },
    ]

    private static func expectFailure(
        _ code: TransportError.Code,
        ending: Ending,
        after expected: String,
        of response: Response
    ) async throws {
        var received: [UInt8] = []
        do {
            for try await chunk in response.body { received += chunk }
            Issue.record("expected the content to end with \(code)")
        } catch let error as TransportError {
            #expect(error.code == code)
        }
        #expect(String(decoding: received, as: UTF8.self) == expected)
        #expect(response.ending == ending)
    }
}
