// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct SocketFileTests {
    /// A server that answers any input with part of a file and then finishes, or resets if sending fails.
    private func serve(
        _ file: ReadOnlyFile,
        on loop: EventLoop,
        offset: Int,
        count: Int,
        tls: TLSContext? = nil,
        errors: Locked<[SystemError]> = Locked([])
    ) async throws -> TestServer {
        try await TestServer(loop: loop, tls: tls) {
            let handler = ScriptedHandler()
            var sent = 0
            func sendMore(_ socket: Socket) {
                do throws(SystemError) {
                    while sent < count {
                        let rest = count - sent
                        let taken = try socket.send(file: file, offset: offset + sent, count: rest)
                        #expect(taken <= 64 << 10)
                        sent += taken
                        if taken < rest { return }
                    }
                    socket.finishWriting()
                } catch {
                    errors.withLock { $0.append(error) }
                    socket.reset()
                }
            }
            handler.onReceive = { socket, _ in sendMore(socket) }
            handler.onWritable = sendMore
            handler.onEnd = { $0.close() }
            return handler
        }
    }

    private static let parts = [(0, 0), (0, 1), (0, 300_000), (1, 65_536), (100_000, 200_000), (299_999, 1)]

    @Test(arguments: parts)
    func sendsPartOfFile(offset: Int, count: Int) async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let file = try TemporaryFile(bytes)
        try await EventLoop.with { loop in
            let server = try await serve(try ReadOnlyFile(path: file.path), on: loop, offset: offset, count: count)
            let client = try await RawClient.connect(port: server.port)
            try await client.send("x")
            #expect(try await client.readToEnd().bytes == Array(bytes[offset..<(offset + count)]))
            #expect(client.ending == .finished)
        }
    }

    @Test(arguments: parts, [true, false])
    func sendsPartOfFileOverTLS(part: (offset: Int, count: Int), isReadAtOnce: Bool) async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let file = try TemporaryFile(bytes)
        let pair = try TLSPair()
        try await EventLoop.with { loop in
            let server = try await serve(
                try ReadOnlyFile(path: file.path),
                on: loop,
                offset: part.offset,
                count: part.count,
                tls: TLSContext(server: pair.server)
            )
            let client = try await pair.connect(to: server.port, readsAtOnce: isReadAtOnce)
            try await client.send("x")
            #expect(try await client.readToEnd().bytes == Array(bytes[part.offset..<(part.offset + part.count)]))
            #expect(client.ending == .finished)
        }
    }

    @Test func waitsForSlowReader() async throws {
        let file = try TemporaryFile([UInt8](repeating: 3, count: 24 << 20))
        try await EventLoop.with { loop in
            let server = try await serve(try ReadOnlyFile(path: file.path), on: loop, offset: 0, count: 24 << 20)
            let client = try await RawClient.connect(port: server.port, readsAtOnce: false)
            try await client.send("x")
            try await client.read(count: 1)
            #expect(try await client.drain() == 24 << 20 - 1)
        }
    }

    @Test func reportsPrematureEndOfFile() async throws {
        let file = try TemporaryFile([UInt8](repeating: 3, count: 1000))
        try await EventLoop.with { loop in
            let errors = Locked<[SystemError]>([])
            let server = try await serve(
                try ReadOnlyFile(path: file.path),
                on: loop,
                offset: 500,
                count: 1000,
                errors: errors
            )
            let client = try await RawClient.connect(port: server.port)
            try await client.send("x")
            try await client.readToEnd()
            #expect(client.ending == .reset)
            #expect(errors.withLock { $0.map(\.isEndOfFile) } == [true])
            #expect(errors.withLock { "\($0[0])" } == "send: the file ended too early")
        }
    }

    /// Runs in its own process, which the signal would end.
    @Test func sendAfterFinishRaisesNoSIGPIPE() async {
        await #expect(processExitsWith: .success) {
            let file = try TemporaryFile([UInt8](repeating: 3, count: 1 << 20))
            let readable = try ReadOnlyFile(path: file.path)
            try await EventLoop.with { loop in
                let lost = Locked(false)
                let server = try await TestServer(loop: loop) {
                    let handler = ScriptedHandler()
                    handler.onReceive = { socket, _ in
                        // A write after `finishWriting` raises SIGPIPE.
                        socket.finishWriting()
                        do throws(SystemError) {
                            _ = try socket.send(file: readable, offset: 0, count: 1000)
                        } catch {
                            lost.withLock { $0 = error.isConnectionLost }
                        }
                        do throws(SystemError) {
                            _ = try socket.send([1], from: 0)
                        } catch {
                            lost.withLock { $0 = $0 && error.isConnectionLost }
                        }
                        socket.close()
                    }
                    return handler
                }
                let client = try await RawClient.connect(port: server.port)
                try await client.send("x")
                try await client.readToEnd()
                try await loop.run {}
                #expect(lost.withLock { $0 })
            }
        }
    }
}
