// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The server at its limit on open descriptors.
@Suite struct DescriptorLimitTests {
    @Test func bodyFileThatCannotBeOpenedIs503() async throws {
        let folder = try TemporaryFolder()
        let body = [UInt8](repeating: 0x78, count: 4 << 20)
        try folder.write(body, to: "large.get.bin")
        try folder.write(Array("pong".utf8), to: "ping.get.txt")
        let server = try MockServerProcess([folder.path, "--port", "0", "--quiet", "--threads", "1"], descriptors: 64)
        let port = try await server.port()
        let request = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n"
        var clients: [RawClient] = []
        for _ in 0..<80 { clients.append(try await RawClient.connect(port: port)) }
        _ = try await server.errors(containing: "accepting connections is paused")

        try await clients[0].send(request)
        let head = try await clients[0].read(until: "\r\n\r\n").text
        #expect(head.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(try await clients[0].read(until: "\n").text.contains("ulimit -n"))

        // With one descriptor for the file, the clients that are connected all receive it.
        for client in clients.suffix(70) { await client.close() }
        // A new client is accepted after those that wait, so its answer shows that the server has closed the others.
        let last = try await RawClient.connect(port: port)
        try await last.send("GET /ping HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await last.read(until: "pong").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        for client in clients.prefix(10) {
            try await client.send(request)
            #expect(try await client.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        for client in clients.prefix(10) {
            #expect(try await client.read(count: body.count).bytes == body)
        }
        server.signal(SIGTERM)
        #expect(try await server.result().status == 0)
    }
}
