// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseFixtures
import Testing

@testable import RepriseServer

@Suite struct JournalRingTests {
    private let ok = ResponseHead(status: 200, reason: "OK", headers: [])

    @Test func keptAnswersCountAndMakeRoom() {
        var journal = JournalRing(records: 1000, bytes: 8000)
        let head = Array("GET / HTTP/1.1\r\n\r\n".utf8)[...]
        let none: [UInt8] = []
        for number in 0..<100 {
            var answer = JournalRing.Answer.none(status: 200)
            let content = [UInt8](repeating: UInt8(number), count: number == 99 ? 2000 : 500)
            answer.kept = KeptAnswer(head: ok, content: content)
            _ = journal.append(
                head: head.span,
                content: none.span,
                isContentComplete: true,
                answer: answer,
                received: UInt64(number)
            )
            #expect(journal.size.bytes <= 8000)
        }
        let entries = journal.snapshot.entries { _, _ in nil }
        #expect(entries.count >= 8)
        #expect(entries.dropLast().allSatisfy { $0.answer?.content?.count == 500 })
        #expect(entries.last?.answer != nil && entries.last?.answer?.content == nil)
        // The answer to a request that was dropped meanwhile.
        journal.keep(KeptAnswer(head: ok, content: [1]), of: 0)
        #expect(journal.size.bytes <= 8000)
    }

