// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct MetricsTests {
    @Test func reportsTotalTimeOnClientClock() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport { $0.get("/", .text("ok").delayed(.seconds(3))) }
        let api = Client("https://h", transport: stub, configuration: .init(timeout: nil, clock: clock))
        let metrics = try await api.get("/").send().metrics
        #expect(metrics == Metrics(total: .seconds(3)))
        // A stub has no connection steps, and the stream has not ended yet.
        #expect(try await api.get("/").stream().metrics == Metrics())
    }

    @Test func stepsExcludePreviousSteps() {
        var metrics = Metrics()
        metrics.setSteps(resolved: .seconds(1), connected: .seconds(3), secured: .seconds(7))
        #expect(metrics == Metrics(dns: .seconds(1), connect: .seconds(2), tls: .seconds(4)))
        // A connection to an address resolves nothing, and one without TLS secures nothing.
        metrics.setSteps(resolved: nil, connected: .seconds(3), secured: nil)
        #expect(metrics == Metrics(connect: .seconds(3)))
    }

    #if os(Linux)
        @Test func reportsConnectionStepsAndReuse() async throws {
            let server = try await ScriptedServer.answering { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" }
            let transport = SocketTransport(.init(proxies: .none, connectTimeout: .seconds(180)))
            let configuration = Client.Configuration(timeout: .seconds(180), connectTimeout: .seconds(180))
            let api = Client("http://localhost:\(server.port)", transport: transport, configuration: configuration)
            let first = try await api.get("/").send().metrics
            #expect(first.isConnectionReused == false)
            let (dns, connect) = (try #require(first.dns), try #require(first.connect))
            let (firstByte, total) = (try #require(first.firstByte), try #require(first.total))
            #expect(dns >= .zero && connect >= .zero && first.tls == nil)
            #expect(dns + connect <= firstByte && firstByte <= total)
            let second = try await api.get("/").send().metrics
            #expect(second.isConnectionReused == true)
            #expect(second.dns == nil && second.connect == nil && second.firstByte != nil)
            #expect(try await api.get("/").stream().metrics.firstByte != nil)
        }

        @Test func reportsDurationOfTLSHandshake() async throws {
            let authority = try CertificateAuthority()
            let context = try TLSContext(server: TLSServerConfiguration(authority.identity(for: ["127.0.0.1"])))
            let server = try await ScriptedServer.start(tls: context) { connection in
                _ = try await connection.readRequest()
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            let transport = SocketTransport(.init(trust: .certificates(authority.certificate), proxies: .none))
            let metrics = try await transport.send(server.request(scheme: "https")).metrics
            let (connect, tls) = (try #require(metrics.connect), try #require(metrics.tls))
            #expect(tls > .zero && connect + tls <= (metrics.firstByte ?? .zero))
        }
    #endif
}
