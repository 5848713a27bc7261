// SPDX-License-Identifier: Apache-2.0

import RepriseAdmin
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Answers that take as long as their clients want, over a socket.
@Suite(.timeLimit(.minutes(5))) struct AdminWaitingTests {
    private static let path = "/reprise/requests/next"

    private static func body(skip: Int = 0) -> String {
        #"{"request": {"urlPath": "/a"}, "skip": \#(skip), "withinMilliseconds": 60000}"#
    }

    /// Starts waiting, and returns when the server has begun to wait.
    private func wait(_ server: AdminTestServer, _ body: String) async throws -> RawClient {
        let client = try await RawClient.connect(port: server.server.port)
        try await client.send(
            "POST /__admin\(Self.path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        while await server.server.control.waitingTasks == 0, !Task.isCancelled { await Task.yield() }
        return client
    }

    @Test func mistakeInConditionsHasPlaceInBody() async throws {
        let server = try await AdminTestServer.start()
        let answer = try await server.admin("POST", Self.path, #"{"request": {"headers": {"a/b": {"equalTo": 5}}}}"#)
        #expect(answer.status == 422)
        #expect(answer.pointer == "/request/headers/a~1b/equalTo")
        await server.stop()
    }

    /// A client that left is not waited for, and its connection is closed.
    @Test func waitEndsWhenClientLeaves() async throws {
        let server = try await AdminTestServer.start()
        let start = ContinuousClock.now
        var client: RawClient? = try await wait(server, Self.body())
        #expect(client != nil)
        client = nil
        while await server.server.control.waitingTasks > 0, !Task.isCancelled { await Task.yield() }
        while await server.server.connectionCount > 0, !Task.isCancelled { await Task.yield() }
        #expect(start.duration(to: .now) < .seconds(30))
        await server.stop()
    }

    /// Of the requests to skip, some are in the journal when the wait begins, and others arrive later.
    @Test(arguments: [0, 1, 2, 3, 4])
    func waitSkipsOldAndNewRequests(_ skip: Int) async throws {
        let server = try await AdminTestServer.start()
        for number in 0..<2 { try await server.send("GET", "/a?\(number)") }
        async let answer = server.admin("POST", Self.path, Self.body(skip: skip))
        if skip >= 2 {
            while await server.server.control.waitingTasks == 0, !Task.isCancelled { await Task.yield() }
            for number in 2..<5 {
                try await server.send("GET", "/b?\(number)")
                try await server.send("GET", "/a?\(number)")
            }
        }
        #expect(try await answer.json.first("requests")?["url"] == .string("/a?\(skip)"))
        await server.stop()
    }

    @Test func onlyNewRequestsAreReadAgain() async throws {
        let server = try await AdminTestServer.start(threads: 2)
        try await server.send("GET", "/a")
        let control = server.server.control
        let first = await control.journal(in: nil, after: [])
        #expect(first.entries.map(\.target) == ["/a"])
        let second = await control.journal(in: nil, after: first.places)
        #expect(second.entries.isEmpty)
        try await server.send("GET", "/b")
        let third = await control.journal(in: nil, after: second.places)
        #expect(third.entries.map(\.target) == ["/b"])
        let ended = await control.journal(in: SessionID("ended"), after: [])
        #expect(ended.entries.isEmpty)
        await server.stop()
    }

    /// Requests are signaled as long as a task waits for one, and on all loops.
    @Test func signalingEndsWithLastWait() async throws {
        let server = try await AdminTestServer.start(threads: 2)
        let control = server.server.control
        func signals() async -> [Bool] {
            var signals: [Bool] = []
            for loop in await control.loops { signals.append(await loop.run { $0.events.requestSignal != nil }) }
            return signals
        }
        #expect(await signals() == [false, false])
        _ = await control.beginWaiting()
        let signal = await control.beginWaiting()
        #expect(await signals() == [true, true])
        let count = signal.count
        try await server.send("GET", "/a")
        #expect(signal.count > count)
        await control.endWaiting()
        #expect(await signals() == [true, true])
        await control.endWaiting()
        #expect(await signals() == [false, false])
        #expect(await control.waitingTasks == 0)
        await server.stop()
    }

    @Test func numberOfStreamsIsLimited() throws {
        let gate = AdminGate(MockServer.Configuration(), endlessAnswers: 2)
        var places = [try gate.takePlace(), try gate.takePlace()]
        let failure = #expect(throws: AdminFailure.self) { try gate.takePlace() }
        #expect(failure?.status == 503)
        #expect(failure?.errors.errors.first?.detail?.hasPrefix("expected at most 2 event streams") == true)
        places.removeLast()
        places.append(try gate.takePlace())
        #expect(throws: AdminFailure.self) { try gate.takePlace() }
    }
}
