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

    // MARK: Waiting

    /// Begins to give a signal for each request. Only while tasks wait, so that requests otherwise cost nothing more.
    func beginWaiting() async -> RequestSignal {
        waitingTasks += 1
        let signal = requestSignal
        for loop in loops { await loop.run { $0.events.requestSignal = signal } }
        return signal
    }

    /// Ends what ``beginWaiting()`` began, once no other task waits.
    func endWaiting() async {
        waitingTasks -= 1
        for loop in loops where waitingTasks == 0 { await loop.run { $0.events.requestSignal = nil } }
    }
}
