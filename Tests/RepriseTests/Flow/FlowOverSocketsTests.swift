// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import RepriseLocking
    import RepriseTestSupport
    import Testing

    @testable import Reprise

    /// Retries, token refreshes, and the limit, over real connections.
    @Suite(.timeLimit(.minutes(5))) struct FlowOverSocketsTests {
        /// The answers of a server, and the requests it received.
        private final class Site: Sendable {
            typealias Answer = @Sendable (_ head: String) async -> String

            private let heads = Locked<[String]>([])
            private let answer: Answer

            init(_ answer: @escaping Answer) {
                self.answer = answer
            }

            /// The first line of each request.
            var targets: [String] {
                heads.withLock { $0.map { String($0.prefix { $0 != "\r\n" }.dropLast(" HTTP/1.1".count)) } }
            }

            var count: Int { heads.withLock { $0.count } }

            func serve(_ connection: RawClient) async throws {
                while true {
                    let head = try await connection.read(until: "\r\n\r\n").text
                    let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                        .flatMap { Int($0.split(separator: " ").last ?? "") }
                    if let length, length > 0 { _ = try await connection.read(count: length) }
                    heads.withLock { $0.append(head) }
                    try await connection.send(await answer(head))
                }
            }
        }

        private static func response(_ status: String, _ fields: String = "", _ body: String = "") -> String {
            "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }

        private func with(
            _ site: Site,
            _ configuration: Client.Configuration,
            connections: Int = 64,
            _ work: (Client) async throws -> Void
        ) async throws {
            let server = try await ScriptedServer.start { connection in try await site.serve(connection) }
            let transport = SocketTransport(
                .init(proxies: .none, connectionsPerOrigin: connections, connectTimeout: .seconds(180))
            )
            var configuration = configuration
            // Guards against a hang, and is long enough for any machine.
            configuration.timeout = .seconds(180)
            let api = Client("http://127.0.0.1:\(server.port)", transport: transport, configuration: configuration)
            try await work(api)
            await transport.shutDown()
            withExtendedLifetime(server) {}
        }

        // MARK: Refresh

        /// Also with fewer connections than calls: a 401 must not occupy a connection while the refresh waits for one.
        @Test(arguments: [100, 8, 1])
        func refreshesOnceForHundredRejectedCalls(connections: Int) async throws {
            let (refused, all) = (Locked(0), Signal())
            let site = Site { head in
                if head.hasPrefix("POST /token") { return Self.response("200 OK", "", "new") }
                if head.contains("Bearer new\r\n") { return Self.response("200 OK", "", "welcome") }
                let isLast = refused.withLock { refused in
                    refused += 1
                    return refused >= connections
                }
                if isLast { all.set() }
                await all.wait()
                return Self.response("401 Unauthorized", "WWW-Authenticate: Bearer\r\n", "who are you?")
            }
            let session = Session()
            try await with(site, .init(tokenProvider: session), connections: connections) { api in
                await session.use(api)
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<100 { group.addTask { try await api.get("/me").authorized().send().text } }
                    for try await text in group { #expect(text == "welcome") }
                }
            }
            #expect(site.targets.count { $0 == "POST /token" } == 1)
            #expect(await session.refreshes == 1)
        }

        /// Gets its tokens through the client that uses it as its provider.
        private actor Session: TokenProvider {
            private var api: Client?
            private var current = "old"
            private(set) var refreshes = 0

            func use(_ api: Client) { self.api = api }

            func token() -> String? { current }

            func refresh() async throws -> String? {
                refreshes += 1
                guard let api else { return nil }
                current = try await api.post("/token").send().text
                return current
            }
        }

        @Test func resendsStreamAfterRefresh() async throws {
            let site = Site { head in
                if head.hasPrefix("POST /token") { return Self.response("200 OK", "", "new") }
                return head.contains("Bearer new\r\n")
                    ? Self.response("200 OK", "", "one\ntwo\n") : Self.response("401 Unauthorized", "", "no")
            }
            let session = Session()
            try await with(site, .init(tokenProvider: session, maxConcurrentRequests: 1), connections: 1) { api in
                await session.use(api)
                var lines: [String] = []
                for try await line in try await api.get("/log").authorized().lines() { lines.append(line) }
                #expect(lines == ["one", "two"])
            }
            #expect(site.targets == ["GET /log", "POST /token", "GET /log"])
        }

        // MARK: Retry

        @Test func honorsRetryAfterUpToLimit() async throws {
            let clock = ManualClock(passesBySleeping: true)
            let delays = Locked(["Retry-After: 7\r\n", "Retry-After: 86400\r\n"])
            let site = Site { _ in
                let field = delays.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                return field.map { Self.response("503 Service Unavailable", $0) } ?? Self.response("200 OK")
            }
            try await with(site, .init(timeout: nil, clock: clock, retry: .fixed())) { api in
                try await api.get("/").send()
            }
            #expect(site.count == 3)
            #expect(clock.sleeps == [.seconds(7), .seconds(60)])
        }

        @Test func retriesPOSTOnlyIfEnabled() async throws {
            let site = Site { _ in Self.response("503 Service Unavailable") }
            try await with(site, .init(timeout: nil, clock: ManualClock(passesBySleeping: true), retry: .fixed())) {
                api in
                await #expect(throws: ClientError.self) { try await api.post("/once").body("a").send() }
                await #expect(throws: ClientError.self) {
                    try await api.post("/thrice").body("a").retry(.fixed().also(.post)).send()
                }
            }
            #expect(site.targets == ["POST /once", "POST /thrice", "POST /thrice", "POST /thrice"])
        }

        @Test func retriesRefusedConnection() async throws {
            let server = try await ScriptedServer.start { _ in }
            let port = server.port
            await server.stopListening()
            let clock = ManualClock(passesBySleeping: true)
            let transport = SocketTransport(.init(proxies: .none, connectTimeout: .seconds(180)))
            let configuration = Client.Configuration(timeout: nil, clock: clock, retry: .fixed(delay: .seconds(5)))
            let api = Client("http://127.0.0.1:\(port)", transport: transport, configuration: configuration)
            let error = await #expect(throws: ClientError.self) { try await api.get("/").send() }
            #expect((error?.underlying as? TransportError)?.code == .connectionRefused)
            #expect(clock.sleeps == [.seconds(5), .seconds(5)])
            await transport.shutDown()
        }

        // MARK: Limit

        @Test func freesAllSlotsAfterTenThousandCalls() async throws {
            let site = Site { _ in
                await Task.yield()
                return Self.response("200 OK", "", "ok")
            }
            try await with(site, .init(maxConcurrentRequests: 4)) { api in
                var random = SeededGenerator(seed: 1)
                let outcomes = await withTaskGroup(of: String.self) { group in
                    for number in 0..<10_000 {
                        let task = Task {
                            do {
                                if number % 7 == 0 {
                                    return String(
                                        decoding: try await api.get("/").stream().body.collect(),
                                        as: UTF8.self
                                    )
                                }
                                return try await api.get("/").send().text
                            } catch {
                                return (error as? ClientError)?.code.rawValue ?? "\(error)"
                            }
                        }
                        guard Bool.random(using: &random) else {
                            group.addTask { await task.value }
                            continue
                        }
                        let turns = Int.random(in: 0...30, using: &random)
                        group.addTask {
                            for _ in 0..<turns { await Task.yield() }
                            task.cancel()
                            return await task.value
                        }
                    }
                    return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
                }
                #expect(Set(outcomes.keys) == ["ok", "cancelled"])
                #expect(outcomes.values.reduce(0, +) == 10_000)
                #expect(api.configuration.slots?.freeSlots == 4)
                #expect(api.configuration.slots?.waiting == 0)
                try await api.get("/").send()
            }
        }
    }
#endif
