// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseFixtures
import RepriseIO
import RepriseMatching
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// The last answers before a server stops.
@Suite(.timeLimit(.minutes(5))) struct StopTests {
    private let request = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
    private let lastAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"

    /// Stops a server whose only client has just sent a request, which is still in the system's buffer.
    ///
    /// - Parameter isRead: Whether the server reads the request before it stops.
    /// - Returns: Everything that the client receives.
    private func answer(of fixture: Fixture, isRead: Bool) async throws -> String {
        var configuration = MockServer.Configuration()
        configuration.latency = .recorded
        let loop = try EventLoop(name: "stop")
        let socket = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
        let state = LoopState(
            loop: loop,
            shared: SharedState(ServingState([fixture], configuration: configuration)),
            subscribers: [],
            tls: nil,
            configuration: configuration
        )
        let worker = LoopBound(state, on: loop)
        try await worker.run { state throws(SystemError) in try state.listen(on: socket) }
        let client = try await RawClient.connect(port: socket.port)
        while await worker.run({ $0.connectionCount }) == 0, !Task.isCancelled { await Task.yield() }
        let isHeld = Signal()
        async let stopped: Void = worker.run { state in
            isHeld.set()
            let socket = state.connections.first?.socket
            while socket?.hasUnreadInput == false {}
            if isRead { socket?.readAvailable() }
            state.stop(grace: .seconds(10)) {}
        }
        await isHeld.wait()
        try await client.send(request)
        let text = try await client.readToEnd().text
        await stopped
        await loop.shutDown()
        return text
    }

    @Test func requestThatHasArrivedIsAnswered() async throws {
        let fixture = Fixture.recorded("https://api.example.com/hello", response: .text("hi"))
        #expect(try await answer(of: fixture, isRead: false) == lastAnswer)
    }

    @Test func answerDelayedByLatencyClosesConnection() async throws {
        let head = ResponseHead(status: 200, reason: "OK", headers: [HeaderLine(name: "Content-Length", value: "2")])
        let plan = ResponsePlan(
            steps: [
                .wait(.milliseconds(10)), .head(head), .bytes(.bytes(Array("hi".utf8))), .end(.complete),
            ],
            framing: .contentLength
        )
        let pattern = try RequestPattern(method: "GET", routePath: "/hello")
        let fixture = Fixture(source: FixtureSource(file: "test"), pattern: pattern, plan: plan)
        #expect(try await answer(of: fixture, isRead: true) == lastAnswer)
    }
}