    @Test func snapshotOfOneRequestHasThatRequest() {
        var journal = JournalRing(records: 100)
        for number in 0..<250 { #expect(append("GET /\(number)", to: &journal) == number) }
        for (number, count) in [(0, 0), (149, 0), (150, 1), (161, 1), (162, 1), (249, 1), (250, 0)] {
            let snapshot = journal.snapshot(from: number, to: number + 1)
            #expect(snapshot.entries { _, _ in nil }.map(\.key.number) == Array(repeating: number, count: count))
        }
        #expect(journal.snapshot.entries { _, _ in nil }.map(\.key.number) == Array(150..<250))
    }

    /// More clients than a segment has numbers for, in turn and each again.
    @Test(arguments: [1, 255, 256, 257, 1000])
    func recordsKeepAddressesOfAllClients(_ clients: Int) {
        var journal = JournalRing(records: 3000)
        let head = Array("GET / HTTP/1.1\r\n\r\n".utf8)[...]
        let none: [UInt8] = []
        for number in 0..<10_000 {
            _ = journal.append(
                head: head.span,
                content: none.span,
                isContentComplete: true,
                answer: .none(status: 200),
                received: UInt64(number),
                peer: "2001:db8::\(number % clients)"
            )
        }
        let entries = journal.snapshot.entries { _, _ in nil }
        #expect(entries.map(\.clientHost) == (7000..<10_000).map { "2001:db8::\($0 % clients)" })
        #expect(journal.sealed.allSatisfy { $0.peers.count <= min(clients, 256) })
    }

    private func append(_ text: String, _ content: String = "", to journal: inout JournalRing) -> Int {
        journal.append(
            head: Array(text.utf8).span,
            content: Array(content.utf8).span,
            isContentComplete: true,
            answer: .none(status: 404),
            received: 1
        )
    }

    private func heads(_ journal: JournalRing) -> [String] {
        journal.snapshot.entries { _, _ in nil }.map { String(decoding: $0.head + $0.content, as: UTF8.self) }
    }

    @Test func retainsNewestRequests() {
        var journal = JournalRing(records: 3, bytes: 4096)
        for number in 0..<5 { _ = append("request \(number)", to: &journal) }
        #expect(heads(journal) == ["request 2", "request 3", "request 4"])
        #expect(journal.dropped == 2)
    }

    /// Whatever the sizes, the entries are the newest requests, complete and in order, and within the limit.
    @Test(arguments: 0..<20)
    func retainsCompleteRequestsInOrder(seed: Int) {
        var journal = JournalRing(records: 50, bytes: 4096)
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var all: [String] = []
        for number in 0..<400 {
            let head = "\(number):" + String(repeating: "h", count: random(300))
            let content = random(3) == 0 ? String(repeating: "c", count: random(700)) : ""
            all.append(head + content)
            _ = append(head, content, to: &journal)
            let held = heads(journal)
            #expect(held == Array(all.suffix(held.count)))
            #expect(held.joined().utf8.count <= 4096)
            #expect(journal.dropped == all.count - held.count)
        }
        #expect(heads(journal).count > 3)
    }

    @Test func truncatesLongContent() {
        var journal = JournalRing(records: 10, bytes: 4096)
        _ = append("head", String(repeating: "c", count: 5000), to: &journal)
        let entry = journal.snapshot.entries { _, _ in nil }[0]
        #expect(entry.content.count == 1024)
        #expect(!entry.isContentComplete)
    }

    @Test func listsFixturesByGeneration() {
        var journal = JournalRing(records: 3, bytes: 4096)
        for (fixture, generation) in [(7, 1), (-1, 0), (9, 2), (9, 2)] {
            _ = journal.append(
                head: Span(),
                content: Span(),
                isContentComplete: true,
                answer: JournalRing.Answer(fixture: fixture, ordinal: 1, status: 200, generation: generation),
                received: 1
            )
        }
        #expect(journal.snapshot.fixtures(of: 2) == [9])
        #expect(journal.snapshot.fixtures(of: 1).isEmpty)
        // A miss belongs to no generation, and keeps none alive.
        #expect(journal.snapshot.oldestGeneration == 2)
    }

    /// The ring doesn't allocate memory for long requests if the requests are short.
    @Test func shortRequestsNeedLittleMemory() {
        var journal = JournalRing(records: 100, bytes: 4 << 20)
        for number in 0..<10_000 { _ = append("request \(number)", to: &journal) }
        #expect(heads(journal).count == 100)
        #expect(journal.capacity <= 1 << 16)
    }

    @Test func recordsResponseDuration() {
        var journal = JournalRing(records: 2, bytes: 4096)
        let first = append("a", to: &journal)
        journal.complete(first, duration: 5)
        #expect(journal.snapshot.entries { _, _ in nil }[0].duration == .nanoseconds(5))
        _ = append("b", to: &journal)
        _ = append("c", to: &journal)
        // Another request has the record's slot by now.
        journal.complete(first, duration: 7)
        #expect(journal.snapshot.entries { _, _ in nil }.allSatisfy { $0.duration == nil })
    }

    /// A snapshot doesn't change, whatever the ring does with its segments afterward.
    @Test func snapshotsNeverChange() {
        var journal = JournalRing(records: 20, bytes: 4096)
        var snapshots: [(JournalSnapshot, [String])] = []
        for number in 0..<100 {
            let record = append("request \(number)", to: &journal)
            if number % 3 == 0 { journal.complete(record, duration: 1) }
            if number % 7 == 0 { snapshots.append((journal.snapshot, heads(journal))) }
            journal.complete(record - 10, duration: UInt64(number))
        }
        for (snapshot, heads) in snapshots {
            #expect(snapshot.entries { _, _ in nil }.map { String(decoding: $0.head, as: UTF8.self) } == heads)
        }
        #expect(snapshots[0].0.entries { _, _ in nil }.map(\.duration) == [.nanoseconds(1)])
    }

    @Test func completesRequestsInFullSegments() {
        var journal = JournalRing(records: 80, bytes: 4096)
        for number in 0..<40 { _ = append("request \(number)", to: &journal) }
        for number in stride(from: 0, to: 40, by: 2) { journal.complete(number, duration: UInt64(number)) }
        let durations = journal.snapshot.entries { _, _ in nil }.map(\.duration)
        #expect(durations == (0..<40).map { $0 % 2 == 0 ? .nanoseconds($0) : nil })
    }
}

extension JournalRing {
    /// The memory allocated for bytes.
    fileprivate var capacity: Int {
        sealed.reduce(open.bytes.capacity + (spare?.bytes.capacity ?? 0)) { $0 + $1.bytes.capacity }
    }
}
