// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseIO

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct ListenerTests {
    @Test func acceptsBurstLargerThanOneTurn() async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) { EchoHandler() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        let client = try await RawClient.connect(port: server.port)
                        try await client.send("\(number)\n")
                        #expect(try await client.read(until: "\n").text == "\(number)\n")
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.accepted.withLock { $0 } == 500)
        }
    }

    @Test func refusesConnectionsAfterClose() async throws {
        try await EventLoop.with { loop in
            let host = loopback(79)
            let server = try await TestServer(
                loop: loop,
                socket: ListeningSocket.bind(host: host, port: 0)[0]
            ) { EchoHandler() }
            try await server.close()
            let error = await #expect(throws: SystemError.self) {
                try await RawClient.connect(host: host, port: server.port)
            }
            #expect(error?.code == ECONNREFUSED)
            try await server.close()
        }
    }

    @Test func handlerCanCloseListenerDuringTurn() async throws {
        try await EventLoop.with { loop in
            let socket = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
            var clients: [RawClient] = []
            for _ in 0..<5 { clients.append(try await RawClient.connect(port: socket.port)) }
            let handler = ClosingListenerHandler()
            try await loop.run { _ = try Listener(socket, loop: loop, handler: handler) }
            #expect(try await clients[0].readToEnd().bytes.isEmpty)
            #expect(handler.accepted.withLock { $0 } == 1)
        }
    }

    @Test func setsNoDelayOnConnections() async throws {
        try await EventLoop.with { loop in
            let options = Locked<[Int32]>([])
            let server = try await TestServer(loop: loop) { NoDelayProbe(options) }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("x")
            try await client.readToEnd()
            #expect(options.withLock { $0.allSatisfy { $0 != 0 } && $0.count == 1 })
        }
    }

    /// Runs in its own process, because it uses up all descriptors.
    @Test func pausesOnceWhenDescriptorsRunOut() async {
        await #expect(processExitsWith: .success) {
            try await EventLoop.with { loop in
                let roomy = try await TestServer(loop: loop) { EchoHandler() }
                let first = try await RawClient.connect(port: roomy.port)
                try await first.send("w")
                try await first.read(count: 1)
                // The system accepts the connection before a listener exists, so only the server lacks descriptors.
                let socket = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
                let waiting = try await RawClient.connect(port: socket.port)
                try await waiting.send("hello")
                setDescriptorLimit(0)
                let server = try await TestServer(loop: loop, socket: socket) { EchoHandler() }
                try await waiting.expectSilence(for: .milliseconds(250))
                try await first.send("x")
                #expect(try await first.read(count: 1).text == "x")
                #expect(server.pauses.withLock { $0.map(\.code) } == [EMFILE])
                setDescriptorLimit(256)
                #expect(try await waiting.read(count: 5).text == "hello")
                #expect(server.pauses.withLock { $0.count } == 1)
            }
        }
    }
}

private final class ClosingListenerHandler: ListenerHandler, Sendable {
    let accepted = Locked(0)

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        accepted.withLock { $0 += 1 }
        listener.close()
    }

    func listener(_ listener: Listener, paused error: SystemError) {}
}

/// Records whether its connection sends small segments immediately, then closes it.
private final class NoDelayProbe: SocketHandler {
    private let options: Locked<[Int32]>

    init(_ options: Locked<[Int32]>) {
        self.options = options
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &size)
        options.withLock { [value] in $0.append(value) }
        socket.close()
    }

    func socketReachedEnd(_ socket: Socket) {}
    func socketIsWritable(_ socket: Socket) {}
    func socket(_ socket: Socket, failed error: SystemError) {}
}
