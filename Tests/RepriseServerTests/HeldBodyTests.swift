// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
import RepriseTestSupport
import Testing

@testable import RepriseServer

/// The limit of all request bodies in memory, through real sockets.
@Suite(.timeLimit(.minutes(5))) struct HeldBodyTests {
    /// Starts a server that compares the bodies of `POST /held`, and may hold 100,000 bytes.
    private static func start() async throws -> MockServer {
        var configuration = MockServer.Configuration()
        configuration.bodyBytes = 100_000
        let stub = StubMapping(.post("/held").body(.contains("z")), .text("found"))
        return try await MockServer.start(stubs: [stub], configuration: configuration)
    }

    /// Sends all of a body but its last byte.
    private static func hold(
        _ count: Int,
        _ path: String,
        isChunked: Bool = false,
        _ server: MockServer
    ) async throws -> RawClient {
        let client = try await RawClient.connect(port: server.port)
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(count)"
        try await client.send("POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n")
        if isChunked { try await client.send(String(count, radix: 16) + "\r\n") }
        try await client.send(String(repeating: "x", count: count - 1))
        return client
    }

    @Test(arguments: ["/held", "/__admin/mappings"], [false, true])
    func bodyBeyondTheLimitGets503AndOthersAreAnswered(_ path: String, _ isChunked: Bool) async throws {
        let server = try await Self.start()
        let bodies = await server.control.shared.bodies
        let first = try await Self.hold(80_000, "/held", server)
        while bodies.heldCount < 79_999, !Task.isCancelled { await Task.yield() }
        let second = try await Self.hold(60_000, path, isChunked: isChunked, server)
        let refusal = try await second.readToEnd().text
        #expect(refusal.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(refusal)")
        #expect(refusal.contains("raise --body-bytes"))
        try await first.send("z")
        #expect(try await first.read(until: "found").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        while bodies.heldCount > 0, !Task.isCancelled { await Task.yield() }
        await server.stop()
    }

    @Test func bodyThatNeverFitsGets413() async throws {
        let server = try await Self.start()
        let client = try await RawClient.connect(port: server.port)
        try await client.send("POST /held HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100001\r\n\r\n")
        #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 413 "))
        await server.stop()
    }

    @Test(arguments: ["/held", "/__admin/mappings"])
    func bodyOfClientThatLeavesIsReleased(_ path: String) async throws {
        let server = try await Self.start()
        let bodies = await server.control.shared.bodies
        var client: RawClient? = try await Self.hold(50_000, path, server)
        #expect(client != nil)
        while bodies.heldCount == 0, !Task.isCancelled { await Task.yield() }
        client = nil
        while bodies.heldCount > 0, !Task.isCancelled { await Task.yield() }
        await server.stop()
    }

    /// Large answers of the admin API are in memory until their clients have read them.
    @Test func largeAnswersThatNobodyReadsAreLimited() async throws {
        let folder = try TemporaryFolder(["__files/large.txt": String(repeating: "large ", count: 60_000)])
        let server = try await AdminTestServer.start(folder)
        let answers = server.server.admin.answers
        var others: MemoryBudget.Share? = MemoryBudget.Share(of: answers)
        #expect(others?.grow(to: answers.limit) == true)
        let refused = try await server.admin("GET", "/files/large.txt")
        #expect(refused.status == 503)
        #expect(refused.detail.hasSuffix("finish reading earlier answers and try again"))
        #expect(try await server.admin("GET", "/mappings").status == 200)
        others = nil
        #expect(try await server.admin("GET", "/files/large.txt").body.utf8.count == 360_000)
        while answers.heldCount > 0, !Task.isCancelled { await Task.yield() }
        await server.stop()
    }

    @Test func shareIsTakenUntilItIsReleased() {
        let budget = MemoryBudget(limit: 10)
        var share: MemoryBudget.Share? = MemoryBudget.Share(of: budget)
        let other = MemoryBudget.Share(of: budget)
        #expect(share?.grow(to: 4) == true && share?.grow(to: 7) == true)
        #expect(!other.grow(to: 4))
        #expect(other.grow(to: 3))
        #expect(budget.heldCount == 10)
        share = nil
        #expect(budget.heldCount == 3)
        // Nothing else would ever make room for a single large one.
        #expect(other.grow(to: 11))
    }
}
