// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

@Suite struct LoopBoundTests {
    private final class Counter {
        var count = 0
    }

    private struct Failure: Error, Equatable {}

    @Test func runsOnLoop() async throws {
        let loop = try EventLoop(name: "bound")
        let counter = LoopBound(Counter(), on: loop)
        for _ in 0..<3 { await counter.run { $0.count += 1 } }
        let (count, isCurrent) = await counter.run { ($0.count, loop.isCurrent) }
        #expect(count == 3)
        #expect(isCurrent)
        await loop.shutDown()
    }

    @Test func executesWorkOnLoop() async throws {
        final class Work: LoopWork {
            let continuation: CheckedContinuation<Bool, Never>
            let loop: EventLoop

            init(_ continuation: CheckedContinuation<Bool, Never>, _ loop: EventLoop) {
                self.continuation = continuation
                self.loop = loop
            }

            func run() {
                continuation.resume(returning: loop.isCurrent)
            }
        }

        let loop = try EventLoop(name: "bound")
        let isCurrent = await withCheckedContinuation { LoopBound(Work($0, loop), on: loop).execute() }
        #expect(isCurrent)
        await loop.shutDown()
    }

    @Test func rethrowsErrors() async throws {
        let loop = try EventLoop(name: "bound")
        let counter = LoopBound(Counter(), on: loop)
        await #expect(throws: Failure.self) {
            try await counter.run { _ throws(Failure) in throw Failure() }
        }
        await loop.shutDown()
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
        @Test func trapsOffLoop() async {
            await #expect(processExitsWith: .failure) {
                let loop = try EventLoop(name: "bound")
                _ = LoopBound(Counter(), on: loop).value
            }
        }
    #endif
}
