import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct UploadTests {
    private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

    @Test(arguments: [0, 1, 16 << 10, 16 << 10 + 1, 5 << 20]) func sendsBytes(size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let received = try await upload(.bytes(body)) { connection in
            try await connection.read(until: "\r\n\r\n").text + "|"
                + String(try await connection.read(count: size).bytes == body)
        }
        #expect(received.hasSuffix("\r\nContent-Length: \(size)\r\n\r\n|true"))
    }

    @Test func sendsPiecesAsChunks() async throws {
        let received = try await upload(.pieces(["he", "", "llo", String(repeating: "x", count: 70_000)])) {
            try await $0.read(until: "0\r\n\r\n").text
        }
        let long = String(repeating: "x", count: 70_000)
        #expect(
            received.hasSuffix(
                "\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n11170\r\n\(long)\r\n0\r\n\r\n"
            )
        )
    }

    @Test func sendsPiecesOfKnownLengthUnchunked() async throws {
        let received = try await upload(.pieces(["he", "", "llo"], length: 5)) {
            try await $0.read(until: "hello").text
        }
        #expect(received.hasSuffix("\r\nContent-Length: 5\r\n\r\nhello"))
    }

    @Test(arguments: [(["abc"], 4, "1 bytes short"), (["abc", "de"], 4, "at least 1 bytes")])
    func bodyLengthMismatchThrows(pieces: [String], length: Int, message: String) async throws {
        let server = try await ScriptedServer.start { try await $0.readToEnd() }
        try await withPool { pool in
            let error = await connectionError {
                try await pool.send(.post(.pieces(pieces, length: length), to: server))
            }
            #expect(error?.name == "requestBody")
            #expect(error?.message.contains(message) == true)
            try await server.expectOpenConnections(0)
        }
    }

    @Test func throwingBodyFailsRequest() async throws {
        struct Mishap: Error {}
        let server = try await ScriptedServer.start { try await $0.readToEnd() }
        try await withPool { pool in
            let isFirst = Locked(true)
            let body = OutgoingBody.stream(length: nil) {
                guard
                    isFirst.withLock({ first in
                        defer { first = false }
                        return first
                    })
                else { throw Mishap() }
                return [1]
            }
            let error = await connectionError { try await pool.send(.post(body, to: server)) }
            guard case .requestBody(let cause?) = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause is Mishap)
            try await server.expectOpenConnections(0)
        }
    }

    @Test func slowServerSlowsBody() async throws {
        let piece = [UInt8](repeating: 1, count: 64 << 10)
        let size = 96 << 20
        let (pulled, read) = (Locked(0), Locked(0))
        let server = try await ScriptedServer.start(readsAtOnce: false) { connection in
            try await connection.read(until: "\r\n\r\n")
            while read.withLock({ $0 }) < size {
                try await connection.read(count: 1 << 20)
                read.withLock { $0 += 1 << 20 }
            }
            try await connection.send(Self.noContent)
            try await connection.readToEnd()
        }
        try await withPool { pool in
            let body = OutgoingBody.stream(length: size) {
                let done = pulled.withLock { $0 }
                let ahead = done - read.withLock { $0 }
                if ahead > 48 << 20 { Issue.record("\(ahead) bytes in flight") }
                guard done < size else { return nil }
                pulled.withLock { $0 += piece.count }
                return piece
            }
            let response = try await pool.send(.post(body, to: server))
            #expect(response.status == 204)
        }
    }

    // MARK: Expectations

    private static let expectation = [OutgoingRequest.Field("Expect", "100-continue")]

    @Test func waitsFor100Continue() async throws {
        let server = try await ScriptedServer.start()
        let isRead = Locked(false)
        try await withPool({ $0.continueTimeout = .seconds(60) }) { pool in
            let body = OutgoingBody.once("hello") { isRead.withLock { $0 = true } }
            async let response = pool.send(.post(body, to: server, Self.expectation))
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            #expect(!isRead.withLock { $0 })
            try await connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            try await connection.read(until: "hello\r\n0\r\n\r\n")
            try await connection.send(Self.noContent)
            #expect(try await response.status == 204)
            #expect(try await pool.idleConnectionIsUsed(at: server, connection))
        }
    }

    @Test(arguments: [417, 200, 401]) func sendsNoBodyAfterFinalResponse(status: Int) async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
            let rest = try await connection.readToEnd()
            #expect(rest.bytes.isEmpty)
        }
        try await withPool({ $0.continueTimeout = .seconds(60) }) { pool in
            let body = OutgoingBody.once("hello") { Issue.record("the body was read after a final response") }
            #expect(try await pool.send(.post(body, to: server, Self.expectation)).status == status)
            try await server.expectOpenConnections(0)
        }
    }

    @Test func sendsBodyAfterContinueTimeout() async throws {
        let received = try await upload(.bytes(Array("hello".utf8)), Self.expectation) {
            try await $0.read(until: "hello").text
        }
        #expect(received.contains("\r\nExpect: 100-continue\r\n"))
    }

    // MARK: Early responses

    @Test func earlyRefusalStopsUpload() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(count: 1 << 20)
            try await connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nno!")
            _ = try await connection.drain()
        }
        try await withPool { pool in
            let piece = [UInt8](repeating: 1, count: 64 << 10)
            let response = try await pool.send(.post(.stream(length: nil) { piece }, to: server))
            #expect(response.status == 413)
            #expect(try await response.text() == "no!")
            try await server.expectOpenConnections(0)
        }
    }

    @Test(arguments: ["204 No Content\r\n\r\n", "200 OK\r\nContent-Length: 2\r\n\r\nok"])
    func finishesUploadAfterEarlySuccess(answer: String) async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let (pieces, rest) = AsyncStream<[UInt8]>.makeStream()
            rest.yield(Array("he".utf8))
            let body = OutgoingBody.stream(length: nil) { await pieces.first { _ in true } }
            async let response = pool.send(.post(body, to: server))
            let connection = try await server.accept()
            try await connection.read(until: "2\r\nhe\r\n")
            try await connection.send("HTTP/1.1 \(answer)")
            let head = try await response
            rest.yield(Array("llo".utf8))
            rest.finish()
            let received = try await connection.read(until: "0\r\n\r\n").text
            #expect(received == "3\r\nllo\r\n0\r\n\r\n")
            #expect(try await head.text() == (answer.hasSuffix("ok") ? "ok" : ""))
            #expect(try await pool.idleConnectionIsUsed(at: server, connection))
        }
    }

    @Test(arguments: [true, false])
    func deliversEarlySuccessIfConnectionEnds(isClean: Bool) async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let (pieces, rest) = AsyncStream<[UInt8]>.makeStream()
            defer { rest.finish() }
            let body = OutgoingBody.stream(length: nil) { await pieces.first { _ in true } }
            async let response = pool.send(.post(body, to: server))
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            let head = try await response
            if isClean { await connection.close() } else { await connection.reset() }
            #expect(try await head.text() == "ok")
        }
    }

    @Test func sendsNothingAfterEarlyRefusal() async throws {
        let size = 96 << 20
        let server = try await ScriptedServer.start(readsAtOnce: false)
        try await withPool { pool in
            async let answer = pool.send(.post(.bytes([UInt8](repeating: 1, count: size)), to: server))
            let connection = try await server.accept()
            try await connection.read(count: 1 << 10)
            try await connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\n")
            let stream = try #require(try await answer.stream)
            // Bytes in flight arrive, and then nothing, although the response is incomplete.
            var received = 0
            while true {
                do {
                    try await connection.expectSilence(for: .milliseconds(300))
                    break
                } catch RawClient.Failure.notSilent(let more, nil) {
                    received += more.bytes.count
                }
            }
            #expect(received < size / 2)
            stream.cancel()
            _ = try await connection.drain()
        }
    }

    @Test func readsEarlyRefusalWithConnectionClose() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(
                "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nno!"
            )
            await connection.finishWriting()
            _ = try await connection.drain()
        }
        try await withPool { pool in
            let body = [UInt8](repeating: 1, count: 32 << 20)
            let response = try await pool.send(.post(.bytes(body), to: server))
            #expect(response.status == 413)
            #expect(try await response.text() == "no!")
            try await server.expectOpenConnections(0)
        }
    }

    @Test func streamsBothWaysAtOnce() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while true {
                // To Swift, CR LF is one character.
                let size = Int(try await connection.read(until: "\r\n").text.dropLast(), radix: 16) ?? 0
                let data = try await connection.read(count: size + 2).text
                try await connection.send("\(String(size, radix: 16))\r\n\(data)")
                if size == 0 { break }
            }
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(Self.noContent)
        }
        try await withPool { pool in
            let pieces = (0..<100).map { String(repeating: "\($0)", count: 5000) }
            let body = try await pool.send(.post(.pieces(pieces), to: server)).collect()
            #expect(String(decoding: body.content, as: UTF8.self) == pieces.joined())
            #expect(body.chunkSizes == pieces.map(\.utf8.count))
            #expect(try await pool.send(.get(from: server)).timings.isReused)
        }
    }

    // MARK: Support

    /// Sends a request with `body` to a server that answers 204. Returns what the server's `read` returned.
    private func upload(
        _ body: OutgoingBody,
        _ fields: [OutgoingRequest.Field] = [],
        _ read: @escaping @Sendable (RawClient) async throws -> String
    ) async throws -> String {
        let received = Locked("")
        let server = try await ScriptedServer.start { connection in
            let text = try await read(connection)
            received.withLock { $0 = text }
            try await connection.send(Self.noContent)
            try await connection.readToEnd()
        }
        return try await withPool { pool in
            let response = try await pool.send(.post(body, to: server, fields))
            #expect(response.status == 204)
            return received.withLock { $0 }
        }
    }
}

extension OutgoingBody {
    /// A stream of texts.
    static func pieces(_ texts: [String], length: Int? = nil) -> OutgoingBody {
        let rest = Locked(texts[...])
        return .stream(length: length) { rest.withLock { $0.popFirst().map { Array($0.utf8) } } }
    }

    /// A stream of one text that calls `onRead` for each read.
    static func once(_ text: String, _ onRead: @escaping @Sendable () -> Void) -> OutgoingBody {
        let rest = Locked([text])
        return .stream(length: nil) {
            onRead()
            return rest.withLock { $0.popLast().map { Array($0.utf8) } }
        }
    }
}
