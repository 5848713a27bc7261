// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport
import Testing

extension ConformanceCase {
    /// Reuse of connections, cancellation, and timeouts.
    static let connections: [ConformanceCase] = [
        ConformanceCase("reuses a connection") { subject in
            let server = try await subject.keep(.answering { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" })
            for _ in 1...3 { #expect(try await subject.transport.send(server.request()).text() == "ok") }
            #expect(server.acceptedConnections == 1)
        },
        ConformanceCase("doesn't reuse a connection after Connection: close") { subject in
            let server = try await subject.keep(
                .answering { _ in "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok" }
            )
            for _ in 1...3 { #expect(try await subject.transport.send(server.request()).text() == "ok") }
            #expect(server.acceptedConnections == 3)
        },
        ConformanceCase("closes the connection of a body that is not read completely") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("\(ok)Content-Length: 1000000\r\n\r\nstart")
            for try await _ in try await response.body { break }
            try await connection.waitForEnd()
            #expect(try await response.ending == nil)
            try await expectUsable(subject, server)
        },
        ConformanceCase("closes the connection of a body that is never read") { subject in
            let server = try await subject.server()
            let sending = Task { _ = try await subject.transport.send(server.request()) }
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("\(ok)Content-Length: 1000000\r\n\r\nstart")
            try await sending.value
            try await connection.waitForEnd()
            try await expectUsable(subject, server)
        },
        ConformanceCase("ends immediately when canceled before the head") { subject in
            let server = try await subject.server()
            let sending = Task { try await subject.transport.send(server.request()) }
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            sending.cancel()
            let error = await #expect(throws: TransportError.self) { try await sending.value }
            #expect(error?.code == .cancelled)
            try await connection.waitForEnd()
            try await expectUsable(subject, server)
        },
        ConformanceCase("ends immediately when canceled in the body") { subject in
            let server = try await subject.server()
            async let coming = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("\(ok)Content-Length: 1000000\r\n\r\nstart")
            let response = try await coming
            let reading = Task { try await response.body.collect() }
            reading.cancel()
            let error = await #expect(throws: TransportError.self) { try await reading.value }
            #expect(error?.code == .cancelled)
            #expect(response.ending == nil)
            try await connection.waitForEnd()
            try await expectUsable(subject, server)
        },
        ConformanceCase("sends nothing for a canceled task") { subject in
            let server = try await subject.server()
            let sending = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await subject.transport.send(server.request())
            }
            sending.cancel()
            let error = await #expect(throws: TransportError.self) { try await sending.value }
            #expect(error?.code == .cancelled)
            #expect(server.acceptedConnections == 0)
        },
        ConformanceCase("sends 16 concurrent requests") { subject in
            let server = try await subject.server()
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<16 {
                    group.addTask { try await subject.transport.send(server.request(.get, "/\(number)")).text() }
                }
                // No request is answered before all have arrived.
                var accepted: [(RawClient, String)] = []
                for _ in 0..<16 {
                    let connection = try await server.accept()
                    accepted.append((connection, try await connection.readRequest().target))
                }
                for (connection, target) in accepted {
                    try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(target.count)\r\n\r\n\(target)")
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts == Set((0..<16).map { "/\($0)" }))
        },
        ConformanceCase("times out if the head doesn't arrive in time") { subject in
            let server = try await subject.server()
            for scope in [RequestOptions.TimeoutScope.head, .wholeResponse] {
                let options = RequestOptions(timeout: .milliseconds(200), timeoutScope: scope)
                let sending = Task {
                    try await subject.transport.send(server.request(), body: nil, options: options)
                }
                let connection = try await server.accept()
                let error = await #expect(throws: TransportError.self) { try await sending.value }
                #expect(error?.code == .timedOut)
                try await connection.waitForEnd()
            }
        },
        ConformanceCase("times out if the response doesn't end in time") { subject in
            let server = try await subject.server { connection in
                _ = try await connection.readRequest()
                try await connection.send("\(ok)Content-Length: 1000000\r\n\r\nstart")
                try await connection.waitForEnd()
            }
            let (response, _) = try await head(from: server, subject, .wholeResponse)
            let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
            #expect(error?.code == .timedOut)
            #expect(response.ending == .timedOut)
            try await server.expectOpenConnections(0)
        },
        ConformanceCase("doesn't time out a stream after its head") { subject in
            let timePassed = AsyncStream<Void>.makeStream()
            let server = try await subject.server { connection in
                _ = try await connection.readRequest()
                try await connection.send("\(ok)Content-Length: 2\r\n\r\na")
                for await _ in timePassed.stream {}
                try await connection.send("b")
            }
            let (response, limit) = try await head(from: server, subject, .head)
            try await Task.sleep(for: limit + .milliseconds(300))
            timePassed.continuation.finish()
            #expect(try await response.text() == "ab")
        },
    ]

    /// A response whose head arrived within the timeout, and that timeout, which is longer on a slow machine.
    private static func head(
        from server: ScriptedServer,
        _ subject: ConformanceSubject,
        _ scope: RequestOptions.TimeoutScope
    ) async throws -> (Response, Duration) {
        var limit = Duration.seconds(1)
        while true {
            let options = RequestOptions(timeout: limit, timeoutScope: scope)
            do {
                let response = try await subject.transport.send(server.request(), body: nil, options: options)
                return (response, limit)
            } catch {
                guard error.code == .timedOut, limit < .seconds(60) else { throw error }
                limit *= 4
            }
        }
    }

    /// The transport still works, over another connection.
    private static func expectUsable(_ subject: ConformanceSubject, _ server: ScriptedServer) async throws {
        async let response = subject.transport.send(server.request())
        let connection = try await server.accept()
        _ = try await connection.readRequest()
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(try await response.text() == "ok")
    }
}
