// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// Notes when it is entered and exited.
private struct Noting: Interceptor {
    let name: String
    let log: Locked<[String]>

    func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
        log.withLock { $0.append("> \(name)") }
        let response = try await next(request)
        log.withLock { $0.append("< \(name)") }
        return response
    }
}

@Suite struct InterceptorTests {
    private struct Get: Endpoint {
        let log: Locked<[String]>
        var path: Path { "/" }

        func configure(_ call: Call) -> Call {
            call.intercept(Noting(name: "endpoint", log: log))
        }
    }

    /// An app's closures may take a long time, and the caller's actor is usually the main actor.
    @MainActor @Test func runsClosuresOffCallersActor() async throws {
        let isOnMain = Locked<[Bool]>([])
        let note: @Sendable () -> Void = { isOnMain.withLock { $0.append(Thread.isMainThread) } }
        let client = Client("https://h", transport: StubTransport { $0.get("/", .text("a")) })
        let call = client.get("/")
            .intercept(
                ClosureInterceptor { request, next in
                    note()
                    return try await next(request)
                }
            )
            .intercept(ClosureInterceptor(before: { _ in note() }))
            .transform { response in
                note()
                return response
            }
        #expect(try await call.send().text == "a")
        #expect(isOnMain.withLock { $0 } == [false, false, false])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func readsBodyThatIsNotStream(transport: TransportUnderTest) async throws {
        let server = try await ScriptedServer.answering { _ in
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"
        }
        let stub = StubTransport.answering { _ in .stream("abc", "def") }
        let api = Client("http://127.0.0.1:\(server.port)", transport: transport.make() ?? stub)
        let read = Locked<[String]>([])
        let call = api.get("/").intercept { request, next in
            let response = try await next(request)
            let text = String(decoding: try await response.body.collect(), as: UTF8.self)
            read.withLock { $0.append(text) }
            return response
        }
        #expect(try await call.send().text == "abcdef")
        let error = await #expect(throws: ClientError.self) { try await call.stream().body.collect() }
        #expect((error?.underlying as? TransportError)?.code == .bodyConsumed)
        #expect(read.withLock { $0 } == ["abcdef", "abcdef"])
    }

