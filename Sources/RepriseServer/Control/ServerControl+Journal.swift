// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

// The journal, without the requests that were removed from it.
extension ServerControl {
    /// Returns the requests received since the server started, or in a session, within the journal's limits. For a
    /// session that has ended, these are the requests that named an unknown session.
    func journal(in session: SessionID? = nil) async -> Journal {
        guard let number = number(of: session) else { return Journal(entries: [], dropped: 0) }
        return await journal(ofNumber: number)
    }

    /// Returns one request of the server or a session; nil if it is not in the journal.
    func journalEntry(_ key: JournalKey, in session: SessionID? = nil) async -> JournalEntry? {
        guard loops.indices.contains(key.loop), let number = number(of: session) else { return nil }
        let part = await loops[key.loop].run { $0.journal(from: key.number, to: key.number + 1) }
        return part.entries(loop: key.loop, session: number, hiding: journalMarks).first
    }

    /// Returns the number of an open session, or of the server itself. Requests to unknown sessions have a number in
    /// common, so they are not those of any session.
    private func number(of session: SessionID?) -> Int? {
        guard let session else { return 0 }
        return shared.current.session(session)?.number
    }

    func journal(ofNumber number: Int) async -> Journal {
        var parts: [LoopJournal] = []
        for loop in loops { parts.append(await loop.run { $0.journal }) }
        journalMarks.trim(to: parts.map(\.requests.first))
        return await Journal.merged(parts, session: number, hiding: journalMarks)
    }

    func removeFromJournal(_ keys: some Sequence<JournalKey> & Sendable) {
        journalMarks.remove(keys)
    }

    func resetJournal(in session: SessionID? = nil) async {
        guard let number = number(of: session) else { return }
        for (place, loop) in loops.enumerated() {
            let next = await loop.run { $0.journal.requests.next }
            journalMarks.removeAll(of: place, session: number, before: next)
        }
    }

    /// Returns the requests of the server or a session that were received after those that were read before.
    ///
    /// - Parameter places: For each loop, the number of the first request to read, which this method advances; empty
    ///   to read everything.
    func journal(in session: SessionID?, after places: [Int]) async -> (entries: [JournalEntry], places: [Int]) {
        guard let number = number(of: session) else { return ([], places) }
        var parts: [LoopJournal] = []
        for (loop, place) in zip(loops, places.isEmpty ? loops.map { _ in 0 } : places) {
            parts.append(await loop.run { $0.journal(from: place) })
        }
        let journal = await Journal.merged(parts, session: number, hiding: journalMarks)
        return (journal.entries, parts.map(\.requests.next))
    }

    // MARK: Waiting

    /// Starts signaling each request. This happens only while tasks wait, so that it costs nothing otherwise.
    func beginWaiting() async -> RequestSignal {
        waitingTasks += 1
        let signal = requestSignal
        for loop in loops { await loop.run { $0.events.requestSignal = signal } }
        return signal
    }

    /// Ends a wait that ``beginWaiting()`` began. Signaling stops when no other task waits.
    func endWaiting() async {
        waitingTasks -= 1
        for loop in loops where waitingTasks == 0 { await loop.run { $0.events.requestSignal = nil } }
    }
}
