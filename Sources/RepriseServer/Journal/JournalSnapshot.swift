// SPDX-License-Identifier: Apache-2.0

private import RepriseIO
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The requests of one loop at one moment, to be looked at anywhere.
struct JournalSnapshot: Sendable {
    fileprivate let segments: [JournalSegment]
    /// The number of the first request; the segments may begin with older ones.
    fileprivate let first: Int
    /// The number of requests that had to make room.
    let dropped: Int

    init(segments: [JournalSegment], first: Int, dropped: Int) {
        self.segments = segments
        self.first = first
        self.dropped = dropped
    }

    /// The requests, oldest first; `source` names the fixture at a place in the index of a generation.
    func entries(source: (_ generation: Int, _ fixture: Int) -> FixtureSource?) -> [JournalEntry] {
        let (date, tick) = (Date.now, MonotonicTime.now.nanoseconds)
        var entries: [JournalEntry] = []
        entries.reserveCapacity(segments.last.map { $0.end - first } ?? 0)
        for segment in segments {
            for record in segment.records.dropFirst(max(0, first - segment.first)) {
                entries.append(
                    JournalEntry(
                        head: Array(segment.bytes[record.head]),
                        content: Array(segment.bytes[record.content]),
                        isContentComplete: record.isContentComplete,
                        fixture: record.fixture < 0 ? nil : source(Int(record.generation), Int(record.fixture)),
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

    /// The oldest generation whose fixtures a request names.
    var oldestGeneration: Int? {
        var oldest: UInt32?
        forEachHit { oldest = min(oldest ?? .max, $0.generation) }
        return oldest.map { Int($0) }
    }

    /// The fixtures of a generation that requests name.
    func fixtures(of generation: Int) -> Set<Int> {
        var fixtures: Set<Int> = []
        forEachHit { if $0.generation == generation { fixtures.insert(Int($0.fixture)) } }
        return fixtures
    }

    private func forEachHit(_ body: (JournalSegment.Record) -> Void) {
        for segment in segments {
            for record in segment.records.dropFirst(max(0, first - segment.first)) where record.fixture >= 0 {
                body(record)
            }
        }
    }
}
