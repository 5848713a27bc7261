// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLSessionTransportTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func usesGivenConfiguration() async throws {
        let configuration = URLSessionTransport.defaultConfiguration
        configuration.httpAdditionalHeaders = ["X-App": "tests"]
        let transport = URLSessionTransport(configuration: configuration)
        let server = try await ScriptedServer.start()
        async let response = transport.send(server.request())
        let connection = try await server.accept()
        #expect(try await connection.readRequest()["X-App"] == "tests")
        try await connection.send(Self.answer)
        #expect(try await response.text() == "ok")
    }

    @Test func usesGivenSession() async throws {
        let configuration = URLSessionTransport.defaultConfiguration
        configuration.httpAdditionalHeaders = ["X-App": "own"]
        let session = URLSession(configuration: configuration)
        let server = try await ScriptedServer.answering { request in
            let text = request["X-App"] ?? "none"
            return "HTTP/1.1 200 OK\r\nContent-Length: \(text.count)\r\n\r\n\(text)"
        }
        // The session outlives the transports.
        for _ in 1...2 {
            let transport = URLSessionTransport(session: session)
            #expect(try await transport.send(server.request()).text() == "own")
        }
    }

    @Test func storesNoCookiesOrResponses() async throws {
        let transport = URLSessionTransport()
        let server = try await ScriptedServer.answering { request in
            let text = request["Cookie"] ?? "none"
            return """
                HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nCache-Control: max-age=1000\r\n\
                Content-Length: \(text.count)\r\n\r\n\(text)
                """
        }
        for _ in 1...2 { #expect(try await transport.send(server.request()).text() == "none") }
        let own = HTTPFields([HTTPField(name: .cookie, value: "b=2")])
        #expect(try await transport.send(server.request(.get, "/", own)).text() == "b=2")
    }

    @Test func defaultConfigurationHasNoEffectiveTimeouts() {
        let configuration = URLSessionTransport.defaultConfiguration
        #expect(configuration.timeoutIntervalForRequest >= 365 * 86_400)
        #expect(configuration.timeoutIntervalForResource >= 365 * 86_400)
    }

    @Test(arguments: [nil, Duration.seconds(3600), .seconds(Int64.max)])
    func requestTimeoutOverridesConfiguration(timeout: Duration?) async throws {
        let configuration = URLSessionTransport.defaultConfiguration
        configuration.timeoutIntervalForRequest = 0.1
        let transport = URLSessionTransport(configuration: configuration)
        let server = try await ScriptedServer.start()
        async let response = transport.send(server.request(), body: nil, options: RequestOptions(timeout: timeout))
        let connection = try await server.accept()
        _ = try await connection.readRequest()
        // URLSession measures silences in real time: one before the head, and one in the body.
        try await Task.sleep(for: .milliseconds(250))
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n")
        try await Task.sleep(for: .milliseconds(250))
        try await connection.send("ok")
        #expect(try await response.text() == "ok")
    }

    @Test func finishesExchangeAfterTransportIsReleased() async throws {
        let server = try await ScriptedServer.start()
        var transport: URLSessionTransport? = URLSessionTransport()
        let sending = Task { [transport] in try await transport?.send(server.request()) }
        let connection = try await server.accept()
        _ = try await connection.readRequest()
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n")
        let response = try await sending.value
        transport = nil
        try await connection.send("ok")
        #expect(try await response?.text() == "ok")
    }

    @Test func hidesContentCoding() async throws {
        let server = try await ScriptedServer.start()
        async let response = URLSessionTransport.shared.send(server.request())
        let connection = try await server.accept()
        _ = try await connection.readRequest()
        let gzip = ConformanceCase.gzippedHello
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n")
        try await connection.send(gzip)
        #expect(try await response.text() == "hello")
        #expect(try await response.headers == [:])
        #expect(try await response.body.length == nil)
    }

    @Test func cancellationLeavesNoConnectionOpen() async throws {
        let server = try await ScriptedServer.start { connection in
            while true {
                _ = try await connection.readRequest()
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nstart")
            }
        }
        let transport = URLSessionTransport()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let sending = Task { try await transport.send(server.request()).body.collect() }
                    // Cancel before the request is sent, before the head, or in the body.
                    for _ in 0..<(number * number % 101) { await Task.yield() }
                    sending.cancel()
                    let error = await #expect(throws: TransportError.self) { try await sending.value }
                    #expect(error?.code == .cancelled)
                }
            }
        }
        try await server.expectOpenConnections(0)
    }
}
