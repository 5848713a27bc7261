// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import RepriseTesting
import Testing

/// A test whose server runs in another process, as in a simulator.
@Suite struct StubServerRunTests {
    @Test func parallelTestsShareServerInAnotherProcess() async throws {
        let folder = try TemporaryFolder(["shared.get.txt": "shared"])
        let process = try MockServerProcess([folder.path, "--port", "0", "--quiet"])
        let environment = ["REPRISE_SERVER": "http://127.0.0.1:\(try await process.port())"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let stubs = [StubMapping(.get("/mine"), .text("\(number)"))]
                    try await StubServerRun(stubs, environment: environment).run { server in
                        let port = try #require(server.url.port)
                        #expect(try await Self.get("/mine", port: port) == "\(number)")
                        #expect(try await Self.get("/shared", port: port) == "shared")
                        await server.verify(.get("/mine"), .exactly(1))
                        #expect(try await server.requests().map(\.url) == ["/mine", "/shared"])
                    }
                }
            }
            try await group.waitForAll()
        }
        process.signal(15)
        #expect(try await process.result().status == 0)
    }

    private static func get(_ path: String, port: Int) async throws -> String {
        let client = try await RawClient.connect(port: port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return try await client.readToEnd().text.components(separatedBy: "\r\n\r\n").dropFirst().joined()
    }
}
