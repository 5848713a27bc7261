// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseCassettes
import RepriseFixtures
import RepriseLocking
import RepriseReplay
import RepriseTestSupport
import Testing

@Suite struct VirtualPaceTests {
    private static let base = "https://api.example.com"

    private func replay(_ fixtures: [Fixture], _ clock: VirtualClock) -> ReplayingTransport {
        ReplayingTransport(fixtures: fixtures, configuration: .init(afterLast: .repeat, pace: .virtual, clock: clock))
    }

    /// The chunks that several readers received, in order of arrival.
    private final class ChunkLog: Sendable {
        private let list = Locked<[String]>([])

        var all: [String] { list.withLock { $0 } }

        func add(_ text: String) {
            list.withLock { $0.append(text) }
        }
    }

    /// Streams of chunks at random times, and the order in which they were recorded.
    private func streams(_ count: Int, seed: UInt64) -> (fixtures: [Fixture], order: [String]) {
        var random = SeededGenerator(seed: seed)
        var moments = Array(1...(count * 30)).map { $0 * 37 }.shuffled(using: &random)[...]
        var order: [(at: Int, text: String)] = []
        var fixtures: [Fixture] = []
        for stream in 0..<count {
            // All streams begin before the first chunk.
            let times = moments.prefix(30).sorted()
            moments = moments.dropFirst(30)
            var last = stream
            let chunks = times.map { time in
                defer { last = time }
                order.append((time, "\(stream)@\(time) "))
                return (after: time - last, text: "\(stream)@\(time) ")
            }
            fixtures.append(.recorded("\(Self.base)/\(stream)", at: stream, .stream(chunks)))
        }
        return (fixtures, order.sorted { $0.at < $1.at }.map(\.text))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func interleavesStreamsInRecordedOrder(seed: UInt64) async throws {
        let (fixtures, order) = streams(5, seed: seed)
        let received = ChunkLog()
        let transport = replay(fixtures, VirtualClock(patience: .seconds(180)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for stream in 0..<5 {
                group.addTask {
                    for try await chunk in try await transport.request("/\(stream)").body {
                        received.add(String(decoding: chunk, as: UTF8.self))
                        for _ in 0..<(stream * 3) { await Task.yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let seen = received.all
        let misplaced = zip(seen, order).first { $0 != $1 }
        #expect(misplaced == nil && seen.count == order.count)
    }

    @Test func advancesClockWithoutWaiting() async throws {
        let clock = VirtualClock(patience: .seconds(180))
        let transport = replay(
            [.recorded("\(Self.base)/a", .stream([(3_600_000, "a"), (3_600_000, "b")], after: 1000))],
            clock
        )
        let start = ContinuousClock.now
        #expect(try await transport.request("/a", options: RequestOptions(timeout: nil)).text() == "ab")
        #expect(clock.now.offset == .seconds(7201))
        #expect(start.duration(to: .now) < .seconds(180))
    }

    @Test func playsSequentialRequestsAtRecordedTimes() async throws {
        let clock = VirtualClock(patience: .seconds(180))
        let transport = replay(
            [
                .recorded("\(Self.base)/a", at: 0, .text("a", delay: .milliseconds(300))),
                .recorded("\(Self.base)/b", at: 90_000, .text("b", delay: .milliseconds(20))),
            ],
            clock
        )
        #expect(try await transport.text("/a") == "a")
        #expect(clock.now.offset == .milliseconds(300))
        #expect(try await transport.text("/b") == "b")
        #expect(clock.now.offset == .milliseconds(90_020))
    }

    @Test func continuesPastIdleReader() async throws {
        let clock = VirtualClock(patience: .milliseconds(1))
        let transport = replay(
            [
                .recorded("\(Self.base)/a", at: 0, .stream([(10, "a"), (10, "b")])),
                .recorded("\(Self.base)/b", at: 1, .stream([(15, "c"), (100, "d")])),
                .recorded("\(Self.base)/never", at: 2, .text("x")),
            ],
            clock
        )
        let first = try await transport.request("/a")
        #expect(try await transport.text("/b") == "cd")
        #expect(try await first.text() == "ab")
    }

    @Test func appliesTimeoutsInVirtualTime() async throws {
        let clock = VirtualClock(patience: .seconds(180))
        let slow = RecordedResponse.stream([(40_000, "a"), (40_000, "b")])
        let transport = replay([.recorded("\(Self.base)/a", at: 0, slow)], clock)
        let limited = try await Observation(transport.request("/a", options: RequestOptions(timeout: .seconds(60))))
        #expect(limited.text == "a")
        #expect(limited.failure == "timedOut")
        #expect(clock.now.offset == .seconds(60))
        let options = RequestOptions(timeout: .seconds(60), timeoutScope: .head)
        #expect(try await transport.request("/a", options: options).text() == "ab")
    }

    @Test func failsAtRecordedTime() async throws {
        let clock = VirtualClock(patience: .seconds(180))
        let transport = replay([.failing("\(Self.base)/a", .timedOut, milliseconds: 30_000)], clock)
        let error = await #expect(throws: TransportError.self) { try await transport.request("/a") }
        #expect(error?.code == .timedOut)
        #expect(clock.now.offset == .seconds(30))
    }

    @Test func endsWhenTaskIsCanceled() async throws {
        let transport = replay(
            [
                .recorded("\(Self.base)/never", at: 0, .text("x")),
                .recorded("\(Self.base)/a", at: 5, .text("a", delay: .seconds(1))),
            ],
            VirtualClock(patience: .seconds(3600))
        )
        let task = Task { try await transport.request("/a") }
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func sharesClockWithClient() async throws {
        let clock = VirtualClock(patience: .seconds(180))
        let transport = replay(
            [
                .recorded("\(Self.base)/a", at: 0, .text("later", status: 429, headers: ["Retry-After: 3600"])),
                .recorded("\(Self.base)/a", at: 3_600_500, .text("now", delay: .milliseconds(5))),
            ],
            clock
        )
        let client = Client(Self.base, transport: transport, configuration: .init(timeout: .seconds(10), clock: clock))
        try await clock.sleep(for: .seconds(1))
        #expect(try await client.get("/a").validate(.statusCodes([429])).send().text == "later")
        try await clock.sleep(for: .seconds(3600))
        #expect(try await client.get("/a").send().text == "now")
        #expect(clock.now.offset == .milliseconds(3_601_005))
    }
}
