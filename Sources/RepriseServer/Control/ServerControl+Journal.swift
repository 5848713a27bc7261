// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

// The journal, without the requests that were removed from it.
extension ServerControl {
    /// The requests received since the server started, within the journal's limits.
    func journal() async -> Journal {
        var parts: [LoopJournal] = []
        for loop in loops { parts.append(await loop.run { $0.journal }) }
        journalMarks.trim(to: parts.map(\.requests.first))
        return await Journal.merged(parts, hiding: journalMarks)
    }

    /// Removes requests from the journal.
    func removeFromJournal(_ keys: some Sequence<JournalKey> & Sendable) {
        journalMarks.remove(keys)
    }

    /// Removes all requests that were received before from the journal.
    func resetJournal() async {
        for (number, loop) in loops.enumerated() {
            let next = await loop.run { $0.journal.requests.next }
            journalMarks.removeAll(of: number, before: next)
        }
    }
}
