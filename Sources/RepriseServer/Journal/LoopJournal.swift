// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The journal of one loop at one moment, with the state needed to look up its fixtures.
struct LoopJournal: Sendable {
    let requests: JournalSnapshot
    let state: ServingState
    let previousSources: PreviousSources

    func entries(
        loop: Int = 0,
        session: Int? = 0,
        hiding marks: JournalMarks = JournalMarks()
    ) -> [JournalEntry] {
        requests.entries(
            loop: loop,
            session: session,
            hiding: { marks.hides(JournalKey(loop: loop, number: $0), session: session ?? 0) }
        ) {
            generation,
            fixture in
            generation == state.generation ? state.played(fixture) : previousSources[generation, fixture]
        }
    }
}

extension Journal {
    /// Merges the journals of all loops, off the loops and off the caller's thread.
    ///
    /// - Parameter session: The number of the session whose requests to return; 0 for the server itself, nil for all.
    @concurrent
    static func merged(
        _ parts: [LoopJournal],
        session: Int? = 0,
        hiding marks: JournalMarks = JournalMarks()
    ) async -> Journal {
        // Each loop's entries are already in order. The sort is stable, so it keeps the order of requests received in
        // the same nanosecond.
        let entries = parts.enumerated()
            .flatMap { $1.entries(loop: $0, session: session, hiding: marks) }
            .sorted { $0.tick < $1.tick }
        return Journal(entries: entries, dropped: parts.reduce(0) { $0 + $1.requests.dropped })
    }
}
