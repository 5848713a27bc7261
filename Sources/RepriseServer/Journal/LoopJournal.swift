// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The journal of one loop at one moment, with what it takes to name the fixtures.
struct LoopJournal: Sendable {
    let requests: JournalSnapshot
    let state: ServingState
    /// Where former fixtures came from, by generation and number.
    let formerSources: [Int: [Int: FixtureSource]]

    /// The requests, oldest first.
    var entries: [JournalEntry] {
        requests.entries { generation, fixture in
            generation == state.generation
                ? state.index.entries[fixture].source : formerSources[generation]?[fixture]
        }
    }
}

extension Journal {
    /// Puts the journals of all loops together; away from the loops, and from the caller's thread.
    @concurrent
    static func merged(_ parts: [LoopJournal]) async -> Journal {
        // One loop's entries are in order already; a stable sort keeps requests of the same nanosecond in order.
        let entries = parts.flatMap(\.entries).sorted { $0.tick < $1.tick }
        return Journal(entries: entries, dropped: parts.reduce(0) { $0 + $1.requests.dropped })
    }
}
