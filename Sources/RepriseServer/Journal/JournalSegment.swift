// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requests that follow each other in a ``JournalRing``. A value: a reader keeps the requests it was given while the
/// ring goes on, and the ring pays with a copy only where it changes a segment that a reader still holds.
struct JournalSegment: Sendable {
    /// The number of its first request.
    private(set) var first: Int
    private(set) var records: [Record] = []
    /// The heads and contents, one after the other.
    private(set) var bytes: [UInt8] = []

    /// What is kept of a request beside its bytes.
    struct Record: Sendable {
        var start: UInt32
        var headLength: UInt32
        var contentLength: UInt32
        var fixture: Int32
        var ordinal: UInt32
        var generation: UInt32
        var status: UInt16
        var isContentComplete: Bool
        var received: UInt64
        /// In nanoseconds; `.max` until the response is complete.
        var duration = UInt64.max

        /// Where the head is in the segment's bytes.
        var head: Range<Int> { Int(start)..<(Int(start) + Int(headLength)) }
        /// Where the content is.
        var content: Range<Int> { head.upperBound..<(head.upperBound + Int(contentLength)) }
    }

    /// An empty segment with room for as much as `former` holds: what the next requests take is much like it.
    init(first: Int, sizedAs former: JournalSegment? = nil) {
        self.first = first
        if let former {
            records.reserveCapacity(former.records.count)
            bytes.reserveCapacity(former.bytes.count)
        }
    }

    /// The number after that of its last request.
    var end: Int { first + records.count }

    /// Adds a request whose record starts at the end of the bytes.
    mutating func append(_ record: Record, head: Span<UInt8>, content: Span<UInt8>) {
        records.append(record)
        bytes.append(bytes: head)
        if !content.isEmpty { bytes.append(bytes: content) }
    }

    /// The response to request `number` took so many nanoseconds.
    mutating func complete(_ number: Int, duration: UInt64) {
        records[number - first].duration = duration
    }

    /// Begins anew at request `first` and keeps the memory, but for what one uncommonly large request took.
    mutating func recycle(first: Int, limit: Int) {
        self.first = first
        records.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: bytes.capacity <= 2 * limit)
    }
}
