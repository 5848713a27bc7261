import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct ResponseTests {
    @Test func preservesHeadBytes() async throws {
        let head = "HTTP/1.1 200  Fine \r\nserver:x\r\nSet-Cookie:  a \r\nset-cookie: b\r\nContent-Length: 5\r\n\r\n"
        try await exchange(head + "hello") { response in
            #expect(response.head.status == 200)
            #expect(String(decoding: response.head.bytes, as: UTF8.self) == head)
            #expect(String(decoding: response.head.statusText, as: UTF8.self) == "200  Fine ")
            let lines = response.head.fields.map { String(decoding: $0.line, as: UTF8.self) }
            #expect(lines == ["server:x", "Set-Cookie:  a ", "set-cookie: b", "Content-Length: 5"])
            #expect(response.head.fields.map(\.name) == ["server", "Set-Cookie", "set-cookie", "Content-Length"])
            #expect(response.head.fields.map(\.value) == ["x", "a", "b", "5"])
            let text = try await response.text()
            #expect(text == "hello")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    ])
    func bodilessResponseIsEmpty(response: String) async throws {
        try await exchange(response) {
            let text = try await $0.text()
            #expect(text.isEmpty)
        }
    }

    @Test func responseToHEADHasNoBody() async throws {
        try await exchange("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", method: "HEAD") { response in
            let text = try await response.text()
            #expect(text.isEmpty)
            #expect(response.head.fields.map(\.value) == ["5"])
        }
    }

    @Test func preservesChunksAndTrailers() async throws {
        let chunks = "5\r\nhello\r\n1;x=y\r\n \r\n5\r\nworld\r\n0\r\nA: 1\r\nb:2\r\n\r\n"
        try await exchange("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks) { response in
            let body = try await response.collect()
            #expect(String(decoding: body.content, as: UTF8.self) == "hello world")
            #expect(body.chunkSizes == [5, 1, 5])
            #expect(body.trailers.map { String(decoding: $0, as: UTF8.self) } == ["A: 1", "b:2"])
        }
    }

    @Test func skipsInterimResponses() async throws {
        let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
        try await exchange(interim + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") { response in
            #expect(response.status == 200)
            let text = try await response.text()
            #expect(text == "ok")
        }
    }

    @Test func readsBodyDelimitedByClose() async throws {
        try await exchange("HTTP/1.1 200 OK\r\n\r\nall of it", thenCloses: true) { response in
            let text = try await response.text()
            #expect(text == "all of it")
        }
    }

    @Test(arguments: ResponseCorpus.accepted) func readsSameResponseByteByByte(text: String) async throws {
        let bytes = Array(text.utf8)
        let whole = ResponseTranscript(bytes)
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(bytes, inPiecesOf: 1)
            if !whole.isComplete { await connection.finishWriting() }
            try await connection.readToEnd()
        }
        try await withPool { pool in
            let response = try await pool.send(.get(from: server))
            let body = try await response.collect()
            #expect(String(decoding: body.content, as: UTF8.self) == whole.content)
            #expect(body.trailers.map { String(decoding: $0, as: UTF8.self) } == whole.trailers)
            if response.head.fields.contains(where: { $0.name.lowercased() == "transfer-encoding" }) {
                #expect(body.chunkSizes == whole.chunks.map(\.utf8.count))
            }
        }
    }

    // MARK: Failures

    @Test(arguments: ResponseCorpus.truncated) func truncatedResponseThrows(text: String) async throws {
        for isReset in [false, true] {
            let server = try await ScriptedServer.start { connection in
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(text)
                if isReset { await connection.reset() }
            }
            try await withPool { pool in
                let error = await connectionError { try await pool.send(.get(from: server)).collect() }
                // A reset may overtake bytes that were sent before it.
                #expect(error?.name == "truncated" && !isReset || error?.name == "reset" && isReset)
            }
            try await server.expectOpenConnections(0)
        }
    }

    @Test func deliversContentBeforeTruncationError() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
        }
        try await withPool { pool in
            let stream = try #require(try await pool.send(.get(from: server)).stream)
            #expect(stream.length == 10)
            #expect(try await stream.next() == .content(Array("hello".utf8), endsChunk: true))
            #expect(await connectionError { try await stream.next() }?.name == "truncated")
            #expect(await connectionError { try await stream.next() }?.name == "truncated")
        }
    }

    @Test(arguments: ResponseCorpus.rejected.map(\.input))
    func malformedResponseThrowsAndCloses(text: String) async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(text)
            try await connection.readToEnd()
        }
        try await withPool { pool in
            let error = await connectionError { try await pool.send(.get(from: server)).collect() }
            #expect(error?.name == "malformedResponse")
            #expect(error?.hasResponseBegun == true)
            try await server.expectOpenConnections(0)
        }
    }

    @Test(arguments: ["A: b\r\n", "x", "HTTP/1.1 102 Processing\r\n\r\n"])
    func rejectsEndlessHead(line: String) async throws {
        let start = line.hasPrefix("HTTP") ? "" : "HTTP/1.1 200 OK\r\n"
        let lines = Array(String(repeating: line, count: 1000).utf8)
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(start)
            while true { try await connection.send(lines) }
        }
        try await withPool { pool in
            let error = await connectionError { try await pool.send(.get(from: server)) }
            #expect(error?.name == "malformedResponse")
            try await server.expectOpenConnections(0)
        }
    }

    // MARK: Streams

    @Test func streamsPiecesAsServerSendsThem() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            async let answer = pool.send(.get(from: server))
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let stream = try #require(try await answer.stream)
            try await connection.send("2\r\nab\r\n")
            #expect(try await stream.next() == .content(Array("ab".utf8), endsChunk: true))
            // The stream doesn't wait for the rest of a chunk.
            try await connection.send("4\r\ncd")
            #expect(try await stream.next() == .content(Array("cd".utf8), endsChunk: false))
            try await connection.send("ef")
            #expect(try await stream.next() == .content(Array("ef".utf8), endsChunk: true))
            try await connection.send("\r\n0\r\nT: 1\r\n\r\n")
            #expect(try await stream.next() == .trailers([Array("T: 1".utf8)]))
            #expect(try await stream.next() == nil)
            #expect(try await stream.next() == nil)
            #expect(try await pool.idleConnectionIsUsed(at: server, connection))
        }
    }

    @Test func slowReaderSlowsServer() async throws {
        let size = 96 << 20
        let delivered = Locked(0)
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 1 << 20)
            for _ in 0..<size >> 20 {
                try await connection.send(piece)
                delivered.withLock { $0 += piece.count }
            }
            try await connection.readToEnd()
        }
        try await withPool { pool in
            let stream = try #require(try await pool.send(.get(from: server)).stream)
            var received = 0
            while let piece = try await stream.next() {
                guard case .content(let bytes, true) = piece else { continue }
                received += bytes.count
                // More than the two systems and the queue can buffer, and much less than the body.
                let ahead = delivered.withLock { $0 } - received
                if ahead > 48 << 20 { Issue.record("\(ahead) bytes in flight") }
                #expect(bytes.count <= 64 << 10)
            }
            #expect(received == size)
        }
    }

    @Test func stalledReaderStopsServer() async throws {
        let size = 96 << 20
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            async let answer = pool.send(.get(from: server))
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let stream = try #require(try await answer.stream)
            await #expect(throws: RawClient.Failure.self) {
                try await connection.send([UInt8](repeating: 1, count: size), within: .milliseconds(500))
            }
            await connection.finishWriting()
            var received = 0
            await #expect(throws: ConnectionError.self) {
                while case .content(let bytes, _)? = try await stream.next() { received += bytes.count }
            }
            #expect(BodyQueueTests.limit..<size ~= received)
        }
    }

    @Test func preservesBoundariesOfSmallChunks() async throws {
        let count = 20_000
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await connection.send(String(repeating: "1\r\nx\r\n2\r\nyz\r\n", count: count / 2) + "0\r\n\r\n")
            try await connection.readToEnd()
        }
        try await withPool { pool in
            let body = try await pool.send(.get(from: server)).collect()
            #expect(body.chunkSizes.count == count)
            #expect(body.content.count == count / 2 * 3)
            #expect(body.chunkSizes.allSatisfy { $0 < 3 })
        }
    }

    /// Chunks may or may not span two reads of the loop's buffer.
    @Test(arguments: [1000, 40_000, 65_536]) func preservesChunkSizesAcrossReads(size: Int) async throws {
        // More than one read of the loop can hold. Otherwise the body could arrive with its head, not as a stream.
        let count = 120
        let chunk = String(size, radix: 16) + "\r\n" + String(repeating: "x", count: size) + "\r\n"
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await connection.send(String(repeating: chunk, count: count) + "0\r\n\r\n")
            try await connection.readToEnd()
        }
        try await withPool { pool in
            let stream = try #require(try await pool.send(.get(from: server)).stream)
            var received: [Int] = []
            var isWithinChunk = false
            while case .content(let bytes, let endsChunk)? = try await stream.next() {
                if isWithinChunk { received[received.count - 1] += bytes.count } else { received.append(bytes.count) }
                isWithinChunk = !endsChunk
            }
            #expect(received == Array(repeating: size, count: count))
        }
    }

    // MARK: Support

    /// Plays one response and passes the client's view of it to `check`.
    private func exchange(
        _ text: String,
        method: String = "GET",
        thenCloses: Bool = false,
        _ check: (IncomingResponse) async throws -> Void
    ) async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(text)
            if !thenCloses { try await connection.readToEnd() }
        }
        try await withPool { pool in
            try await check(try await pool.send(OutgoingRequest(method, "/", at: server.origin)))
        }
    }
}
