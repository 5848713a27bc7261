// SPDX-License-Identifier: Apache-2.0

/// What was asked of a replay, in order; of the choices the last 10,000.
struct ReplayLog: Sendable {
    struct Entry: Sendable {
        let fixture: Int
        let ordinal: Int
        let sequence: Int
    }

    static let maximumEntries = 10_000

    private(set) var misses: [ReplayReport.Miss] = []
    /// How many were answered of the fixtures that agree with a matcher of one's own, by the first of them.
    var turns: [Int: Int] = [:]
    /// How many entries were dropped.
    private(set) var dropped = 0
    private var ring: [Entry] = []
    private var oldest = 0

    /// The entries, the oldest first.
    var entries: [Entry] { Array(ring[oldest...] + ring[..<oldest]) }

    /// Of the misses the first are kept: what follows is often their doing.
    mutating func append(_ miss: ReplayReport.Miss) {
        if misses.count < Self.maximumEntries { misses.append(miss) }
    }

    mutating func append(_ entry: Entry) {
        guard ring.count == Self.maximumEntries else { return ring.append(entry) }
        ring[oldest] = entry
        oldest = (oldest + 1) % Self.maximumEntries
        dropped += 1
    }
}
