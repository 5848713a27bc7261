// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

/// Other tests rely on this client, so it must report failures correctly.
@Suite struct RawClientTests {
    private func answer(_ loop: EventLoop, _ reply: @escaping @Sendable (Socket) -> Void) async throws -> RawClient {
        let server = try await TestServer(loop: loop) {
            let handler = ScriptedHandler()
            handler.onReceive = { socket, _ in reply(socket) }
            return handler
        }
        let client = try await RawClient.connect(port: server.port)
        try await client.send("x")
        return client
    }

    private func failure(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func timeoutNamesExpectedAndReceivedBytes() async throws {
        try await EventLoop.with { loop in
            let client = try await answer(loop) { $0.send("HTTP/1.1 200 OK\r\n") }
            try await client.read(count: 1)
            let text = await failure { try await client.read(until: "\r\n\r\n", within: .milliseconds(50)) }
            #expect(text == #"timed out waiting for "\r\n\r\n"; received 16 bytes: "TTP/1.1 200 OK\r\n""#)
        }
    }

    @Test(arguments: [true, false])
    func failsWhenConnectionEndsFirst(isReset: Bool) async throws {
        try await EventLoop.with { loop in
            let client = try await answer(loop) { isReset ? $0.reset() : $0.close() }
            let text = await failure { try await client.read(count: 3) }
            let ending = isReset ? "reset" : "finished"
            #expect(text == "the connection ended (\(ending)) while waiting for 3 bytes; received 0 bytes")
            #expect(client.ending == (isReset ? .reset : .finished))
        }
    }

    @Test func brokenSilenceReportsReceivedBytes() async throws {
        try await EventLoop.with { loop in
            let client = try await answer(loop) { $0.send("noise") }
            let text = await failure { try await client.expectSilence(for: .seconds(10)) }
            #expect(text == #"expected silence; received 5 bytes: "noise", ending nil"#)
        }
    }

    @Test func retainsExtraBytesForNextRead() async throws {
        try await EventLoop.with { loop in
            let client = try await answer(loop) {
                $0.send("one two three")
                $0.close()
            }
            #expect(try await client.read(until: " ").text == "one ")
            #expect(try await client.read(count: 3).text == "two")
            let rest = try await client.readToEnd()
            #expect(rest.text == " three")
            #expect(rest.arrivals.map(\.count) == [6])
        }
    }

    @Test func recordsArrivalTimes() async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) { EchoHandler() }
            let client = try await RawClient.connect(port: server.port)
            let start = MonotonicTime.now
            try await client.send(Array("abc".utf8), inPiecesOf: 1, every: .milliseconds(20))
            let arrivals = try await client.read(count: 3).arrivals
            #expect(arrivals.map(\.count).reduce(0, +) == 3)
            #expect(try #require(arrivals.last).time - start >= .milliseconds(40))
        }
    }

    @Test func oneLoopServesThousandsOfClients() async throws {
        try await EventLoop.with { loop in
            let number = min(3000, ProcessLimits.raiseDescriptorLimit() / 2 - 500)
            let server = try await TestServer(loop: loop) { EchoHandler() }
            var clients: [RawClient] = []
            for _ in 0..<number { clients.append(try await RawClient.connect(port: server.port)) }
            for client in clients { try await client.send("x") }
            for client in clients { try await client.read(count: 1) }
            #expect(server.accepted.withLock { $0 } == number)
        }
    }
}
