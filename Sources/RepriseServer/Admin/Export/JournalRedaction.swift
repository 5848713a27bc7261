// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction

/// The redaction of a journal's entries all together, as of a recording: a secret that one entry names is removed from
/// all.
struct JournalRedaction {
    private let redaction: Redaction
    private let memory: SecretMemory
    private let scheme: String

    /// Learns the secrets in all entries. What is redacted is not kept, because the journal can be large.
    ///
    /// - Parameters:
    ///   - memory: The secrets that are known already, to which those of the entries are added.
    ///   - scheme: The scheme of the server's URLs.
    init(_ rules: Redaction, _ memory: SecretMemory, of entries: [JournalEntry], scheme: String) {
        let learning = rules.replacing(with: StandIns(memory))
        for entry in entries { _ = RedactedEntry(entry, learning, scheme: scheme) }
        (redaction, self.memory, self.scheme) = (rules.withoutStandIns, memory, scheme)
    }

    /// Returns an entry with markers in place of its secrets.
    func redacted(_ entry: JournalEntry) -> RedactedEntry {
        RedactedEntry(entry, redaction, removing: memory.table, scheme: scheme)
    }

    /// Returns entries with stand-ins in place of their secrets. Each entry lists those that it adds.
    func withStandIns(_ entries: [JournalEntry]) -> (entries: some Sequence<RedactedEntry>, standIns: StandIns) {
        let standIns = StandIns(memory)
        let redaction = redaction.replacing(with: standIns)
        let redacted = entries.lazy.map { RedactedEntry($0, redaction, removing: memory.table, scheme: scheme) }
        return (redacted, standIns)
    }
}
