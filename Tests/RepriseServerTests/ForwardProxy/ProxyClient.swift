// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseCassettes
import RepriseFixtures
import RepriseIO
import RepriseRecording
import RepriseServer
import RepriseTestSupport
import Testing

/// A client of a forward proxy.
struct ProxyClient {
    let client: RawClient
    private let server: MockServer

    /// Connects to the proxy.
    init(_ server: MockServer) async throws {
        self.server = server
        client = try await RawClient.connect(port: server.port)
    }

    /// Opens a tunnel, with TLS if the server's name is given.
    static func tunnel(
        to target: String,
        expecting name: String? = nil,
        through server: MockServer
    ) async throws -> ProxyClient {
        let proxy = try await ProxyClient(server)
        try await proxy.client.send(
            "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\nProxy-Connection: Keep-Alive\r\n\r\n"
        )
        let answer = try await proxy.client.read(until: "\r\n\r\n").text
        #expect(answer == "HTTP/1.1 200 Connection established\r\n\r\n")
        guard let name else { return proxy }
        var configuration = TLSClientConfiguration()
        configuration.trust = .certificates(try #require(server.certificateAuthority))
        try await proxy.client.startTLS(.init(TLSContext(client: configuration), serverName: name))
        return proxy
    }

    /// Sends one request over a connection of its own.
    static func get(_ target: String, host: String, through server: MockServer) async throws -> Answer {
        try await ProxyClient(server).get(target, host: host)
    }

    /// Sends one request over a connection of its own.
    static func send(_ request: String, through server: MockServer) async throws -> Answer {
        try await ProxyClient(server).send(request)
    }

    /// Sends a request and returns the status line and the content of an answer with a length.
    func get(_ target: String, host: String, _ lines: String...) async throws -> Answer {
        let fields = lines.map { "\($0)\r\n" }.joined()
        return try await send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
    }

    func send(_ request: String) async throws -> Answer {
        try await client.send(request)
        let head = try await client.read(until: "\r\n\r\n").text
        let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let count = length.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
        return Answer(head: head, content: try await client.read(count: count).text)
    }

    struct Answer {
        var head: String
        var content: String
        var status: Int { Int(head.split(separator: " ")[1]) ?? 0 }
    }
}

/// Runs `body` with a forward proxy.
func withForwardProxy<Result>(
    _ fixtures: [Fixture] = [],
    _ proxy: MockServer.ForwardProxy = MockServer.ForwardProxy(),
    _ body: (MockServer) async throws -> Result
) async throws -> Result {
    try await withServer(fixtures, configure: { $0.proxy = proxy }, body)
}

/// Runs `body` with a forward proxy that records, and returns the cassette and the notes.
func withRecordingForwardProxy(
    map: [String: String],
    trust: Trust = .system,
    _ body: (MockServer) async throws -> Void
) async throws -> (exchanges: [Exchange], notes: [String]) {
    try await withTemporaryFolder { folder in
        let recorder = try CassetteRecorder(folder + "/a.cassette.json")
        let origins = MockServer.ForwardProxy.Origins(recorder: recorder, trust: trust)
        try await withForwardProxy([], MockServer.ForwardProxy(map: map, origins: origins), body)
        let summary = try recorder.finish()
        guard FileManager.default.fileExists(atPath: recorder.path) else { return ([], summary.notes) }
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: recorder.path)))
        let bodies = CassetteBodies.beside(cassette: recorder.path)
        let cassette = try CassetteReader.read(bytes, file: recorder.path, bodies: bodies).cassette
        return (cassette.exchanges, summary.notes)
    }
}
