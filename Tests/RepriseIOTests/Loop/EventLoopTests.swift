// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct EventLoopTests {
    @Test func runsWorkInOrder() async throws {
        try await EventLoop.with { loop in
            let seen = Locked<[Int]>([])
            for number in 0..<10_000 {
                loop.execute { seen.withLock { $0.append(number) } }
            }
            try await loop.run {}
            #expect(seen.withLock { $0 } == Array(0..<10_000))
        }
    }

    @Test func runsWorkFromManyTasks() async throws {
        try await EventLoop.with { loop in
            let count = Locked(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { for _ in 0..<500 { try await loop.run { count.withLock { $0 += 1 } } } }
                }
                try await group.waitForAll()
            }
            #expect(count.withLock { $0 } == 4000)
        }
    }

    @Test func runsWorkGivenOnTheLoopAfterTheRest() async throws {
        try await EventLoop.with { loop in
            let seen = Locked<[Int]>([])
            try await loop.run {
                loop.execute { seen.withLock { $0.append(2) } }
                seen.withLock { $0.append(1) }
            }
            try await loop.run {}
            #expect(seen.withLock { $0 } == [1, 2])
        }
    }

    @Test func workThatBringsMoreWorkStarvesNobody() async throws {
        try await EventLoop.with { loop in
            let appointment = Appointment()
            await appointment.wait(on: loop) { appointment in
                loop.schedule(appointment, at: loop.now() + .milliseconds(1))
                keepBusy(loop, until: loop.now() + .seconds(5), or: appointment)
            }
        }
    }

    @Test func knowsItsOwnThread() async throws {
        try await EventLoop.with { loop in
            try await EventLoop.with { other in
                #expect(!loop.isCurrent)
                let onLoop = try await loop.run { [loop.isCurrent, other.isCurrent] }
                let onOther = try await other.run { [loop.isCurrent, other.isCurrent] }
                #expect(onLoop == [true, false])
                #expect(onOther == [false, true])
            }
        }
    }

    private actor Counter {
        let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
        private(set) var count = 0

        init(loop: EventLoop) {
            self.loop = loop
        }

        func increment() -> Bool {
            count += 1
            return loop.isCurrent
        }

        nonisolated func incrementFromACallback() {
            assumeIsolated { $0.count += 1 }
        }

        func shutDownItsOwnLoop() async -> Int {
            await loop.shutDown()
            count += 1
            return count
        }
    }

    @Test func executesActors() async throws {
        try await EventLoop.with { loop in
            let counter = Counter(loop: loop)
            for _ in 0..<1000 { #expect(await counter.increment()) }
            try await loop.run { counter.incrementFromACallback() }
            #expect(await counter.count == 1001)
        }
    }

    @Test func canBeShutDownMoreThanOnce() async throws {
        let loop = try EventLoop(name: "test")
        let done = Locked(false)
        loop.execute { done.withLock { $0 = true } }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await loop.shutDown() } }
        }
        await loop.shutDown()
        #expect(done.withLock { $0 })
    }

    @Test func canBeShutDownByAnActorThatLivesOnIt() async throws {
        let counter = Counter(loop: try EventLoop(name: "test"))
        #expect(await counter.shutDownItsOwnLoop() == 1)
    }

    @Test func runsWorkThatComesTooLate() async throws {
        let loop = try EventLoop(name: "test")
        await loop.shutDown()
        let isCurrent = try await loop.run { loop.isCurrent }
        #expect(isCurrent)
        let counter = Counter(loop: loop)
        for _ in 0..<100 { #expect(await counter.increment()) }
        #expect(await counter.count == 100)
    }

    @Test func losesNoWorkWhileItEnds() async throws {
        for _ in 0..<20 {
            let loop = try EventLoop(name: "test")
            let count = Locked(0)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<50 { try? await loop.run { count.withLock { $0 += 1 } } }
                    }
                }
                group.addTask { await loop.shutDown() }
            }
            #expect(count.withLock { $0 } == 200)
        }
    }

    @Test func startsNothingAfterItsEnd() async throws {
        let loop = try EventLoop(name: "test")
        await loop.shutDown()
        let error = try await loop.run {
            #expect(throws: SystemError.self) { try SignalSource([], loop: loop) { _ in } } as SystemError?
        }
        #expect("\(try #require(error))" == "signal: the event loop has ended")
    }

    /// In a process of its own, since it takes all its descriptors.
    @Test func failsWhenDescriptorsRunOut() async {
        await #expect(processExitsWith: .success) {
            let next = dup(STDOUT_FILENO)
            close(next)
            var outcomes: [Int32] = []
            for count in 0..<64 {
                setDescriptorLimit(Int(next) + count)
                do throws(SystemError) {
                    try await EventLoop(name: "test").shutDown()
                    outcomes.append(0)
                } catch {
                    outcomes.append(error.code)
                }
            }
            setDescriptorLimit(256)
            #expect(outcomes.prefix(8).allSatisfy { $0 == EMFILE })
            #expect(outcomes.last == 0)
            #expect(Set(outcomes) == [EMFILE, 0])
        }
    }

    @Test func isFreedAfterItsEnd() async throws {
        weak var freed: EventLoop?
        do {
            let loop = try EventLoop(name: "test")
            freed = loop
            _ = try await loop.run { loop.schedule(Appointment(), at: loop.now() + .seconds(3600)) }
            try await loop.run { loop.sweep.add(LoopOwner(loop: loop)) }
            await loop.shutDown()
        }
        #expect(freed == nil)
    }
}

/// Gives the loop work that gives it the same work again, until `deadline` or until `appointment` was called.
private func keepBusy(_ loop: EventLoop, until deadline: MonotonicTime, or appointment: Appointment) {
    guard appointment.calls.withLock({ $0.isEmpty }) else { return }
    #expect(loop.now() < deadline)
    if loop.now() < deadline { loop.execute { keepBusy(loop, until: deadline, or: appointment) } }
}

/// Keeps its loop alive, as its loop does it.
private final class LoopOwner: Sweepable {
    private let loop: EventLoop
    var deadline: MonotonicTime? { nil }

    init(loop: EventLoop) {
        self.loop = loop
    }

    func deadlinePassed() {}

    deinit {
        // As a connection does.
        loop.sweep.remove(self)
    }
}