    @Test func runsInOrderOfClientEndpointAndCall() async throws {
        let log = Locked<[String]>([])
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            log.withLock { $0.append("transport") }
            return Response(HTTPResponse(status: .ok))
        }
        var api = Client("https://h", transport: transport)
        api.configuration.interceptors = [Noting(name: "client 1", log: log), Noting(name: "client 2", log: log)]
        try await api.call(Get(log: log)).intercept(Noting(name: "call 1", log: log))
            .intercept(Noting(name: "call 2", log: log)).send()
        let entered = ["client 1", "client 2", "endpoint", "call 1", "call 2"]
        #expect(
            log.withLock { $0 } == entered.map { "> \($0)" } + ["transport"] + entered.reversed().map { "< \($0)" }
        )
    }

    @Test func changesRequestAndResponse() async throws {
        let transport = ClosureTransport(body: "a")
        let call = Client("https://h", transport: transport).get("/a").intercept { request, next in
            var request = request
            request.head.path = "/b"
            request.options.timeout = .seconds(1)
            var response = try await next(request)
            response.head.status = .created
            return response
        }
        #expect(try await call.send().status == .created)
        #expect(transport.requests.map(\.path) == ["/b"])
        #expect(transport.options.map(\.timeout) == [.seconds(1)])
    }

    @Test func answersWithoutSending() async throws {
        let transport = ClosureTransport()
        let call = Client("https://h", transport: transport).get("/").intercept { _, _ in
            Response(HTTPResponse(status: .ok), body: "cached")
        }
        #expect(try await call.send().text == "cached")
        #expect(transport.requests.isEmpty)
    }

    @Test func canCallNextTwice() async throws {
        let log = Locked<[String]>([])
        let attempts = Locked<[Int]>([])
        let transport = ClosureTransport()
        try await Client("https://h", transport: transport).get("/")
            .intercept { request, next in
                var request = request
                _ = try await next(request)
                request.attempt += 1
                return try await next(request)
            }
            .intercept { request, next in
                attempts.withLock { $0.append(request.attempt) }
                return try await next(request)
            }
            .intercept(Noting(name: "inner", log: log)).send()
        #expect(transport.requests.count == 2)
        #expect(attempts.withLock { $0 } == [1, 2])
        #expect(log.withLock { $0 } == ["> inner", "< inner", "> inner", "< inner"])
    }

    @Test func recoversFromFailuresReportedAsClientErrors() async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            throw TransportError(.connectionRefused, "nobody there")
        }
        let seen = Locked<ClientError?>(nil)
        let call = Client("https://h", transport: transport).get("/").intercept { request, next in
            do {
                return try await next(request)
            } catch {
                seen.withLock { $0 = error as? ClientError }
                return Response(HTTPResponse(status: .ok), body: "offline copy")
            }
        }
        #expect(try await call.send().text == "offline copy")
        #expect(seen.withLock { $0?.code } == .transport)
        #expect(seen.withLock { $0?.isConnectivity } == true)
        #expect(seen.withLock { $0?.request?.path } == "/")
    }

    @Test func errorsOfReplacedBodyNameRequest() async throws {
        let call = Client("https://h", transport: ClosureTransport()).get("/a").intercept { _, _ in
            Response(HTTPResponse(status: .ok), body: Body(ScriptedSource([], failing: TransportError(.reset, "so"))))
        }
        let sent = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(sent.map { "\($0)" } == "transport: GET https://h/a: so")
        let response = try await call.stream()
        let streamed = await #expect(throws: ClientError.self) { try await response.body.collect() }
        #expect(streamed.map { "\($0)" } == "transport: GET https://h/a: so")
        #expect((streamed?.underlying as? TransportError)?.code == .reset)
    }

    @Test func canReadBrokenBodyAgain() async throws {
        let parts = [Body.Part.bytes(Array("ab".utf8), endsChunk: true), .bytes(Array("cd".utf8), endsChunk: true)]
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(
                HTTPResponse(status: .ok),
                body: Body(ScriptedSource(parts, failing: TransportError(.truncated, "cut")))
            )
        }
        let read = Locked<[String]>([])
        let reading = ClosureInterceptor { request, next in
            let response = try await next(request)
            // Leaving the body early does not change what is read next.
            for try await chunk in response.body {
                #expect(chunk == Array("ab".utf8))
                break
            }
            for _ in 0..<2 {
                var text = ""
                let error = await #expect(throws: ClientError.self) {
                    for try await chunk in response.body { text += String(decoding: chunk, as: UTF8.self) }
                }
                read.withLock { $0.append("\(text), \(error?.message ?? "")") }
            }
            return response
        }
        let call = Client("https://h", transport: transport).get("/a").intercept(reading).intercept(reading)
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error.map { "\($0)" } == "transport: GET https://h/a: cut")
        #expect((error?.underlying as? TransportError)?.code == .truncated)
        #expect(read.withLock { $0 } == Array(repeating: "abcd, cut", count: 4))
    }

    @Test func receivesErrorStatuses() async throws {
        let call = Client("https://h", transport: ClosureTransport(.unauthorized)).get("/")
            .intercept { request, next in
                var response = try await next(request)
                if response.status == .unauthorized { response.head.status = .ok }
                return response
            }
        try await call.send()
    }

    @Test func failsCallWithThrownError() async {
        struct Mine: Error, Equatable {}
        let call = Client("https://h", transport: ClosureTransport()).get("/").intercept { _, _ in throw Mine() }
        await #expect(throws: Mine()) { try await call.send() }
        await #expect(throws: Mine()) { _ = try await call.stream() }
    }

    @Test func addsRequestToThrownClientError() async {
        let call = Client("https://h", transport: ClosureTransport()).get("/a").intercept { _, _ in
            throw ClientError(.init(rawValue: "mine"), "so")
        }
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.code.rawValue == "mine")
        #expect(error?.request?.path == "/a")
    }

    @Test func interceptsStreamsLikeOtherCalls() async throws {
        let kinds = Locked<[Bool]>([])
        let call = Client("https://h", transport: ClosureTransport(body: "a")).get("/").intercept { request, next in
            kinds.withLock { $0.append(request.isStream) }
            var response = try await next(request)
            response.headers[.eTag] = "seen"
            return response
        }
        #expect(try await call.stream().headers[.eTag] == "seen")
        #expect(try await call.send().headers[.eTag] == "seen")
        #expect(kinds.withLock { $0 } == [true, false])
    }

    @Test func replacesRequestBody() async throws {
        let transport = ClosureTransport()
        try await Client("https://h", transport: transport).post("/").body("a").intercept { request, next in
            var request = request
            #expect(request.body?.length == 1)
            request.body = "other"
            return try await next(request)
        }.send()
        #expect(try await transport.bodies[0]?.collect() == Array("other".utf8))
    }
}
