// SPDX-License-Identifier: Apache-2.0

/// The history of a replay, in order. It keeps the last 10,000 answers.
struct ReplayLog: Sendable {
    struct Entry: Sendable {
        /// The number of the fixture. Stubs follow the fixtures.
        let fixture: Int
        let ordinal: Int
        /// The number of the sequence; nil for a stub.
        let sequence: Int?
    }

    static let maximumEntries = 10_000

    private(set) var misses: [ReplayReport.Miss] = []
    /// The number of answers that each group of fixtures gave, for replays with custom matchers. A group consists of
    /// the fixtures that agree with a request, and its key is the index of the first one.
    var turns: [Int: Int] = [:]
    private(set) var dropped = 0
    private var ring: [Entry] = []
    private var oldest = 0

    /// The entries, oldest first.
    var entries: [Entry] { Array(ring[oldest...] + ring[..<oldest]) }

    /// Keeps the first misses, because later ones are often a consequence of them.
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
