// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The verdicts on the names that were looked up last. The objects of a stream have the same names again and again.
struct KnownNames: Sendable {
    private struct Entry {
        var name: [UInt8] = []
        var verdict: SecretNames.Verdict?
    }

    private static let size = 128
    private static let longest = 32
    private var entries: [Entry] = []

    /// Returns the verdict on a name in JSON.
    mutating func verdict(on name: Span<UInt8>, _ look: (Span<UInt8>) -> SecretNames.Verdict?) -> SecretNames.Verdict? {
        guard 1...Self.longest ~= name.count else { return look(name) }
        let slot = Self.slot(name)
        if entries.isEmpty {
            entries = [Entry](repeating: Entry(), count: Self.size)
        } else if entries[slot].name.count == name.count, name.has(entries[slot].name, at: 0) {
            return entries[slot].verdict
        }
        let verdict = look(name)
        entries[slot] = Entry(name: Array(bytes: name), verdict: verdict)
        return verdict
    }

    private static func slot(_ name: Span<UInt8>) -> Int {
        let last = name.count &- 1
        let hash = UInt32(name[0]) &+ UInt32(name[last / 2]) &* 31 &+ UInt32(name[last]) &* 961 &+ UInt32(last) &* 7
        return Int((hash &* 0x9E37_79B1) >> 25)
    }
}
