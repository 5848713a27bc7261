// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// The requests that were removed from the journal. The loops keep them until they need the memory.
struct JournalMarks: Sendable {
    /// The number of the first request that remains after a reset, for each loop and session.
    private var starts: [Place: Int] = [:]
    private var removed: Set<JournalKey> = []

    private struct Place: Hashable {
        var loop: Int
        var session: Int
    }

    func hides(_ key: JournalKey, session: Int = 0) -> Bool {
        if let start = starts[Place(loop: key.loop, session: session)], key.number < start { return true }
        return !removed.isEmpty && removed.contains(key)
    }

    mutating func remove(_ keys: some Sequence<JournalKey>) {
        removed.formUnion(keys)
    }

    mutating func removeAll(of loop: Int, session: Int = 0, before next: Int) {
        let place = Place(loop: loop, session: session)
        starts[place] = max(starts[place] ?? 0, next)
    }

    mutating func forget(session: Int) {
        starts = starts.filter { $0.key.session != session }
    }

    /// - Parameter firsts: The number of the first request that each loop keeps.
    mutating func trim(to firsts: [Int]) {
        guard !removed.isEmpty else { return }
        removed = removed.filter { $0.number >= firsts[$0.loop] }
    }
}

/// Makes the identifiers of requests. Nothing is stored: an identifier is computed from the place in the journal, and
/// the place from the identifier.
struct JournalIdentifiers: Sendable {
    /// A random number for this process, so that identifiers from other processes are not found.
    private let seed: UInt64

    init(seed: UInt64 = .random(in: .min ... .max)) {
        self.seed = seed & (1 << 62 - 1)
    }

    /// Returns the identifier of a request: a UUID of version 8 (RFC 9562 section 5.8) with 48 bits for the number,
    /// 12 bits for the loop, and 62 for the process.
    func id(of key: JournalKey) -> String {
        UUIDText.text(of: UInt64(key.number) << 16 | 0x8000 | UInt64(key.loop & 0xFFF), 1 << 63 | seed)
    }

    /// Returns the place of the request with an identifier; nil if this process did not make it.
    func key(of id: String) -> JournalKey? {
        let digits = id.filter { $0 != "-" }
        guard id.utf8.count == 36, digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            UInt64(digits.suffix(16), radix: 16) == 1 << 63 | seed, high & 0xF000 == 0x8000
        else { return nil }
        let key = JournalKey(loop: Int(high & 0xFFF), number: Int(high >> 16))
        return self.id(of: key) == id.lowercased() ? key : nil
    }
}
