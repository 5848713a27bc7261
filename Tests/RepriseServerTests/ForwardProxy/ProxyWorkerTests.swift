// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// The users of the proxy, which are the parallel workers of a test runner.
@Suite(.timeLimit(.minutes(5))) struct ProxyWorkerTests {
    private let fixtures: [Fixture] = [
        .recorded("http://a.test/x", response: .text("1")), .recorded("http://a.test/x", response: .text("2")),
        .recorded("http://a.test/x", response: .text("3")),
    ]

    private func authorization(_ credentials: String) -> String {
        "Proxy-Authorization: Basic \(Base64.text(Array(credentials.utf8)))"
    }

    /// Returns the content of the next answer to a user.
    private func next(_ credentials: String?, of server: MockServer) async throws -> String {
        let client = try await ProxyClient(server)
        let field = credentials.map(authorization) ?? "X-None: 1"
        return try await client.get("http://a.test/x", host: "a.test", field).content
    }

    private func tunnel(_ credentials: String, through server: MockServer) async throws -> ProxyClient {
        let proxy = try await ProxyClient(server)
        try await proxy.client.send(
            "CONNECT a.test:80 HTTP/1.1\r\nHost: a.test\r\n\(authorization(credentials))\r\n\r\n"
        )
        _ = try await proxy.client.read(until: "\r\n\r\n")
        return proxy
    }

    @Test func eachUserHasItsOwnPlaceInSequence() async throws {
        try await withForwardProxy(fixtures) { server in
            for content in ["1", "2"] {
                for user in ["w1:x", "w2:x", "gw-0.a_b:", nil] { #expect(try await next(user, of: server) == content) }
            }
            // The password has no meaning.
            #expect(try await next("w1:other", of: server) == "3")
            let tunnel = try await tunnel("w2:x", through: server)
            #expect(try await tunnel.get("/x", host: "a.test").content == "3")
            #expect(try await tunnel.get("/x", host: "a.test", authorization("w9:x")).content == "3")
            let first = try await self.tunnel("w3:x", through: server)
            #expect(try await first.get("/x", host: "a.test").content == "1")
        }
    }

    @Test(arguments: ["w 1:x", ":x", "w1", "w/1:x", "\(String(repeating: "w", count: 65)):x"])
    func otherNamesAreNoWorkers(credentials: String) async throws {
        try await withForwardProxy(fixtures) { server in
            let contents = [try await next(credentials, of: server), try await next(nil, of: server)]
            #expect(contents == ["1", "2"])
        }
    }

    @Test func usersAreNoWorkersIfTheProxyHasOne() async throws {
        try await withForwardProxy(fixtures, MockServer.ForwardProxy(credentials: "w1:x")) { server in
            let contents = [try await next("w1:x", of: server), try await next("w2:x", of: server)]
            #expect(contents == ["1", "2"])
        }
    }

    @Test func requestsOfWorkersCount() async throws {
        try await withForwardProxy(fixtures) { server in
            _ = try await next("w1:x", of: server)
            let client = try await ProxyClient(server)
            let miss = try await client.get("http://a.test/y", host: "a.test", authorization("w1:x"))
            #expect(miss.status == 404)
            let summary = await server.trafficSummary()
            #expect(summary.requestCount == 2)
            #expect(summary.unansweredCount == 1)
            #expect(
                summary.unanswered.map { $0.explanation.hasPrefix("No fixture answers GET http://a.test/y.") } == [true]
            )
        }
    }

    @Test func sessionOfWorkerHasPrefixAndSurvivesReload() async throws {
        try await withForwardProxy(fixtures) { server in
            for user in ["w1:x", "w2:x"] { #expect(try await next(user, of: server) == "1") }
            await server.reset()
            try await server.reload(fixtures: fixtures)
            #expect(try await next("w1:x", of: server) == "2")
            let client = try await ProxyClient(server)
            let reset = "POST /__session/w1/__admin/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
            #expect(try await client.send(reset).status == 200)
            let contents = [try await next("w1:x", of: server), try await next("w2:x", of: server)]
            #expect(contents == ["1", "2"])
        }
    }

    /// A header field names a session only on a server that has, or had, one.
    @Test func connectionServesDifferentUsers() async throws {
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient(server)
            let named = try await client.get("http://a.test/x", host: "a.test", "Reprise-Session: w1")
            #expect(named.content == "1")
            for (user, content) in [("w1:x", "1"), ("w1:x", "2"), ("w2:x", "1")] {
                let answer = try await client.get("http://a.test/x", host: "a.test", authorization(user))
                #expect(answer.content == content)
            }
            #expect(try await client.get("http://a.test/x", host: "a.test").content == "2")
            let known = try await client.get("http://a.test/x", host: "a.test", "Reprise-Session: w1")
            #expect(known.content == "3")
            #expect(try await client.get("http://a.test/x", host: "a.test", "Reprise-Session: w3").status == 404)
        }
    }

    /// Any client can send such a field, also one that may not use the proxy.
    @Test func requestWithoutProxyHasNoUser() async throws {
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient(server)
            for _ in 1...2 { _ = try await client.get("/x", host: "a.test", authorization("w1:x")) }
            #expect(await server.control.shared.current.users.isEmpty)
            #expect(try await next("w1:x", of: server) == "1")
        }
    }

    /// As for git and Java, which send no user until a server asks.
    @Test func workerMayHavePortInstead() async throws {
        try await withForwardProxy(fixtures) { server in
            for _ in 1...2 {
                let session = try await server.control.openSession()
                let client = try await RawClient.connect(port: session.port)
                for content in ["1", "2"] {
                    try await client.send("GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n")
                    #expect(try await client.read(until: "\r\n\r\n\(content)").text.hasPrefix("HTTP/1.1 200 "))
                }
            }
            #expect(try await next(nil, of: server) == "1")
        }
    }

    @Test func numberOfWorkersIsLimited() async throws {
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient(server)
            for number in 1...1_001 {
                let answer = try await client.get("http://a.test/x", host: "a.test", authorization("w\(number):x"))
                #expect(answer.status == (number > 1_000 ? 404 : 200))
            }
            #expect(try await next("w1:x", of: server) == "2")
        }
    }
}
