// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

private struct NoContentType: Error {}

private func httpDate(_ date: Date) -> String { "Sun, 06 Nov 1994 08:49:37 GMT" }

private func sign(_ request: HTTPRequest) throws -> String { "signature of \(request.path ?? "")" }

private func report(_ request: HTTPRequest, _ time: Duration) {}

private func hmac(_ content: [UInt8]) -> String { "\(content.count)" }

extension HTTPField.Name {
    fileprivate static let signature = Self("X-Signature")!
}

extension Client {
    static let bookshop = Client("https://api.example.com", configuration: .init(maxConcurrentRequests: 6))
}

/// The examples of "Customize how calls are sent" and of related symbols, with a stub.
@Suite struct PipelineExamples {
    private let stub = StubTransport {
        $0.get("/users/me", .json(#"{"id": "me"}"#))
        $0.get("/users/a%2Fb", .json(#"{"id": "a/b"}"#))
        $0.post("/users", .status(204))
    }

    @Test func runsInterceptors() async throws {
        let signing = ClosureInterceptor(before: { request in
            request.headers[.authorization] = try sign(request.head)
        })
        let timing = ClosureInterceptor { request, next in
            let start = ContinuousClock.now
            defer { report(request.head, ContinuousClock.now - start) }
            return try await next(request)
        }
        try await Ambient.$transport.withValue(stub) {
            let stamping = ClosureInterceptor(
                when: { request in request.head.method == .post },
                before: { request in request.headers[.date] = httpDate(.now) },
                after: { response, request in
                    if response.headers[.contentType] == nil { throw NoContentType() }
                }
            )
            let api = Client("https://api.example.com", configuration: .init(interceptors: [stamping]))
            try await api.get("/users/me").intercept(signing).intercept(timing).send()
            await #expect(throws: NoContentType.self) { try await api.post("/users").send() }
        }
        #expect(stub.requests[0].headers[.authorization] == "signature of /users/me")
        #expect(stub.requests[1].headers[.date] != nil)
    }

    @Test func signsContent() async throws {
        let signing = ClosureInterceptor(before: { request in
            let content = try await request.body?.collect() ?? []
            if request.body != nil { request.body = Body(content) }
            request.headers[.signature] = hmac(content)
        })
        let api = Client("https://api.example.com", transport: stub, configuration: .init(interceptors: [signing]))
        try await api.post("/users").body("Atlas", contentType: "text/plain").send()
        #expect(stub.requests[0].headers[.signature] == "5")
        #expect(stub.requests[0].body == Array("Atlas".utf8))
    }

    @Test func startsCalls() async {
        let api = Client("https://api.example.com", transport: stub)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func greet(_ user: User) { continuation.resume() }
            let started = api.get("/users/me").start(as: User.self) { result in
                if case .success(let me) = result { greet(me) }
            }
            _ = started
        }
    }

    @Test func startsEndpoints() async {
        let api = Client("https://api.example.com", transport: stub)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func greet(_ user: User) { continuation.resume() }
            let started = api.start(GetUser(id: "a/b")) { result in
                if case .success(let user) = result { greet(user) }
            }
            _ = started
        }
    }

    @Test func usesSharedClient() async throws {
        try await Ambient.$transport.withValue(stub) {
            let me: User = try await Client.bookshop.get("/users/me").value()
            #expect(me.id == "me")
        }
    }
}
