// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct CallStreamTests {
    @Test func returnsStatusAndHeadersBeforeBody() async throws {
        let source = ScriptedSource([.bytes([1], endsChunk: true), .bytes([2], endsChunk: true)])
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok, headerFields: [.eTag: "1"]), body: Body(source))
        }
        let response = try await Client("https://h", transport: transport).get("/").stream()
        #expect(response.headers == [.eTag: "1"])
        #expect(response.ending == nil)
        var chunks: [[UInt8]] = []
        for try await chunk in response.body { chunks.append(chunk) }
        #expect(chunks == [[1], [2]])
        #expect(response.ending == .complete)
    }

    @Test func cancelsRequestWhenLoopExits() async throws {
        let source = ScriptedSource([.bytes([1], endsChunk: true), .bytes([2], endsChunk: true)])
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let response = try await Client("https://h", transport: transport).get("/").stream()
        for try await _ in response.body { break }
        #expect(source.isCancelled)
        #expect(response.ending == nil)
    }

    @Test func pullsChunksOnDemand() async throws {
        let source = ScriptedSource([.bytes([1], endsChunk: true), .bytes([2], endsChunk: true)])
        let transport = ClosureTransport(enforcesTimeout: false) { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(source))
        }
        var iterator = try await Client("https://h", transport: transport).get("/").stream().body.makeAsyncIterator()
        #expect(source.asked == 0)
        _ = try await iterator.next()
        #expect(source.asked == 1)
    }

    @Test func canBeStubbed() async throws {
        let stub = StubTransport { $0.post("/chat", .stream("a", .pause(.milliseconds(1)), "b")) }
        let response = try await Client("https://h", transport: stub).post("/chat").json(["q": "x"]).stream()
        #expect(try await response.body.collect() == Array("ab".utf8))
        #expect(stub.requests.first?.text == #"{"q":"x"}"#)
    }

    @Test func runsInterceptorsWithClientsHeaders() async throws {
        let transport = ClosureTransport(body: "a")
        let api = Client(
            "https://h",
            transport: transport,
            configuration: .init(
                headers: [.authorization: "Bearer t"],
                interceptors: [
                    ClosureInterceptor { request, next in
                        var request = request
                        request.headers[.accept] = "text/plain"
                        return try await next(request)
                    }
                ]
            )
        )
        _ = try await api.get("/").stream()
        #expect(transport.requests.first?.headerFields == [.authorization: "Bearer t", .accept: "text/plain"])
    }

    // MARK: Error statuses

    @Test func throwsSameStatusErrorAsOtherCalls() async throws {
        let api = Client("https://h", transport: ClosureTransport(.notFound, body: "no such chat"))
        let streamed = await #expect(throws: ClientError.self) { _ = try await api.get("/a").stream() }
        let collected = await #expect(throws: ClientError.self) { _ = try await api.get("/a").send() }
        #expect(streamed?.code == .status)
        #expect(streamed?.response?.text == "no such chat")
        #expect(streamed.map { "\($0)" } == collected.map { "\($0)" })
    }

    @Test(arguments: [(0, true), (1, false), (-1, true)])
    func readsErrorBodyUpToLimit(excess: Int, passes: Bool) async throws {
        let count = (1 << 20) + excess
        for body in [Body([UInt8](repeating: 0x61, count: count)), Body(ChunkSource(bytes: count))] {
            let api = Client("https://h", transport: ClosureTransport(.internalServerError, body: body))
            let error = await #expect(throws: ClientError.self) { _ = try await api.get("/").stream() }
            #expect(error?.code == (passes ? .status : .errorBodyTooLarge))
            #expect(error?.response?.status == .internalServerError)
            if passes { #expect(error?.response?.bytes.count == count) }
        }
    }

    @Test func usesErrorBodyLimitOfClient() async throws {
        let api = Client(
            "https://h",
            transport: ClosureTransport(.internalServerError, body: "abc"),
            configuration: .init(errorBodyLimit: 2)
        )
        let error = await #expect(throws: ClientError.self) { _ = try await api.get("/").stream() }
        #expect(error?.code == .errorBodyTooLarge)
        #expect(error?.message.contains("more than 2 bytes") == true)
    }

    @Test func cancelsEndlessErrorBodyAtLimit() async throws {
        let source = ChunkSource(bytes: .max)
        let transport = ClosureTransport(.internalServerError, body: Body(source))
        let error = await #expect(throws: ClientError.self) {
            _ = try await Client("https://h", transport: transport).get("/").stream()
        }
        #expect(error?.code == .errorBodyTooLarge)
        #expect(source.isCancelled)
    }

    @Test func timesOutHangingErrorBody() async throws {
        let (clock, source) = (ManualClock(), HangingSource())
        let transport = ClosureTransport(.internalServerError, headers: [.eTag: "1"], body: Body(source))
        let api = Client("https://h", transport: transport, configuration: .init(clock: clock))
        let task = Task { try await api.get("/").stream() }
        for await _ in source.started.stream { break }
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .timeout)
        #expect(error?.response?.status == .internalServerError)
        #expect(error?.response?.headers == [.eTag: "1"])
    }

    @Test(arguments: [
        (TransportError.Code.reset, ClientError.Code.status), (.truncated, .status), (.malformedResponse, .status),
        (.timedOut, .timeout), (.cancelled, .cancelled),
    ])
    func preservesResponseWhenErrorBodyFails(failure: TransportError.Code, code: ClientError.Code) async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            let part = Body.Part.bytes(Array("token exp".utf8), endsChunk: true)
            let body = Body(ScriptedSource([part], failing: TransportError(failure, "so")))
            return Response(HTTPResponse(status: .unauthorized, headerFields: [.eTag: "1"]), body: body)
        }
        let call = Client("https://h", transport: transport).get("/a")
        let streamed = await #expect(throws: ClientError.self) { try await call.stream() }
        let collected = await #expect(throws: ClientError.self) { try await call.send() }
        for error in [streamed, collected] {
            #expect(error?.code == code)
            #expect(error?.request?.path == "/a")
            #expect(error?.response?.status == .unauthorized)
            #expect(error?.response?.headers == [.eTag: "1"])
            #expect(error?.response?.text == "token exp")
            #expect((error?.underlying as? TransportError)?.code == failure)
            if code == .status { #expect(error?.message.hasSuffix("but the content is incomplete: so") == true) }
        }
    }

    @Test func returnsAnyStatusWithoutValidation() async throws {
        let api = Client("https://h", transport: ClosureTransport(.notFound, body: "no"))
        let response = try await api.get("/").validate(.none).stream()
        #expect(response.status == .notFound)
        #expect(try await response.body.collect() == Array("no".utf8))
    }
}

/// The given number of bytes, in chunks of at most 64 KiB.
private final class ChunkSource: BodySource {
    private let rest: Locked<Int>
    private let cancelled = Locked(false)

    init(bytes: Int) {
        rest = Locked(bytes)
    }

    var isCancelled: Bool { cancelled.withLock { $0 } }

    func next() async throws(TransportError) -> Body.Part? {
        let count = rest.withLock { rest in
            let count = min(rest, 1 << 16)
            rest -= count
            return count
        }
        return count == 0 ? nil : .bytes([UInt8](repeating: 0x61, count: count), endsChunk: true)
    }

    func cancel() {
        cancelled.withLock { $0 = true }
    }
}
