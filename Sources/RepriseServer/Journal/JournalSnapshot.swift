// SPDX-License-Identifier: Apache-2.0

private import RepriseIO
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The requests of one loop at one moment. A snapshot can be read on any thread.
struct JournalSnapshot: Sendable {
    fileprivate let segments: [JournalSegment]
    /// The number of the first request. The segments may begin with older ones.
    let first: Int
    let next: Int
    let dropped: Int

    init(segments: [JournalSegment], first: Int, next: Int, dropped: Int) {
        self.segments = segments
        self.first = first
        self.next = next
        self.dropped = dropped
    }

    /// - Parameters:
    ///   - loop: The number of the loop.
    ///   - session: The number of the session; 0 for the server itself, nil for all.
    ///   - isHidden: Whether a request, given by its number, was removed from the journal.
    ///   - played: Returns a fixture that is not a stub, given a generation and its index in it.
    func entries(
        loop: Int = 0,
        session: Int? = 0,
        hiding isHidden: (Int) -> Bool = { _ in false },
        played: (_ generation: Int, _ fixture: Int) -> PlayedFixture?
    ) -> [JournalEntry] {
        let (date, tick) = (Date.now, MonotonicTime.now.nanoseconds)
        var entries: [JournalEntry] = []
        entries.reserveCapacity(max(0, next - first))
        for segment in segments {
            for (place, record) in segment.records.enumerated().dropFirst(max(0, first - segment.first))
                .prefix(while: { segment.first + $0.offset < next })
            {
                guard session.map({ $0 == Int(record.session) }) ?? true, !isHidden(segment.first + place) else {
                    continue
                }
                let stub = segment.stub(of: record)
                entries.append(
                    JournalEntry(
                        head: Array(segment.bytes[record.head]),
                        content: Array(segment.bytes[record.content]),
                        isContentComplete: record.isContentComplete,
                        key: JournalKey(loop: loop, number: segment.first + place),
                        isMiss: record.isMiss,
                        isForwarded: record.isForwarded,
                        clientHost: segment.peers[Int(record.peer)],
                        played: stub == nil && record.fixture >= 0
                            ? played(Int(record.generation), Int(record.fixture)) : nil,
                        stub: stub.map { AnsweringStub($0.stub) },
                        answer: segment.answer(at: place),
                        session: Int(record.session),
                        ordinal: Int(record.ordinal),
                        status: Int(record.status),
                        received: date - Double(tick - min(tick, record.received)) / 1e9,
                        tick: record.received,
                        duration: record.duration == .max ? nil : .nanoseconds(Int64(clamping: record.duration))
                    )
                )
            }
        }
        return entries
    }

    /// The oldest generation that a request's fixture belongs to.
    var oldestGeneration: Int? {
        var oldest: UInt32?
        forEachHit { oldest = min(oldest ?? .max, $0.generation) }
        return oldest.map { Int($0) }
    }

    func fixtures(of generation: Int) -> Set<Int> {
        var fixtures: Set<Int> = []
        forEachHit { if $0.generation == generation { fixtures.insert(Int($0.fixture)) } }
        return fixtures
    }

    private func forEachHit(_ body: (JournalSegment.Record) -> Void) {
        for segment in segments {
            for record in segment.records.dropFirst(max(0, first - segment.first))
            where record.fixture >= 0 && !record.isOfStub { body(record) }
        }
    }
}
