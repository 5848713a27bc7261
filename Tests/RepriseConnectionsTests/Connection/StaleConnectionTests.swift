// SPDX-License-Identifier: Apache-2.0
import Dispatch
import RepriseIO
import RepriseTestSupport
import Testing

@testable import RepriseConnections

/// Events on an idle connection that its busy loop hasn't seen yet when the next request is sent.
@Suite struct StaleConnectionTests {
    /// How a server disturbs a connection that it considers idle.
    enum ServerAction: CaseIterable {
        case close, reset, sendResponse
    }

    @Test(arguments: ServerAction.allCases, ["GET", "POST"])
    func serverActionIsNoticedBeforeNextRequest(action: ServerAction, method: String) async throws {
        let server = try await ScriptedServer.start()
        let loop = try EventLoop(name: "test")
        let shard = LoopBound(PoolShard(loop: loop, resolver: HostResolver(), configuration: .init()), on: loop)
        async let first = send(OutgoingRequest("GET", "/1", at: server.origin), on: shard)
        let connection = try await answer(server, "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(try await first == 204)

        let isDone = DispatchSemaphore(value: 0)
        loop.execute { isDone.wait() }
        async let second = send(OutgoingRequest(method, "/2", at: server.origin), on: shard)
        // The request is queued on the loop, which is blocked until the server has acted.
        switch action {
        case .close: await connection.close()
        case .reset: await connection.reset()
        case .sendResponse: try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        isDone.signal()
        _ = try await answer(server, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        #expect(try await second == 201)
        loop.execute { shard.value.shutDown() }
        await loop.shutDown()
    }

    private func answer(_ server: ScriptedServer, _ response: String) async throws -> RawClient {
        let connection = try await server.accept()
        try await connection.read(until: "\r\n\r\n")
        try await connection.send(response)
        return connection
    }

    /// Sends `request` and returns the status of the response.
    private func send(_ request: OutgoingRequest, on shard: LoopBound<PoolShard>) async throws -> Int {
        let answer = ResponsePromise()
        let exchange = ClientExchange(
            try EncodedRequest(request),
            route: .direct(request.origin),
            shard: shard,
            start: .now,
            limits: ExchangeLimits(connect: .seconds(180)),
            submission: ClientExchange.Submission(answer: answer, upload: nil)
        )
        let bound = LoopBound(exchange, on: shard.loop)
        await withCheckedContinuation { waiter in
            answer.wake(waiter)
            bound.execute()
        }
        let delivery = try answer.take().get()
        switch delivery {
        case .whole(let head, _, _), .stream(let head, _, _): return head.status
        }
    }
}
