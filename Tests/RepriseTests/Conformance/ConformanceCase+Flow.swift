// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseLocking
import RepriseTestSupport
import Testing

extension ConformanceCase {
    /// Large bodies, and slow readers and servers.
    static let flow: [ConformanceCase] = [
        ConformanceCase("downloads 100 MB without buffering the content") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(100 * mebibyte)\r\n\r\n")
            let sent = Locked(0)
            let sending = Task { try await connection.send(mebibytes: 100, counting: sent) }
            var (received, mostUnderWay) = (0, 0)
            for try await chunk in try await response.body {
                received += chunk.count
                mostUnderWay = max(mostUnderWay, sent.withLock { $0 } - received)
            }
            try await sending.value
            #expect(received == 100 * mebibyte)
            #expect(mostUnderWay < 48 * mebibyte)
        },
        ConformanceCase("uploads 100 MB") { subject in
            let server = try await subject.server(readsAtOnce: false)
            let body = Body(Mebibytes(count: 100), length: 100 * mebibyte)
            async let response = subject.transport.send(server.request(.put), body: body)
            let connection = try await server.accept()
            #expect(try await connection.readRequestHead()["Content-Length"] == "\(100 * mebibyte)")
            for _ in 0..<100 {
                #expect(try await connection.read(count: mebibyte, within: .seconds(180)).bytes.last == 7)
            }
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await response.status == .noContent)
        },
        ConformanceCase("slows the sender down for a slow reader") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(64 * mebibyte)\r\n\r\n")
            let sent = Locked(0)
            let sending = Task { try await connection.send(mebibytes: 64, counting: sent) }
            var chunks = try await response.body.makeAsyncIterator()
            var received = try await chunks.next()?.count ?? 0
            try await waitUntilStill(sent)
            #expect(sent.withLock { $0 } < 48 * mebibyte)
            while let chunk = try await chunks.next() { received += chunk.count }
            try await sending.value
            #expect(received == 64 * mebibyte)
        },
        ConformanceCase("slows a request's body down for a slow server") { subject in
            let server = try await subject.server(readsAtOnce: false)
            let pulled = Locked(0)
            let body = Body(Mebibytes(count: 64, pulled: pulled), length: 64 * mebibyte)
            async let response = subject.transport.send(server.request(.put), body: body)
            let connection = try await server.accept()
            _ = try await connection.readRequestHead()
            try await waitUntilStill(pulled)
            #expect(pulled.withLock { $0 } < 48 * mebibyte)
            for _ in 0..<64 { try await connection.read(count: mebibyte, within: .seconds(180)) }
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await response.status == .noContent)
        },
        ConformanceCase("streams a request's body") { subject in
            let server = try await subject.server()
            let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
            async let response = subject.transport.send(server.request(.post), body: Body(chunks))
            continuation.yield(Array("first".utf8))
            // A transport that sends only complete bodies never connects.
            let limit: Duration = subject.kind == .urlSession ? .seconds(5) : .seconds(180)
            let connection = try await server.accept(within: limit)
            _ = try await connection.readRequestHead()
            #expect(try await connection.readChunk() == Array("first".utf8))
            continuation.yield(Array("second".utf8))
            #expect(try await connection.readChunk() == Array("second".utf8))
            continuation.finish()
            #expect(try await connection.readChunk() == nil)
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            #expect(try await response.status == .ok)
        },
        ConformanceCase("accepts a final response before the request's body is sent") { subject in
            let server = try await subject.server(readsAtOnce: false)
            let body = Body(Mebibytes(count: 64), length: 64 * mebibyte)
            async let response = subject.transport.send(server.request(.put), body: body)
            let connection = try await server.accept()
            _ = try await connection.readRequestHead()
            try await connection.send(
                "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 8\r\n\r\ntoo much"
            )
            #expect(try await response.status.code == 413)
            #expect(try await response.text() == "too much")
        },
    ]

    private static let mebibyte = 1 << 20

    /// Waits until a counter stops changing.
    private static func waitUntilStill(_ counter: Locked<Int>) async throws {
        var (last, unchanged) = (-1, 0)
        while unchanged < 25 {
            try await Task.sleep(for: .milliseconds(20))
            let now = counter.withLock { $0 }
            unchanged = now == last ? unchanged + 1 : 0
            last = now
        }
    }
}

extension RawClient {
    fileprivate func send(mebibytes count: Int, counting sent: Locked<Int>) async throws {
        let block = [UInt8](repeating: 7, count: 1 << 20)
        for _ in 0..<count {
            try await send(block, inPiecesOf: 1 << 16, within: .seconds(60))
            sent.withLock { $0 += block.count }
        }
    }
}

/// The given number of chunks of 1 MiB each.
private struct Mebibytes: AsyncSequence {
    var count: Int
    /// How many bytes were read.
    var pulled = Locked(0)

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: count, pulled: pulled)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: Int
        let pulled: Locked<Int>
        let block = [UInt8](repeating: 7, count: 1 << 20)

        mutating func next() async -> [UInt8]? {
            guard rest > 0 else { return nil }
            rest -= 1
            pulled.withLock { $0 += block.count }
            return block
        }
    }
}
