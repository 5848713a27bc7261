// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import RepriseLocking
    import RepriseTestSupport
    import Testing

    @testable import Reprise

    /// Identical concurrent requests, over real sockets.
    @Suite(.timeLimit(.minutes(3))) struct CacheSharingTests {
        private func cache(_ configuration: CachingTransport.Configuration = .init()) -> CachingTransport {
            CachingTransport(SocketTransport(.init(proxies: .none, connectTimeout: .seconds(180))), configuration)
        }

        /// Waits until this many requests have joined another request.
        private func expectJoined(_ count: Int, _ cache: CachingTransport) async {
            while cache.statistics.joined < count, !Task.isCancelled { await Task.yield() }
        }

        @Test(arguments: [CachingTransport.ReadPolicy.cacheElseNetwork, .networkOnly, .networkElseCache])
        func identicalRequestsShareOneExchange(policy: CachingTransport.ReadPolicy) async throws {
            let server = try await ScriptedServer.start()
            let cache = cache(.init(reading: policy, writing: .never))
            let request = server.request()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 1...50 { group.addTask { try await cache.send(request).text() } }
                let connection = try await server.accept()
                _ = try await connection.readRequest()
                await expectJoined(49, cache)
                try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\non\r\n")
                try await connection.send("1\r\ne\r\n0\r\n\r\n")
                for try await text in group { #expect(text == "one") }
            }
            #expect(server.acceptedConnections == 1)
        }

        @Test func continuesForOthersWhenOneIsCanceled() async throws {
            let server = try await ScriptedServer.start()
            let (cache, request) = (cache(), server.request())
            // The other requests join the first one.
            let first = Task { try await cache.send(request).text() }
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            let others = (1...3).map { _ in Task { try await cache.send(request).text() } }
            await expectJoined(3, cache)
            first.cancel()
            let error = await #expect(throws: TransportError.self) { try await first.value }
            #expect(error?.code == .cancelled)
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\no")
            others[0].cancel()
            await #expect(throws: TransportError.self) { try await others[0].value }
            try await connection.send("ne")
            for other in others.dropFirst() { #expect(try await other.value == "one") }
            #expect(try await cache.reading(.cacheOnly).send(request).text() == "one")
        }

        @Test func sendsNothingForCanceledTask() async throws {
            /// Counts the requests, also those of canceled tasks.
            final class Counter: Transport {
                let count = Locked(0)

                func send(_: HTTPRequest, body: Body?, options: RequestOptions) async throws(TransportError) -> Response
                {
                    count.withLock { $0 += 1 }
                    throw TransportError(.reset, "counted")
                }
            }
            let counter = Counter()
            let cache = CachingTransport(counter)
            // Repeated, because the first request of a fetch that should not run could come after the end of this test.
            for number in 1...100 {
                let sending = Task {
                    while !Task.isCancelled { await Task.yield() }
                    return try await cache.send(HTTPRequest(path: "/\(number)", method: .get))
                }
                sending.cancel()
                let error = await #expect(throws: TransportError.self) { try await sending.value }
                #expect(error?.code == .cancelled)
            }
            #expect(counter.count.withLock { $0 } == 0)
        }

        @Test(arguments: [true, false])
        func closesConnectionWhenAllAreCanceled(isInBody: Bool) async throws {
            let server = try await ScriptedServer.start()
            let (cache, request) = (cache(), server.request())
            let tasks = (1...3).map { _ in Task { try await cache.send(request).text() } }
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            await expectJoined(2, cache)
            if isInBody { try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\no") }
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: TransportError.self) { try await task.value } }
            try await connection.waitForEnd()
            // The next request is sent on its own.
            let next = Task { try await cache.send(request).text() }
            let other = try await server.accept()
            _ = try await other.readRequest()
            try await other.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo")
            #expect(try await next.value == "two")
        }

        @Test func answersAllRequestsWithNoStoreResponse() async throws {
            let server = try await ScriptedServer.start { connection in
                while true {
                    _ = try await connection.readRequest()
                    try await connection.send(
                        "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 3\r\n\r\none"
                    )
                }
            }
            let (cache, request) = (cache(), server.request())
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 1...10 { group.addTask { try await cache.send(request).text() } }
                for try await text in group { #expect(text == "one") }
            }
            #expect(cache.statistics.count == 0)
        }

        @Test func failsAllRequestsWhenResponseIsTruncated() async throws {
            let server = try await ScriptedServer.start()
            let (cache, request) = (cache(), server.request())
            let tasks = (1...3).map { _ in Task { try await cache.send(request).text() } }
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            await expectJoined(2, cache)
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\no")
            await connection.close()
            for task in tasks {
                let error = await #expect(throws: TransportError.self) { try await task.value }
                #expect(error?.code == .truncated)
            }
            #expect(cache.statistics.count == 0)
        }

        @Test func doesNotShareDifferentRequests() async throws {
            let server = try await ScriptedServer.start { connection in
                let request = try await connection.readRequest()
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(request.target.suffix(1))")
            }
            let cache = cache()
            var requests = [server.request(), server.request(), server.request(.get, "/2")]
            requests[1].headerFields[.authorization] = "Bearer a"
            let all = requests
            await withTaskGroup(of: Void.self) { group in
                for request in all { group.addTask { _ = try? await cache.send(request).text() } }
            }
            #expect(cache.statistics.joined == 0)
            #expect(server.acceptedConnections == 3)
        }
    }
#endif
