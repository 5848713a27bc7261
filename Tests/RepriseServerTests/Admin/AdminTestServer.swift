// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseDocuments
import RepriseStubs
import RepriseTestSupport
import RepriseText

@testable import RepriseServer

/// A server with an admin API, and a client that uses it over a socket.
struct AdminTestServer {
    let server: MockServer

    struct Answer {
        var status: Int
        var head: String
        var body: String

        var json: JSONTree { (try? JSONTree(parsing: Array(body.utf8))) ?? .null }
        /// The place of the first mistake that the answer reports.
        var pointer: JSONTree? { json.first("errors")?["source"]?["pointer"] }
        var detail: String {
            guard case .string(let text)? = json.first("errors")?["detail"] else { return body }
            return text
        }
    }

    /// Starts a server without fixtures.
    static func start(_ stubs: [StubMapping] = [], threads: Int = 1) async throws -> AdminTestServer {
        var configuration = MockServer.Configuration()
        configuration.threads = threads
        return AdminTestServer(server: try await MockServer.start(stubs: stubs, configuration: configuration))
    }

    /// Starts a server with the fixtures in a folder.
    static func start(
        _ folder: TemporaryFolder,
        configuration: MockServer.Configuration = MockServer.Configuration()
    ) async throws -> AdminTestServer {
        var configuration = configuration
        configuration.tool.paths = [folder.path]
        // A folder without fixtures is not loaded.
        try folder.write([], to: "health.get.txt")
        let set = try FixtureLoader.load([folder.path])
        return AdminTestServer(
            server: try await MockServer.start(
                fixtures: set.fixtures,
                stubs: set.stubs,
                configuration: configuration
            )
        )
    }

    /// Sends a request to a path below `/__admin`.
    @discardableResult
    func admin(_ method: String, _ path: String, _ body: String? = nil, _ headers: String = "") async throws -> Answer {
        try await send(method, "/__admin" + path, body, headers)
    }

    @discardableResult
    func send(_ method: String, _ target: String, _ body: String? = nil, _ headers: String = "") async throws -> Answer
    {
        let client = try await RawClient.connect(port: server.port)
        let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        try await client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(length)\(headers)Connection: close\r\n\r\n\(body ?? "")"
        )
        let text = try await client.readToEnd().text
        let parts = text.components(separatedBy: "\r\n\r\n")
        return Answer(
            status: Int(text.dropFirst(9).prefix(3)) ?? 0,
            head: parts[0],
            body: parts.dropFirst().joined(separator: "\r\n\r\n")
        )
    }

    /// Adds a stub and returns its identifier.
    @discardableResult
    func add(_ mapping: String) async throws -> String {
        guard case .string(let id)? = try await admin("POST", "/mappings", mapping).json["id"] else { return "" }
        return id
    }

    func stop() async {
        await server.stop()
    }
}

extension JSONTree {
    /// The elements of an array member.
    func list(_ name: String) -> [JSONTree] {
        guard case .array(let elements)? = self[name] else { return [] }
        return elements
    }

    func first(_ name: String) -> JSONTree? { list(name).first }
}
