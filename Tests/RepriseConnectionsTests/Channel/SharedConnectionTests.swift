// SPDX-License-Identifier: Apache-2.0
import RepriseTestSupport
import Testing

@testable import RepriseConnections

/// Several exchanges at once over one connection.
@Suite(.timeLimit(.minutes(4))) struct SharedConnectionTests {
    private func withLinePool(_ body: (ConnectionPool) async throws -> Void) async throws {
        try await withPool {
            $0.connectionsPerOrigin = 1
            $0.channel = { LineChannel(on: $0) }
        } _: { pool in
            try await body(pool)
        }
    }

    /// The number of the stream that carries the request for `target`.
    private func stream(of target: String, in lines: [String]) throws -> String {
        let line = try #require(lines.first { $0.hasSuffix(" GET \(target)\n") })
        return String(line.prefix { $0 != " " })
    }

    @Test func endsOneExchangeWhileAnotherGoesOn() async throws {
        let server = try await ScriptedServer.start()
        try await withLinePool { pool in
            async let first = pool.send(.get("/1", from: server))
            async let second = pool.send(.get("/2", from: server))
            let connection = try await server.accept()
            let lines = [
                try await connection.read(until: "\n").text, try await connection.read(until: "\n").text,
            ]
            let (one, two) = (try stream(of: "/1", in: lines), try stream(of: "/2", in: lines))
            try await connection.send("\(two) 201\n\(one) 200\n")
            let (staying, leaving) = (try await first, try await second)
            #expect([staying.status, leaving.status] == [200, 201])
            #expect(staying.timings.isReused != leaving.timings.isReused)

            leaving.stream?.cancel()
            #expect(try await connection.read(until: "\n").text == "\(two) cancel\n")
            try await connection.send("\(two) :nobody\n\(one) :hello\n\(one) .\n")
            #expect(try await staying.text() == "hello")

            // The connection is idle now, and the next exchange uses it.
            async let third = pool.send(.get("/3", from: server))
            #expect(try await connection.read(until: "\n").text == "3 GET /3\n")
            try await connection.send("3 204\n3 .\n")
            #expect(try await third.status == 204)
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test func exchangeUsesFreeStreamOfConnectionInUse() async throws {
        let server = try await ScriptedServer.start()
        try await withLinePool { pool in
            async let first = pool.send(.get("/1", from: server))
            let connection = try await server.accept()
            try await connection.read(until: "\n")
            try await connection.send("1 200\n")
            let staying = try await first
            // Two in a row use the second stream.
            for number in 2...3 {
                async let next = pool.send(.get("/\(number)", from: server))
                #expect(try await connection.read(until: "\n").text == "\(number) GET /\(number)\n")
                try await connection.send("\(number) 204\n\(number) .\n")
                let response = try await next
                #expect(try await response.text() == "")
            }
            try await connection.send("1 .\n")
            #expect(try await staying.text() == "")
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test func connectionThatRefusesExchangesIsReplacedAndServesOut() async throws {
        let server = try await ScriptedServer.start()
        try await withLinePool { pool in
            async let first = pool.send(.get("/1", from: server))
            let old = try await server.accept()
            try await old.read(until: "\n")
            try await old.send("refuse\n1 200\n")
            let staying = try await first

            async let second = pool.send(.get("/2", from: server))
            let new = try await server.accept()
            #expect(try await new.read(until: "\n").text == "1 GET /2\n")
            try await new.send("1 201\n1 .\n")
            #expect(try await second.status == 201)

            try await old.send("1 :late\n1 .\n")
            #expect(try await staying.text() == "late")
            // The client closes the connection after its last exchange.
            #expect(try await old.readToEnd().text == "")
        }
        #expect(server.acceptedConnections == 2)
    }
}
