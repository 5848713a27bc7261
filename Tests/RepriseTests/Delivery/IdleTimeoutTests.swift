// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct IdleTimeoutTests {
    private let clock = ManualClock()

    private func api(_ transport: some Transport, limit: Duration? = nil) -> Client {
        Client("https://h", transport: transport, configuration: .init(timeout: nil, idleTimeout: limit, clock: clock))
    }

    private func hanging(_ source: HangingSource) -> ClosureTransport {
        ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(source))
        }
    }

    @Test(arguments: [true, false])
    func endsSilentBody(isStream: Bool) async throws {
        let source = HangingSource()
        let call = api(hanging(source)).get("/a").idleTimeout(.seconds(30))
        let task = Task {
            if isStream { _ = try await call.stream().body.collect() } else { try await call.send() }
        }
        for await _ in source.started.stream { break }
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .timeout)
        #expect(error?.request?.path == "/a")
        #expect(error?.message.contains("no data was received for 30.0 seconds") == true)
    }

    @Test func countsOnlyTimeBetweenParts() async throws {
        let pauses = StubTransport {
            $0.get("/", .stream("a", .pause(.seconds(20)), "b", .pause(.seconds(20)), "c"))
            $0.get("/slow", .stream("a", .pause(.seconds(31)), "b"))
        }
        let clock = ManualClock(passesBySleeping: true)
        let configuration = Client.Configuration(idleTimeout: .seconds(30), clock: clock)
        let api = Client("https://h", transport: pauses, configuration: configuration)
        #expect(try await api.get("/").send().text == "abc")
        let response = try await api.get("/").stream()
        for try await _ in response.body { clock.advance(by: .seconds(3600)) }
        #expect(response.ending == .complete)
        let slow = try await api.get("/slow").stream()
        let error = await #expect(throws: ClientError.self) { try await slow.body.collect() }
        #expect(error?.code == .timeout)
        #expect(slow.ending == .timedOut)
    }

    @Test func prefersCallOverClient() async throws {
        let slow = StubTransport { $0.get("/", .stream("a", .pause(.seconds(20)), "b")) }
        let configuration = Client.Configuration(idleTimeout: .seconds(10), clock: ManualClock(passesBySleeping: true))
        let call = Client("https://h", transport: slow, configuration: configuration).get("/")
        await #expect(throws: ClientError.self) { try await call.send() }
        #expect(try await call.idleTimeout(.seconds(21)).send().text == "ab")
        #expect(try await call.idleTimeout(nil).send().text == "ab")
        await #expect(throws: ClientError.self) { try await call.idleTimeout(.seconds(-1)).send() }
        #expect(try await call.idleTimeout(.seconds(Int64.max)).send().text == "ab")
    }

    @Test func keepsPartsAndErrorsOfBody() async throws {
        let parts: [Body.Part] = [.bytes([1], endsChunk: false), .bytes([2], endsChunk: true), .trailers([])]
        let failure = TransportError(.reset, "so")
        for error in [nil, failure] {
            let transport = ClosureTransport { _, _, _ throws(TransportError) in
                Response(HTTPResponse(status: .ok), body: Body(ScriptedSource(parts, failing: error), length: 2))
            }
            let body = try await api(transport, limit: .seconds(5)).get("/").stream().body
            #expect(body.length == 2)
            var found: [Body.Part] = []
            do {
                for try await part in body.parts { found.append(part) }
                #expect(error == nil)
            } catch {
                #expect((error as? ClientError)?.code == .transport)
            }
            #expect(found == parts)
            #expect(body.ending == (error == nil ? .complete : .reset))
        }
    }

    @Test func canceledReadingIsNotTimeout() async throws {
        let source = HangingSource()
        let call = api(hanging(source), limit: .seconds(30)).get("/")
        let task = Task { try await call.stream().body.collect() }
        for await _ in source.started.stream { break }
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func reconnectsSilentEvents() async throws {
        let stub = StubTransport {
            $0.get(
                "/news",
                .events("data: a\n\n", .pause(.seconds(3600)), "data: never\n\n"),
                .events("data: b\n\n"),
                .status(.noContent)
            )
        }
        let configuration = Client.Configuration(clock: ManualClock(passesBySleeping: true))
        let api = Client("https://h", transport: stub, configuration: configuration)
        var found: [String] = []
        for try await event in api.get("/news").idleTimeout(.seconds(60)).events(reconnecting: .init()) {
            found.append(event.data)
        }
        #expect(found == ["a", "b"])
    }

    // MARK: Uploads

    /// A server that takes each piece of a body after a pause, and answers after another one.
    private func slow(_ clock: ManualClock, pauses: [Duration]) -> ClosureTransport {
        ClosureTransport { _, body, _ throws(TransportError) in
            var chunks = body?.makeAsyncIterator()
            for pause in pauses {
                _ = try? await chunks?.next()
                try? await clock.sleep(for: pause)
            }
            return Response(HTTPResponse(status: .ok))
        }
    }

    @Test(arguments: [
        ([20, 20, 20], true), ([20, 31, 20], false), ([31], false), ([20, 20, 31], false),
    ])
    func endsSilentUpload(pauses: [Int], isAnswered: Bool) async {
        let clock = ManualClock(passesBySleeping: true)
        let transport = slow(clock, pauses: pauses.map { .seconds($0) })
        let configuration = Client.Configuration(timeout: nil, idleTimeout: .seconds(30), clock: clock)
        let call = Client("https://h", transport: transport, configuration: configuration).post("/film")
            .body(Body([UInt8](repeating: 0, count: 3 * UploadFile.pieceSize)))
        do {
            try await call.send()
            #expect(isAnswered)
        } catch {
            #expect(!isAnswered)
            #expect((error as? ClientError)?.code == .timeout)
            #expect("\(error)".contains("no data was sent or received for 30.0 seconds"))
        }
    }

    @Test func doesNotLimitAnswerToRequestWithoutBody() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let call = api(slow(clock, pauses: [.seconds(31)]), limit: .seconds(30)).get("/")
        try await call.send()
    }

    private static let film = [UInt8](repeating: 0, count: 3 * UploadFile.pieceSize)

    /// The default limits the time without progress of a body in several pieces, and the total time of any other call.
    @Test(
        arguments: [
            (Body([1]), nil, nil, .seconds(60)),
            (Body([UInt8](repeating: 0, count: 128 << 10)), nil, nil, .seconds(60)),
            (Body(film), nil, nil, nil), (Body(AsyncStream<[UInt8]> { $0.finish() }), nil, nil, nil),
            // Nothing is sent, so there is no progress to wait for.
            (Body(AsyncStream<[UInt8]> { $0.finish() }, length: 0), nil, nil, .seconds(60)),
            (Body(film), .seconds(90), nil, .seconds(90)), (Body(film), .seconds(60), nil, nil),
            (Body(film), nil, .seconds(60), .seconds(60)), (Body(film), .seconds(90), .seconds(5), .seconds(5)),
        ] as [(Body, Duration?, Duration?, Duration?)]
    )
    func defaultDoesNotLimitTotalTimeOfUpload(
        body: Body,
        client: Duration?,
        call: Duration?,
        total: Duration?
    ) async throws {
        let transport = ClosureTransport()
        let configuration = client.map { Client.Configuration(timeout: $0) } ?? Client.Configuration()
        var upload = Client("https://h", transport: transport, configuration: configuration).put("/film").body(body)
        if let call { upload = upload.timeout(call) }
        try await upload.send()
        #expect(transport.options.map(\.timeout) == [total])
    }

    @Test func uploadWithoutIdleTimeoutKeepsTotal() async throws {
        let transport = ClosureTransport()
        let upload = Client("https://h", transport: transport).put("/film").body(Body(Self.film))
        try await upload.idleTimeout(nil).send()
        try await upload.idleTimeout(.seconds(5)).send()
        #expect(transport.options.map(\.timeout) == [.seconds(60), nil])
    }

    @Test(arguments: [([50, 50, 50], true), ([50, 61], false), ([50, 50, 61], false), ([61], false)])
    func uploadEndsAfter60SecondsWithoutProgress(pauses: [Int], isAnswered: Bool) async {
        let clock = ManualClock(passesBySleeping: true)
        let transport = slow(clock, pauses: pauses.map { .seconds($0) })
        let call = Client("https://h", transport: transport, configuration: .init(clock: clock)).put("/film")
        do {
            try await call.body(Body(Self.film)).send()
            #expect(isAnswered)
        } catch {
            #expect(!isAnswered)
            #expect((error as? ClientError)?.code == .timeout)
        }
    }

    /// A transport that records must not take the end of the time for a cancellation.
    @Test func canceledTransportSeesThatTimeHasPassed() async {
        let (clock, isReached) = (ManualClock(passesBySleeping: true), Locked<Bool?>(nil))
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            try? await clock.sleep(for: .seconds(61))
            while !Task.isCancelled { await Task.yield() }
            isReached.withLock { $0 = RequestExpiry.current?.isReached }
            throw TransportError(.cancelled, "canceled")
        }
        let call = Client("https://h", transport: transport, configuration: .init(clock: clock)).put("/film")
        await #expect(throws: ClientError.self) { try await call.body(Body(Self.film)).send() }
        #expect(isReached.withLock { $0 } == true)
    }

    /// A stream has no limit after its head, unless it is asked for.
    @Test func uploadDoesNotLimitStream() async throws {
        let slow = StubTransport { $0.post("/", .stream("a", .pause(.seconds(600)), "b")) }
        let configuration = Client.Configuration(clock: ManualClock(passesBySleeping: true))
        let call = Client("https://h", transport: slow, configuration: configuration).post("/").body(Body(Self.film))
        #expect(try await call.stream().body.collect() == Array("ab".utf8))
        await #expect(throws: ClientError.self) { try await call.send() }
        await #expect(throws: ClientError.self) { try await call.idleTimeout(.seconds(60)).stream().body.collect() }
    }

    #if os(Linux)
        @Test func endsSilentUploadOverSocket() async throws {
            let server = try await ScriptedServer.start(readsAtOnce: false)
            let transport = SocketTransport(.init(proxies: .none))
            let call = Client("http://127.0.0.1:\(server.port)", transport: transport).put("/film").timeout(nil)
                .body(Body([UInt8](repeating: 0, count: 64 << 20))).idleTimeout(.milliseconds(200))
            let error = await #expect(throws: ClientError.self) { try await call.send() }
            #expect(error?.code == .timeout)
            #expect(error?.message.contains("no data was sent") == true)
        }

        @Test func endsSilentConnection() async throws {
            let server = try await ScriptedServer.start()
            let transport = SocketTransport(.init(proxies: .none))
            let call = Client("http://127.0.0.1:\(server.port)", transport: transport).get("/").idleTimeout(
                .milliseconds(1)
            )
            async let response = call.stream()
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let body = try await response.body
            let error = await #expect(throws: ClientError.self) { try await body.collect() }
            #expect(error?.code == .timeout)
            // The connection is closed, not kept for another request.
            try await server.expectOpenConnections(0)
        }
    #endif
}
