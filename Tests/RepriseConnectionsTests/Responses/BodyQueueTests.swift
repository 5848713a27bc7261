// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import Testing

@testable import RepriseConnections

@Suite struct BodyQueueTests {
    static let limit = BodyQueue.limit

    @Test func returnsPiecesInOrderThenEnd() async throws {
        try await withQueue { queue async throws in
            #expect(!queue.add([content("ab"), content("c")]))
            _ = queue.add([.trailers([[1]])])
            queue.end()
            #expect(try await queue.next() == content("ab"))
            #expect(try await queue.next() == content("c"))
            #expect(try await queue.next() == .trailers([[1]]))
            #expect(try await queue.next() == nil)
            #expect(try await queue.next() == nil)
        }
    }

    @Test func returnsPiecesBeforeError() async throws {
        try await withQueue { queue async throws in
            _ = queue.add([content("ab")])
            queue.end(with: ConnectionError(.truncated, ""))
            queue.end()
            #expect(try await queue.next() == content("ab"))
            #expect(await connectionError { try await queue.next() }?.name == "truncated")
        }
    }

    @Test func mergesUnreadPartsOfChunk() async throws {
        try await withQueue { queue async throws in
            _ = queue.add([content("a", endsChunk: false)])
            _ = queue.add([content("b", endsChunk: false)])
            _ = queue.add([content("c"), content("d", endsChunk: false)])
            #expect(try await queue.next() == content("abc"))
            #expect(try await queue.next() == content("d", endsChunk: false))
            _ = queue.add([content("e")])
            #expect(try await queue.next() == content("e"))
        }
    }

    @Test func mergesPartsUpToChunkSize() async throws {
        try await withQueue { queue async throws in
            let half = String(repeating: "x", count: BodyQueue.chunkSize / 2)
            for _ in 0..<3 { _ = queue.add([content(half, endsChunk: false)]) }
            #expect(try await queue.next() == content(half + half, endsChunk: false))
            #expect(try await queue.next() == content(half, endsChunk: false))
        }
    }

    @Test func addingNoPiecesDoesNotEndBody() async throws {
        try await withQueue { queue async throws in
            async let next = queue.next()
            for _ in 0..<100 {
                _ = queue.add([])
                await Task.yield()
            }
            _ = queue.add([content("a")])
            #expect(try await next == content("a"))
        }
    }

    @Test func isFullAtLimit() async throws {
        try await withQueue { queue async throws in
            let piece = content(String(repeating: "x", count: 60_000))
            var count = 1
            while !queue.add([piece]) { count += 1 }
            #expect(count == BodyQueue.limit / 60_000 + 1)
            #expect(queue.add([content("a")]))
        }
    }

    /// A full queue pauses the connection, and only the reader resumes it. If a piece added in between found the queue
    /// no longer full, nothing would resume the connection.
    @Test func staysFullUntilHalfIsRead() async throws {
        try await withQueue { queue async throws in
            let piece = content(String(repeating: "x", count: 60_000))
            while !queue.add([piece]) {}
            _ = try await queue.next()
            #expect(queue.add([content("a")]))
            for _ in 0..<2 { _ = try await queue.next() }
            #expect(!queue.add([content("b")]))
        }
    }

    @Test func tinyPiecesFillQueue() async throws {
        try await withQueue { queue async throws in
            var count = 1
            while !queue.add([content("x")]) { count += 1 }
            #expect(count < 5000)
        }
    }

    @Test func throwsAfterCancellation() async throws {
        try await withQueue { queue async throws in
            _ = queue.add([content("ab")])
            queue.cancel()
            #expect(await connectionError { try await queue.next() }?.name == "cancelled")
            _ = queue.add([content("c")])
            queue.end()
            #expect(await connectionError { try await queue.next() }?.name == "cancelled")
        }
    }

    // MARK: Support

    private func content(_ text: String, endsChunk: Bool = true) -> IncomingBody.Piece {
        .content(Array(text.utf8), endsChunk: endsChunk)
    }

    /// Runs `body` with the queue of an exchange that has no connection.
    private func withQueue(_ body: (BodyQueue) async throws -> Void) async throws {
        let loop = try EventLoop(name: "test")
        let shard = LoopBound(PoolShard(loop: loop, resolver: HostResolver(), configuration: .init()), on: loop)
        let origin = Origin(isSecure: false, host: "example.com", port: 80)
        let exchange = ClientExchange(
            try EncodedRequest(OutgoingRequest("GET", "/", at: origin)),
            route: .direct(origin),
            shard: shard,
            start: .now,
            limits: ExchangeLimits(connect: .seconds(1))
        )
        do {
            try await body(BodyQueue(of: LoopBound(exchange, on: loop), on: .direct(origin), length: nil))
            await loop.shutDown()
        } catch {
            await loop.shutDown()
            throw error
        }
    }
}
