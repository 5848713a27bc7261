// SPDX-License-Identifier: Apache-2.0

import EventIO
import RepriseFixtures
import RepriseServer
import TestSupport
import Testing

/// What goes wrong on either side is told to the other, and recorded.
@Suite struct ProxyFailureTests {
    private let request = "GET / HTTP/1.1\r\nHost: p\r\n\r\n"

    private func outcome(_ proxy: RecordingProxy) async throws -> Exchange.Outcome? {
        try await proxy.finish().exchanges.first?.outcome
    }

    @Test func saysThatNobodyListens() async throws {
        try await withRecordingProxy { proxy in
            await proxy.upstream.stopListening()
            let client = try await proxy.connect()
            try await client.send(request)
            let answer = try await client.read(until: "\n\r\n").text + client.read(until: "\n").text
            #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            #expect(
                answer.contains("mockserver got no response. http://127.0.0.1:\(proxy.upstream.port): no connection")
            )
            #expect(try await outcome(proxy) == .failure(.connectionRefused))
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nConte", "nonsense\r\n\r\n"])
    func saysThatNoResponseCame(bytes: String) async throws {
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(bytes)
        }
        try await withRecordingProxy(script) { proxy in
            let client = try await proxy.connect()
            // The connection of the client lives on.
            for _ in 0..<2 {
                try await client.send(request)
                let head = try await client.read(until: "\r\n\r\n").text
                #expect(head.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
                let length = head.split(separator: "\r\n").last { $0.hasPrefix("Content-Length: ") }?.dropFirst(16)
                try await client.read(count: try #require(length.flatMap { Int($0) }))
            }
            let exchanges = try await proxy.finish().exchanges
            #expect(exchanges.map(\.outcome) == [.failure(.connectionLost), .failure(.connectionLost)])
        }
    }

    @Test func saysThatTheUpstreamServerIsNotTrusted() async throws {
        let context = try TLSContext(
            server: TLSServerConfiguration(CertificateAuthority().identity(for: ["localhost"]))
        )
        let secure = try await ScriptedServer.start(tls: context)
        try await withRecordingProxy(configure: { configuration in
            let recorder = configuration.upstream?.recorder
            configuration.upstream = try? MockServer.Upstream("https://localhost:\(secure.port)", recorder: recorder)
        }) { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            #expect(try await client.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            #expect(try await outcome(proxy) == .failure(.tls))
        }
    }

    @Test func forwardsToAServerThatItTrusts() async throws {
        let authority = try CertificateAuthority()
        let context = try TLSContext(server: TLSServerConfiguration(authority.identity(for: ["127.0.0.1"])))
        let secure = try await ScriptedServer.start(tls: context, script: ProxyRequestTests.noContent)
        try await withRecordingProxy(configure: { configuration in
            let recorder = configuration.upstream?.recorder
            configuration.upstream = try? MockServer.Upstream("https://127.0.0.1:\(secure.port)", recorder: recorder)
            configuration.upstream?.trust = .systemAnd(authority.certificate)
        }) { proxy in
            let client = try await proxy.connect()
            try await client.send(request + request)
            let answer = "HTTP/1.1 204 No Content\r\n\r\n"
            #expect(try await client.read(count: 2 * answer.utf8.count).text == answer + answer)
        }
    }

    /// A client that goes away: the upstream server is let go of, and what came is kept.
    @Test func recordsWhatCameUntilTheClientWentAway() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
            )
            try await client.read(until: "abc\r\n")
            await client.reset()
            try await connection.readToEnd()
            guard case .response(let response) = try await outcome(proxy), case .stream(let steps) = response.content
            else { return #expect(Bool(false), "expected a stream") }
            #expect(steps.map(\.event) == [.bytes(Array("abc".utf8)), .end(.timeout)])
        }
    }

    @Test func recordsAClientThatDidNotWaitForTheHead() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            await client.reset()
            try await connection.readToEnd()
            #expect(try await outcome(proxy) == .failure(.timedOut))
        }
    }

    @Test func forgetsARequestThatDidNotComeInFull() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 10\r\n\r\nabc")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "abc")
            await client.close()
            try await connection.readToEnd()
            #expect(try await outcome(proxy) == nil)
        }
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com", "http://", "http://a b", "http://a?b", "http://user@a",
        "http://a:99999",
    ])
    func refusesWhatIsNoURLOfAServer(url: String) {
        #expect(throws: UpstreamError.self) { try MockServer.Upstream(url) }
    }

    @Test func refusesCertificatesThatAreNone() async throws {
        var configuration = MockServer.Configuration()
        configuration.upstream = try MockServer.Upstream("https://localhost")
        configuration.upstream?.trust = .systemAnd(Array("nothing".utf8))
        let error = await #expect(throws: StartError.self) {
            try await MockServer.start(fixtures: [], configuration: configuration)
        }
        #expect(error?.description.hasPrefix("cannot forward to https://localhost: the trusted certificates") == true)
    }
}
