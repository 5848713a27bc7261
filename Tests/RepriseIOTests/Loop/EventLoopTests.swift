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

    @Test func runsWorkSubmittedOnLoopAfterCurrentWork() async throws {
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

    @Test func runsWorkAtEndOfTurnOnceAndInOrder() async throws {
        try await EventLoop.with { loop in
            let seen = Locked<[String]>([])
            try await loop.run {
                let second = Note("second", in: seen)
                loop.atEndOfTurn(
                    Note("first", in: seen) {
                        // Runs in this turn as well.
                        loop.atEndOfTurn(Note("added", in: seen))
                    }
                )
                loop.atEndOfTurn(second)
                loop.execute { seen.withLock { $0.append("submitted") } }
                seen.withLock { $0.append("now") }
            }
            try await loop.run {}
            #expect(seen.withLock { $0 } == ["now", "submitted", "first", "second", "added"])
        }
    }

    @Test func runsWorkAtEndOfTurnAfterShutDown() async throws {
        let seen = Locked<[String]>([])
        try await EventLoop.with { loop in
            await loop.shutDown()
            await withCheckedContinuation { done in
                loop.execute { loop.atEndOfTurn(Note("late", in: seen) { done.resume() }) }
            }
        }
        #expect(seen.withLock { $0 } == ["late"])
    }

    @Test func selfResubmittingWorkDoesNotStarveTimers() async throws {
        try await EventLoop.with { loop in
            let probe = TimerProbe()
            await probe.wait(on: loop) { probe in
                loop.schedule(probe, at: loop.now() + .milliseconds(1))
                keepBusy(loop, until: loop.now() + .seconds(5), or: probe)
            }
        }
    }

    @Test func isCurrentOnlyOnOwnThread() async throws {
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

        nonisolated func incrementFromCallback() {
            assumeIsolated { $0.count += 1 }
        }

        func shutDownLoop() async -> Int {
            await loop.shutDown()
            count += 1
            return count
        }
    }

    @Test func runsActorOnLoop() async throws {
        try await EventLoop.with { loop in
            let counter = Counter(loop: loop)
            for _ in 0..<1000 { #expect(await counter.increment()) }
            try await loop.run { counter.incrementFromCallback() }
            #expect(await counter.count == 1001)
        }
    }

    @Test func canBeShutDownRepeatedly() async throws {
        let loop = try EventLoop(name: "test")
        let done = Locked(false)
        loop.execute { done.withLock { $0 = true } }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await loop.shutDown() } }
        }
        await loop.shutDown()
        #expect(done.withLock { $0 })
    }

    @Test func canBeShutDownByActorOnLoop() async throws {
        let counter = Counter(loop: try EventLoop(name: "test"))
        #expect(await counter.shutDownLoop() == 1)
    }

    @Test func runsWorkAfterShutdown() async throws {
        let loop = try EventLoop(name: "test")
        await loop.shutDown()
        let isCurrent = try await loop.run { loop.isCurrent }
        #expect(isCurrent)
        let counter = Counter(loop: loop)
        for _ in 0..<100 { #expect(await counter.increment()) }
        #expect(await counter.count == 100)
    }

    @Test func losesNoWorkDuringShutdown() async throws {
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

    @Test func rejectsSignalSourceAfterShutdown() async throws {
        let loop = try EventLoop(name: "test")
        await loop.shutDown()
        let error = try await loop.run {
            #expect(throws: SystemError.self) { try SignalSource([], loop: loop) { _ in } } as SystemError?
        }
        #expect("\(try #require(error))" == "signal: the event loop has ended")
    }

    /// Runs in its own process, because it uses up all descriptors.
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

    @Test func isFreedAfterShutdown() async throws {
        weak var freed: EventLoop?
        do {
            let loop = try EventLoop(name: "test")
            freed = loop
            _ = try await loop.run { loop.schedule(TimerProbe(), at: loop.now() + .seconds(3600)) }
            try await loop.run { loop.sweep.add(LoopOwner(loop: loop)) }
            await loop.shutDown()
        }
        #expect(freed == nil)
    }
}

/// Keeps the loop busy with work that resubmits itself, until `deadline` or until `probe` is called.
private func keepBusy(_ loop: EventLoop, until deadline: MonotonicTime, or probe: TimerProbe) {
    guard probe.calls.withLock({ $0.isEmpty }) else { return }
    #expect(loop.now() < deadline)
    if loop.now() < deadline { loop.execute { keepBusy(loop, until: deadline, or: probe) } }
}

/// Retains its loop, which retains it.
private final class LoopOwner: Sweepable {
    private let loop: EventLoop
    var deadline: MonotonicTime? { nil }
    var sweepPosition: Int?

    init(loop: EventLoop) {
        self.loop = loop
    }

    func deadlinePassed() {}

    deinit {
        // As connections do.
        loop.sweep.remove(self)
    }
}

/// Work that adds a text to a list when it runs.
private final class Note: LoopWork {
    private let text: String
    private let seen: Locked<[String]>
    private let then: () -> Void

    init(_ text: String, in seen: Locked<[String]>, then: @escaping () -> Void = {}) {
        self.text = text
        self.seen = seen
        self.then = then
    }

    func run() {
        seen.withLock { $0.append(text) }
        then()
    }
}
