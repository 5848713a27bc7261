// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

@testable import RepriseConnections

@Suite struct CancellationTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome"

    /// The point at which a request is canceled.
    enum Point: CaseIterable {
        case beforeStart, afterSend, duringHead, duringUpload, awaitingContinue
    }

    @Test(arguments: Point.allCases) func taskCancellationClosesConnection(point: Point) async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            var request = OutgoingRequest.get(from: server)
            if point == .duringUpload { request = .post(.stream(length: nil) { [1] }, to: server) }
            if point == .awaitingContinue {
                request = .post(.bytes([1]), to: server, [OutgoingRequest.Field("Expect", "100-continue")])
            }
            let task = Task { [request] in await connectionError { try await pool.send(request) } }
            // Retained until the end, because its release closes the connection.
            var accepted: RawClient?
            if point != .beforeStart {
                let connection = try await server.accept()
                accepted = connection
                try await connection.read(until: point == .duringUpload ? "1\r\n\u{1}\r\n" : "\r\n\r\n")
                if point == .duringHead { try await connection.send("HTTP/1.1 200 OK\r\nA") }
            }
            task.cancel()
            let name = await task.value?.name
            #expect(name == "cancelled")
            try await server.expectOpenConnections(0)
            expectNoSockets(to: server)
            withExtendedLifetime(accepted) {}
        }
    }

    /// Repeats, because the caller's thread races with the loop's.
    @Test func canceledTaskSendsNothing() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let task = Task {
                unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
                for _ in 0..<1000 {
                    let error = await connectionError { try await pool.send(.get(from: server)) }
                    #expect(error?.name == "cancelled")
                }
            }
            await task.value
            expectNoSockets(to: server)
        }
    }

    @Test func cancellationWhileReadingBodyClosesConnection() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let task = Task { () -> ConnectionError? in
                let stream = try #require(try await pool.send(.get(from: server)).stream)
                return await connectionError { while try await stream.next() != nil {} }
            }
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(Self.ok)
            task.cancel()
            // The task may not have reached its first read.
            switch await task.result {
            case .success(let error): #expect(error?.name == "cancelled")
            case .failure(let error): #expect((error as? ConnectionError)?.name == "cancelled")
            }
            try await server.expectOpenConnections(0)
            expectNoSockets(to: server)
        }
    }

    @Test func streamCancellationClosesConnection() async throws {
        let (server, pool, stream, connection) = try await openStream()
        #expect(try await stream.next() == .content(Array("some".utf8), endsChunk: true))
        async let next = connectionError { try await stream.next() }
        stream.cancel()
        #expect(await next?.name == "cancelled")
        #expect(await connectionError { try await stream.next() }?.name == "cancelled")
        try await server.expectOpenConnections(0)
        withExtendedLifetime(connection) {}
        await pool.shutDown()
    }

    @Test func releasingStreamClosesConnection() async throws {
        var (server, pool, stream, connection): (_, _, BodyStream?, _) = try await openStream()
        #expect(stream != nil)
        stream = nil
        try await server.expectOpenConnections(0)
        withExtendedLifetime(connection) {}
        await pool.shutDown()
    }

    @Test func reusesConnectionAfterReceivedBodyIsReleased() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            async let answer = pool.send(.get(from: server))
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(Self.ok)
            var stream = try await answer.stream
            try await connection.send(String(repeating: "x", count: 96))
            while case .content(let bytes, _)? = try await stream?.next(), bytes.last != UInt8(ascii: "x") {}
            stream = nil
            #expect(try await pool.idleConnectionIsUsed(at: server, connection))
        }
    }

    @Test func timedOutRequestLeavesQueue() async throws {
        let server = try await ScriptedServer.start()
        try await withPool {
            $0.connectionsPerOrigin = 1
        } _: { pool in
            async let first = pool.send(.get("/1", from: server))
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            // It times out while it is queued.
            var second = OutgoingRequest.get("/2", from: server)
            second.headTimeout = .milliseconds(20)
            let error = await connectionError { [second] in try await pool.send(second) }
            #expect(error?.name == "headTimeout")
            async let third = pool.send(.get("/3", from: server))
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            _ = try await first
            #expect(try await connection.read(until: "\r\n\r\n").text.hasPrefix("GET /3 "))
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            _ = try await third
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test func canceledCallsLeaveNoSockets() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(Self.ok)
            try await connection.readToEnd()
        }
        try await withPool { pool in
            await withTaskGroup { group in
                for index in 0..<100 {
                    group.addTask {
                        let task = Task { try await pool.send(.get(from: server)).collect() }
                        for _ in 0..<index { await Task.yield() }
                        task.cancel()
                        _ = await task.result
                    }
                }
            }
            try await server.expectOpenConnections(0)
            expectNoSockets(to: server)
        }
    }

    @Test func cancellationEndsUpload() async throws {
        let server = try await ScriptedServer.start()
        let (ended, isEnded) = AsyncStream.makeStream(of: Void.self)
        try await withPool { pool in
            let body = OutgoingBody.stream(length: nil) {
                // Until the task is canceled.
                for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(30)) }) {}
                isEnded.yield()
                return nil
            }
            let task = Task { await connectionError { try await pool.send(.post(body, to: server)) } }
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            task.cancel()
            let name = await task.value?.name
            #expect(name == "cancelled")
            for await _ in ended { break }
        }
    }

    @Test func releasesUploadOfCanceledTask() async throws {
        final class Owner: Sendable {
            let released: AsyncStream<Void>.Continuation

            init(_ released: AsyncStream<Void>.Continuation) {
                self.released = released
            }

            deinit {
                released.yield()
            }
        }

        let server = try await ScriptedServer.start()
        let (releases, released) = AsyncStream.makeStream(of: Void.self)
        try await withPool { pool in
            let task = Task {
                unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
                for _ in 0..<100 {
                    let owner = Owner(released)
                    let body = OutgoingBody.stream(length: nil) { withExtendedLifetime(owner) { [1] } }
                    let error = await connectionError { try await pool.send(.post(body, to: server)) }
                    #expect(error?.name == "cancelled")
                }
            }
            await task.value
            var count = 0
            for await _ in releases {
                count += 1
                if count == 100 { break }
            }
        }
    }

    /// Opens a response whose body has arrived in part.
    private func openStream() async throws -> (ScriptedServer, ConnectionPool, BodyStream, RawClient) {
        let server = try await ScriptedServer.start()
        let pool = ConnectionPool()
        async let answer = pool.send(.get(from: server))
        let connection = try await server.accept()
        try await connection.read(until: "\r\n\r\n")
        try await connection.send(Self.ok)
        return (server, pool, try #require(try await answer.stream), connection)
    }
}
