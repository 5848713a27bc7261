// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct ClosureInterceptorTests {
    private struct Mine: Error, Equatable {}

    private let count = HTTPField.Name("X-Count")!

    private func client(_ transport: some Transport, retry: RetryPolicy? = nil) -> Client {
        Client(
            "https://h",
            transport: transport,
            configuration: .init(timeout: nil, clock: ManualClock(passesBySleeping: true), retry: retry)
        )
    }

    @Test func changesRequestOfEachAttempt() async throws {
        let counter = Locked(0)
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            let isFirst = request.headerFields[.init("X-Count")!] == "1"
            return Response(HTTPResponse(status: isFirst ? .serviceUnavailable : .ok))
        }
        let interceptor = ClosureInterceptor(before: { request in
            await Task.yield()
            let number = counter.withLock { counter in
                counter += 1
                return counter
            }
            request.headers[.init("X-Count")!] = "\(number)"
        })
        try await client(transport, retry: .fixed()).get("/").intercept(interceptor).send()
        #expect(transport.requests.map { $0.headerFields[count] } == ["1", "2"])
    }

    @Test func sendsNothingWhenBeforeThrows() async {
        let transport = ClosureTransport()
        let interceptor = ClosureInterceptor(
            before: { _ in throw Mine() },
            onError: { _, _ in Response(HTTPResponse(status: .ok)) }
        )
        await #expect(throws: Mine()) { try await client(transport).get("/").intercept(interceptor).send() }
        #expect(transport.requests.isEmpty)
    }

    @Test func afterCanFailSuccess() async {
        let interceptor = ClosureInterceptor(after: { response, request in
            #expect(request.head.path == "/a")
            #expect(response.status == .ok)
            throw Mine()
        })
        for isStream in [false, true] {
            let call = client(ClosureTransport()).get("/a").intercept(interceptor)
            await #expect(throws: Mine()) {
                if isStream { _ = try await call.stream() } else { try await call.send() }
            }
        }
    }

    @Test func afterChangesResponseOfAnyStatus() async throws {
        let interceptor = ClosureInterceptor(after: { response, _ in
            if response.status == .notFound { response.head.status = .ok }
        })
        #expect(try await client(ClosureTransport(.notFound)).get("/").intercept(interceptor).send().status == .ok)
    }

    @Test func onErrorCanReplaceError() async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in throw TransportError(.offline, "so") }
        let call = client(transport).get("/")
        let answer = try await call.intercept(
            ClosureInterceptor(onError: { error, _ in
                #expect((error as? ClientError)?.isConnectivity == true)
                return Response(HTTPResponse(status: .ok), body: "copy")
            })
        ).send()
        #expect(answer.text == "copy")
        await #expect(throws: Mine()) {
            try await call.intercept(ClosureInterceptor(onError: { _, _ in throw Mine() })).send()
        }
        let seen = Locked(0)
        let kept = await #expect(throws: ClientError.self) {
            try await call.intercept(
                ClosureInterceptor(onError: { _, _ in
                    seen.withLock { $0 += 1 }
                    return nil
                })
            ).send()
        }
        #expect(kept?.code == .transport)
        #expect(seen.withLock { $0 } == 1)
    }

    @Test func onDataReplacesContent() async throws {
        let trailers = [Array("X-Sum: 1".utf8)]
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            let parts: [Body.Part] = [
                .bytes(Array("ab".utf8), endsChunk: true), .bytes(Array("c".utf8), endsChunk: true),
                .trailers(trailers),
            ]
            return Response(HTTPResponse(status: .ok), body: Body(ScriptedSource(parts)))
        }
        let interceptor = ClosureInterceptor(onData: { bytes, _ in bytes.reversed() })
        let response = try await client(transport).get("/").intercept(interceptor).send()
        #expect(response.text == "cba")
        #expect(response.trailers?.isEmpty == false)
        #expect(try await client(transport).get("/").intercept(interceptor).stream().text() == "abc")
        await #expect(throws: Mine()) {
            try await client(transport).get("/").intercept(ClosureInterceptor(onData: { _, _ in throw Mine() })).send()
        }
    }

    @Test func skipsOnDataForIncompleteContent() async {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            let source = ScriptedSource([.bytes([1], endsChunk: true)], failing: TransportError(.reset, "so"))
            return Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let interceptor = ClosureInterceptor(onData: { bytes, _ in
            Issue.record("onData ran for incomplete content")
            return bytes
        })
        let error = await #expect(throws: ClientError.self) {
            try await client(transport).get("/").intercept(interceptor).send()
        }
        #expect(error?.isConnectivity == true)
    }

    @Test func runsOnlyIfConditionIsTrue() async throws {
        let transport = ClosureTransport(body: "a")
        let interceptor = ClosureInterceptor(
            when: { request in
                await Task.yield()
                return request.head.method == .post
            },
            before: { $0.head.headerFields[.init("X-Count")!] = "1" },
            after: { response, _ in response.head.status = .created },
            onData: { bytes, _ in bytes + bytes }
        )
        var api = client(transport)
        api.configuration.interceptors = [interceptor]
        #expect(try await api.get("/").send().text == "a")
        let changed = try await api.post("/").send()
        #expect(changed.text == "aa")
        #expect(changed.status == .created)
        #expect(transport.requests.map { $0.headerFields[count] } == [nil, "1"])
        api.configuration.interceptors = [ClosureInterceptor(when: { _ in throw Mine() })]
        let broken = api
        await #expect(throws: Mine()) { try await broken.get("/").send() }
    }
}
