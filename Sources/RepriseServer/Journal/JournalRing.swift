// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStubAnswers

/// The newest requests of one loop, in segments. Requests are added to the newest segment; in the others, only response
/// times still change. Adding a request copies its bytes, and allocates nothing once the segments exist. The oldest
/// requests are dropped to make room.
///
/// A ``snapshot`` takes the segments as they are, without copying them or visiting requests.
struct JournalRing {
    private(set) var dropped = 0

    private let recordLimit: Int
    private let byteLimit: Int
    private let segmentRecords: Int
    private let segmentBytes: Int

    /// The full segments, oldest first. The first may begin with requests that are already dropped.
    private(set) var sealed: [JournalSegment] = []
    private(set) var open = JournalSegment(first: 0)
    /// A segment whose requests were dropped, kept so that its memory can be reused.
    private(set) var spare: JournalSegment?
    /// The number of the first request still held. Requests are numbered from 0 in order of arrival.
    private var first = 0
    private var next = 0
    /// The number of bytes that the segments hold.
    private var byteCount = 0

    /// The answer to a request.
    struct Answer: Sendable {
        /// The number of the answer: of the fixture in the fixture index of `generation`, or of the stub in its layer.
        /// Negative if no fixture answered.
        var fixture: Int
        var ordinal: Int
        var status: Int
        var generation = 0
        var stub: ServedStub?

        /// The answer itself, if it cannot be reproduced later.
        var kept: KeptAnswer?

        var isMiss = false
        /// Whether another server, or a static file, answered.
        var isForwarded = false
        /// Whether the request was passed on to a server that this one does not stand for.
        var isPassed = false

        static func none(status: Int) -> Answer { Answer(fixture: -1, ordinal: 0, status: status) }

        static let miss = Answer(fixture: -1, ordinal: 0, status: 404, isMiss: true)
    }

    /// Creates a journal of at most `records` requests and `bytes` bytes.
    init(records: Int = 10_000, bytes: Int = 4 << 20) {
        recordLimit = max(1, records)
        byteLimit = max(1024, bytes)
        // An eighth of the limits, so that making room drops at most that share of the journal.
        segmentRecords = min(512, max(1, recordLimit / 8))
        segmentBytes = min(64 << 10, byteLimit / 8)
    }

    /// Adds a request, and returns its number for ``complete(_:duration:)``.
    mutating func append(
        head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        answer: Answer,
        session: Int = 0,
        received: UInt64,
        peer: String = "unknown"
    ) -> Int {
        var flags: JournalSegment.Record.Flags = answer.isMiss ? [.isMiss] : []
        if answer.isForwarded { flags.insert(.isForwarded) }
        let headLength = min(head.count, byteLimit / 4)
        let contentLength = min(content.count, byteLimit / 4)
        if isContentComplete, contentLength == content.count { flags.insert(.hasCompleteContent) }
        makeRoom(for: headLength + contentLength, peer: peer)
        open.append(
            JournalSegment.Record(
                start: UInt32(open.bytes.count),
                headLength: UInt32(headLength),
                contentLength: UInt32(contentLength),
                fixture: Int32(clamping: answer.fixture),
                ordinal: UInt32(clamping: answer.ordinal),
                generation: UInt32(clamping: answer.generation),
                session: UInt32(clamping: session),
                status: UInt16(clamping: answer.status),
                flags: flags,
                received: received
            ),
            head: head.extracting(0..<headLength),
            content: content.extracting(0..<contentLength),
            stub: answer.stub,
            peer: peer
        )
        next += 1
        if let kept = answer.kept { keep(kept, of: next - 1) }
        return next - 1
    }

    /// The largest number of bytes of an answer that is kept with its content.
    var answerLimit: Int { byteLimit / 8 }

    mutating func keep(_ answer: KeptAnswer, of number: Int) {
        let answer = answer.byteCount > answerLimit ? answer.withoutContent : answer
        let count = answer.byteCount
        guard count <= answerLimit else { return }
        while byteCount + count > byteLimit, let oldest = sealed.first { drop(to: oldest.end) }
        guard number >= first else { return }
        if number >= open.first {
            byteCount -= open.answerBytes
            open.keep(answer, of: number)
            byteCount += open.answerBytes
            // A segment is dropped as a whole, so it must not hold too many bytes.
            if open.bytes.count + open.answerBytes > segmentBytes { seal() }
        } else if let place = place(of: number) {
            byteCount -= sealed[place].answerBytes
            sealed[place].keep(answer, of: number)
            byteCount += sealed[place].answerBytes
        }
    }

    mutating func complete(_ number: Int, duration: UInt64) {
        if number >= open.first { return open.complete(number, duration: duration) }
        guard number >= first, let place = place(of: number) else { return }
        sealed[place].complete(number, duration: duration)
    }

    var snapshot: JournalSnapshot { snapshot(from: 0) }

    /// Returns the requests at this moment, from `number` to the one before `end`.
    func snapshot(from number: Int, to end: Int = .max) -> JournalSnapshot {
        let (first, next) = (max(first, number), min(next, end))
        return JournalSnapshot(
            segments: (sealed + [open]).filter { $0.end > first && $0.first < next },
            first: first,
            next: next,
            dropped: dropped
        )
    }

    /// The size of the journal.
    struct Size: Sendable {
        var entries: Int
        /// The number of bytes of their heads, contents, and kept answers, with those of a few older requests.
        var bytes: Int
        /// The number of requests that were dropped to make room.
        var dropped: Int
    }

    var size: Size { Size(entries: next - first, bytes: byteCount, dropped: dropped) }

    // MARK: Making room

    /// Makes room for one record of a client, with `count` bytes.
    private mutating func makeRoom(for count: Int, peer: String) {
        if next - first == recordLimit { drop(to: first + 1) }
        while byteCount + count > byteLimit, let oldest = sealed.first { drop(to: oldest.end) }
        let isFull = open.bytes.count + count > segmentBytes && !open.records.isEmpty
        if isFull || open.records.count == segmentRecords || !open.hasRoom(forPeer: peer) { seal() }
        byteCount += count
    }

    private mutating func drop(to number: Int) {
        dropped += number - first
        first = number
        guard let oldest = sealed.first, oldest.end <= first else { return }
        byteCount -= oldest.bytes.count + oldest.answerBytes
        spare = sealed.removeFirst()
    }

    private mutating func seal() {
        sealed.append(open)
        if var recycled = spare {
            // Clear this reference first: changing a segment that has two references would copy its memory.
            spare = nil
            recycled.recycle(first: next, limit: segmentBytes)
            open = recycled
        } else {
            open = JournalSegment(first: next, sizedAs: open)
        }
    }

    private func place(of number: Int) -> Int? {
        var (low, high) = (0, sealed.count)
        while low < high {
            let middle = (low + high) / 2
            if sealed[middle].end <= number { low = middle + 1 } else { high = middle }
        }
        return low < sealed.count ? low : nil
    }
}
