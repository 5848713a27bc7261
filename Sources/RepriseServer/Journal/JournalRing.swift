// SPDX-License-Identifier: Apache-2.0

private import RepriseIO
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The newest requests of one loop, in two rings: one of bytes, one of records. Recording copies the request and
/// allocates nothing once the rings have grown to their limits; the oldest records make room.
struct JournalRing {
    /// The number of records that had to make room.
    private(set) var dropped = 0

    private let recordLimit: Int
    private let byteLimit: Int
    private var records: [Record] = []
    /// The number of the first record still held; records are numbered from 0 in the order of arrival.
    private var first = 0
    private var next = 0
    /// Where those two are in `records`: a division for each request would be a hundredth of its cost.
    private var firstSlot = 0
    private var nextSlot = 0
    private var bytes: [UInt8] = []
    /// How many bytes the ring holds before the write position comes round.
    private(set) var capacity = 0
    private var writePosition = 0

    private struct Record {
        var start: Int
        var headLength: UInt32
        var contentLength: UInt32
        var isContentComplete: Bool
        var status: UInt16
        var fixture: Int32
        var ordinal: UInt32
        var generation: UInt32
        var received: UInt64
        var duration: UInt64
    }

    /// What answered a request.
    struct Answer {
        /// The fixture's place in the index of `generation`; negative for none.
        var fixture: Int
        var ordinal: Int
        var status: Int
        var generation: Int

        static func none(status: Int) -> Answer { Answer(fixture: -1, ordinal: 0, status: status, generation: 0) }
    }

    /// A journal of at most `records` requests and `bytes` bytes of them.
    init(records: Int = 10_000, bytes: Int = 4 << 20) {
        recordLimit = max(1, records)
        byteLimit = max(1024, bytes)
    }

    /// Adds a request; returns its number for ``complete(_:duration:)``.
    mutating func append(
        head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        answer: Answer,
        received: UInt64
    ) -> Int {
        let headLength = min(head.count, byteLimit / 4)
        let contentLength = min(content.count, byteLimit / 4)
        let start = makeRoom(for: headLength + contentLength)
        copy(head, count: headLength, to: start)
        copy(content, count: contentLength, to: start + headLength)
        let record = Record(
            start: start,
            headLength: UInt32(headLength),
            contentLength: UInt32(contentLength),
            isContentComplete: isContentComplete && contentLength == content.count,
            status: UInt16(clamping: answer.status),
            fixture: Int32(clamping: answer.fixture),
            ordinal: UInt32(clamping: answer.ordinal),
            generation: UInt32(clamping: answer.generation),
            received: received,
            duration: .max
        )
        if nextSlot < records.count { records[nextSlot] = record } else { records.append(record) }
        next += 1
        nextSlot = nextSlot + 1 == recordLimit ? 0 : nextSlot + 1
        return next - 1
    }

    /// The response to request `number` is written; it took `duration` nanoseconds.
    mutating func complete(_ number: Int, duration: UInt64) {
        guard number >= first else { return }
        // Nearly always the newest.
        let isNewest = number == next - 1
        let slot = !isNewest ? number % recordLimit : nextSlot == 0 ? recordLimit - 1 : nextSlot - 1
        records[slot].duration = duration
    }

    /// The requests, oldest first; `source` names the fixture at a place in the index of a generation.
    func entries(source: (_ generation: Int, _ fixture: Int) -> FixtureSource?) -> [JournalEntry] {
        let (date, tick) = (Date.now, MonotonicTime.now.nanoseconds)
        return (first..<next).map { number in
            let record = records[number % recordLimit]
            let head = record.start..<(record.start + Int(record.headLength))
            return JournalEntry(
                head: Array(bytes[head]),
                content: Array(bytes[head.upperBound..<(head.upperBound + Int(record.contentLength))]),
                isContentComplete: record.isContentComplete,
                fixture: record.fixture < 0 ? nil : source(Int(record.generation), Int(record.fixture)),
                ordinal: Int(record.ordinal),
                status: Int(record.status),
                received: date - Double(tick - min(tick, record.received)) / 1e9,
                tick: record.received,
                duration: record.duration == .max ? nil : .nanoseconds(Int64(clamping: record.duration))
            )
        }
    }

    /// The oldest generation of whose fixtures a record names one.
    var oldestGeneration: Int? {
        (first..<next).lazy.map { records[$0 % recordLimit] }.filter { $0.fixture >= 0 }.map { Int($0.generation) }
            .min()
    }

    /// The fixtures of a generation that records name.
    func fixtures(of generation: Int) -> Set<Int> {
        var fixtures: Set<Int> = []
        for number in first..<next {
            let record = records[number % recordLimit]
            if record.fixture >= 0, record.generation == generation { fixtures.insert(Int(record.fixture)) }
        }
        return fixtures
    }

    /// Makes room for one record and `count` bytes in one piece; returns where to write.
    private mutating func makeRoom(for count: Int) -> Int {
        if next - first == recordLimit { dropFirst() }
        // Only growing when requests that are still held are in the way keeps the journal of short ones small.
        while isInTheWay(of: count), capacity < byteLimit { grow() }
        while isInTheWay(of: count) { dropFirst() }
        // A request lies in one piece: what is left at the end of the ring stays unused.
        let start = writePosition + count > capacity ? 0 : writePosition
        writePosition = start + count
        return start
    }

    /// Whether the oldest request lies where the next `count` bytes go. One that starts before the write position was
    /// written after it came round, and is in no one's way.
    private func isInTheWay(of count: Int) -> Bool {
        guard first < next else { return false }
        let oldest = records[firstSlot].start
        if writePosition + count <= capacity { return oldest >= writePosition && oldest < writePosition + count }
        return oldest >= writePosition || oldest < count
    }

    /// Doubles the ring's capacity; what it holds moves to its start, in order.
    private mutating func grow() {
        capacity = min(max(capacity * 2, 1 << 16), byteLimit)
        var moved: [UInt8] = []
        moved.reserveCapacity(capacity)
        for number in first..<next {
            let slot = number % recordLimit
            let start = records[slot].start
            let end = start + Int(records[slot].headLength) + Int(records[slot].contentLength)
            records[slot].start = moved.count
            moved += bytes[start..<end]
        }
        bytes = moved
        writePosition = moved.count
    }

    private mutating func dropFirst() {
        first += 1
        firstSlot = firstSlot + 1 == recordLimit ? 0 : firstSlot + 1
        dropped += 1
    }

    private mutating func copy(_ source: Span<UInt8>, count: Int, to start: Int) {
        // The ring grows as it is filled, so that a server with few requests has a small journal.
        let overwritten = max(0, min(count, bytes.count - start))
        bytes.overwrite(at: start, copying: source.extracting(0..<overwritten))
        bytes.append(copying: source.extracting(overwritten..<count))
    }
}
