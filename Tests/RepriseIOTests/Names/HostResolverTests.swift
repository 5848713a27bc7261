// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseIO

@Suite struct HostResolverTests {
    private func resolve(_ host: String, _ loop: EventLoop) async -> Result<[SocketAddress], ResolutionError> {
        await withCheckedContinuation { continuation in
            HostResolver().resolve(host, port: 8080, on: loop) { answer in
                #expect(loop.isCurrent)
                continuation.resume(returning: answer)
            }
        }
    }

    @Test(arguments: [("127.0.0.1", "127.0.0.1:8080"), ("::1", "[::1]:8080"), ("[2001:db8::1]", "[2001:db8::1]:8080")])
    func returnsLiteralAddress(host: String, address: String) async throws {
        try await EventLoop.with { loop in
            let addresses = try await resolve(host, loop).get()
            #expect(addresses.map(\.authority) == [address])
        }
    }

    @Test func resolvesName() async throws {
        try await EventLoop.with { loop in
            let addresses = try await resolve("localhost", loop).get()
            #expect(!addresses.isEmpty)
            #expect(addresses.allSatisfy { $0.port == 8080 && ["127.0.0.1", "::1"].contains($0.host) })
            #expect(Set(addresses).count == addresses.count)
        }
    }

    @Test(arguments: ["no such host", "", "localhost\0.example.com"])
    func reportsUnknownHost(host: String) async throws {
        try await EventLoop.with { loop in
            guard case .failure(let error) = await resolve(host, loop) else {
                Issue.record("resolved an unknown host")
                return
            }
            #expect(error.kind == .unknownHost)
            #expect(error.host == host)
            #expect(error.description.hasPrefix("cannot resolve "))
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func completesAfterCallReturns(host: String) async throws {
        try await EventLoop.with { loop in
            let hasReturned: Bool = await withCheckedContinuation { continuation in
                loop.execute {
                    let returned = Locked(false)
                    HostResolver().resolve(host, port: 1, on: loop) { _ in
                        continuation.resume(returning: returned.withLock { $0 })
                    }
                    returned.withLock { $0 = true }
                }
            }
            #expect(hasReturned)
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func canceledResolutionNeverCompletes(host: String) async throws {
        try await EventLoop.with { loop in
            let (freed, answers) = (Locked(0), Locked(0))
            let resolver = HostResolver()
            await withCheckedContinuation { continuation in
                loop.execute {
                    let box = SendableWitness(Witness { freed.withLock { $0 += 1 } })
                    let token = resolver.resolve(host, port: 1, on: loop) { _ in
                        withExtendedLifetime(box) { answers.withLock { $0 += 1 } }
                    }
                    // Resolutions of the same name complete in order.
                    resolver.resolve(host, port: 1, on: loop) { _ in continuation.resume() }
                    token.cancel()
                    token.cancel()
                }
            }
            #expect(freed.withLock { $0 } == 1)
            #expect(answers.withLock { $0 } == 0)
        }
    }

    private struct SendableWitness: @unchecked Sendable {
        let witness: Witness

        init(_ witness: Witness) {
            self.witness = witness
        }
    }
}

@Suite struct ResolutionQueueTests {
    private func token(_ loop: EventLoop) -> ResolutionToken {
        ResolutionToken(loop: loop) { _ in }
    }

    private func ids(_ tokens: [ResolutionToken]) -> [ObjectIdentifier] {
        tokens.map(ObjectIdentifier.init)
    }

    @Test func resolvesNameOnceForAllWaiters() async throws {
        try await EventLoop.with { loop in
            var queue = ResolutionQueue()
            let (one, two, late) = (token(loop), token(loop), token(loop))
            let starts = [queue.add(one, host: "a"), queue.add(two, host: "a")]
            #expect(starts == [true, false])
            var names = [queue.next()]
            _ = queue.add(late, host: "a")
            let finished = queue.finish("a")
            #expect(ids(finished) == ids([one, two, late]))
            names.append(queue.next())
            #expect(names == ["a", nil])
        }
    }

    @Test func skipsCanceledResolution() async throws {
        try await EventLoop.with { loop in
            var queue = ResolutionQueue()
            let (one, two) = (token(loop), token(loop))
            _ = queue.add(one, host: "a")
            _ = queue.add(two, host: "b")
            one.cancel()
            let name = queue.next()
            #expect(name == "b")
        }
    }

    @Test func startsThreadsUpToLimitAndRestartsThem() async throws {
        try await EventLoop.with { loop in
            var queue = ResolutionQueue()
            let names = (0..<20).map(String.init)
            let started = names.count { queue.add(token(loop), host: $0) }
            #expect(started == ResolutionQueue.threadLimit)
            var taken: [String] = []
            var ended = 0
            while ended < started {
                if let name = queue.next() { taken.append(name) } else { ended += 1 }
            }
            #expect(taken == names)
            let startsAgain = queue.add(token(loop), host: "a")
            #expect(startsAgain)
        }
    }

    @Test func failsQueuedNamesWhenNoThreadStarts() async throws {
        try await EventLoop.with { loop in
            var queue = ResolutionQueue()
            _ = queue.add(token(loop), host: "a")
            _ = queue.add(token(loop), host: "b")
            let (first, second) = (queue.threadFailedToStart(), queue.threadFailedToStart())
            #expect(first.isEmpty)
            #expect(second.map(\.host) == ["a", "b"])
            let startsAgain = queue.add(token(loop), host: "a")
            #expect(startsAgain)
        }
    }
}
