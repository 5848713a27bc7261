// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStubAnswers
internal import RepriseText

/// Consecutive requests of a ``JournalRing``.
///
/// A segment is a value: a reader keeps the requests it was given while the ring changes, and the ring copies a
/// segment only if it changes one that a reader still holds.
struct JournalSegment: Sendable {
    private(set) var first: Int
    private(set) var records: [Record] = []
    /// The heads and contents, in order.
    private(set) var bytes: [UInt8] = []
    /// The stubs that answered, each once for consecutive requests. They are kept as long as the records, even if they
    /// are removed from the server.
    private var stubs: [ServedStub] = []
    /// The addresses of clients, by their number in the records.
    private(set) var peers: [String] = []
    /// The answers that cannot be reproduced later, by the place of their record.
    private var answers: [Int: KeptAnswer] = [:]
    /// The number of bytes of ``answers``.
    private(set) var answerBytes = 0

    /// The data kept for a request in addition to its bytes.
    struct Record: Sendable {
        var start: UInt32
        var headLength: UInt32
        var contentLength: UInt32
        /// The number of the fixture, or of the stub in the segment; negative if no fixture answered.
        var fixture: Int32
        var ordinal: UInt32
        var generation: UInt32
        /// The number of the session; 0 for the server itself.
        var session: UInt32
        var status: UInt16
        var flags: Flags
        /// The number of the client's address in the segment.
        fileprivate(set) var peer: UInt8 = 0
        var received: UInt64
        /// In nanoseconds; `.max` until the response is complete.
        var duration = UInt64.max

        /// Properties of a request and its answer.
        struct Flags: OptionSet, Sendable {
            let rawValue: UInt8

            static let hasCompleteContent = Flags(rawValue: 1)
            static let isMiss = Flags(rawValue: 2)
            static let isForwarded = Flags(rawValue: 4)
        }

        var isContentComplete: Bool { flags.contains(.hasCompleteContent) }
        var isMiss: Bool { flags.contains(.isMiss) }
        var isForwarded: Bool { flags.contains(.isForwarded) }

        var isOfStub: Bool { generation == Self.stubs }

        fileprivate mutating func setStub(_ stub: Int) {
            fixture = Int32(clamping: stub)
            generation = Self.stubs
        }

        private static let stubs = UInt32.max

        var head: Range<Int> { Int(start)..<(Int(start) + Int(headLength)) }
        var content: Range<Int> { head.upperBound..<(head.upperBound + Int(contentLength)) }
    }

    /// Creates an empty segment with as much capacity as `previous` uses, because the next requests will likely be
    /// similar.
    init(first: Int, sizedAs previous: JournalSegment? = nil) {
        self.first = first
        if let previous {
            records.reserveCapacity(previous.records.count)
            bytes.reserveCapacity(previous.bytes.count)
        }
    }

    /// The number that follows that of the last request.
    var end: Int { first + records.count }

    /// Adds a request whose record starts at the end of ``bytes``.
    mutating func append(
        _ record: Record,
        head: Span<UInt8>,
        content: Span<UInt8>,
        stub: ServedStub?,
        peer: String
    ) {
        var record = record
        record.peer = number(ofPeer: peer)
        if let stub {
            if stubs.last !== stub { stubs.append(stub) }
            record.setStub(stubs.count - 1)
        }
        records.append(record)
        bytes.append(bytes: head)
        if !content.isEmpty { bytes.append(bytes: content) }
    }

    /// Whether another request of a client has room. Records have room for the numbers of 256 addresses.
    func hasRoom(forPeer host: String) -> Bool { peers.count <= UInt8.max || peers.contains(host) }

    /// Returns the number of a client's address. Usually, the previous request came from the same address.
    private mutating func number(ofPeer host: String) -> UInt8 {
        if peers.last == host { return UInt8(peers.count - 1) }
        if let known = peers.lastIndex(of: host) { return UInt8(known) }
        peers.append(host)
        return UInt8(peers.count - 1)
    }

    /// Returns the stub that answered; nil if none did.
    func stub(of record: Record) -> ServedStub? {
        record.isOfStub ? stubs[Int(record.fixture)] : nil
    }

    mutating func keep(_ answer: KeptAnswer, of number: Int) {
        answerBytes += answer.byteCount - (answers[number - first]?.byteCount ?? 0)
        answers[number - first] = answer
    }

    func answer(at place: Int) -> KeptAnswer? { answers.isEmpty ? nil : answers[place] }

    mutating func complete(_ number: Int, duration: UInt64) {
        records[number - first].duration = duration
    }

    /// Empties the segment to start at request `first`. Keeps its memory, unless an unusually large request made it
    /// too big.
    mutating func recycle(first: Int, limit: Int) {
        self.first = first
        records.removeAll(keepingCapacity: true)
        stubs.removeAll(keepingCapacity: true)
        peers.removeAll(keepingCapacity: true)
        answers = [:]
        answerBytes = 0
        bytes.removeAll(keepingCapacity: bytes.capacity <= 2 * limit)
    }
}
