// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseText

/// What was taken out of one recording, so that it is taken out wherever else it stands: a token that a later URL, a log
/// line or an error message repeats under no name.
///
/// Values of ``isMemorable(_:)`` are remembered, 512 at most and 256 KiB of them; the oldest are forgotten for the next.
package final class RemovedValues: Sendable {
    /// A value of more bytes is not remembered.
    static let maximumLength = 4 << 10
    private static let maximumCount = 512
    private static let maximumSize = 256 << 10

    private struct State {
        var table = RemovedValueTable()
        /// In the order in which they came.
        var values: [(value: [UInt8], marker: Int)] = []
        var known: Set<[UInt8]> = []
        var size = 0
    }

    private let state = Locked(State())

    package init() {}

    /// What to look for now; `nil` if there is nothing.
    package var table: RemovedValueTable? {
        state.withLock { $0.table.isEmpty ? nil : $0.table }
    }

    /// Remembers a value that was taken out, and its other spellings.
    ///
    /// - Parameter marker: what came in its place, of ``RedactionRules/markers``.
    func add(_ value: [UInt8], marker: Int) {
        guard RemovedValueTable.minimumLength...Self.maximumLength ~= value.count else { return }
        state.withLock { state in
            guard state.known.insert(value).inserted else { return }
            if state.values.count == Self.maximumCount || state.size + value.count > Self.maximumSize {
                Self.forgetOldest(&state)
            }
            state.values.append((value, marker))
            state.size += value.count
            Self.insert(value, marker, into: &state.table)
        }
    }

    /// Remembers what `redacted` lacks of `original`.
    ///
    /// - Parameter isCookie: whether it is a line of cookies, which hold much that is no secret: only what looks like the
    ///   number of a session is remembered then.
    package func add(from original: [UInt8], to redacted: [UInt8], markers: [[UInt8]], isCookie: Bool = false) {
        guard original != redacted else { return }
        for part in RemovedParts.of(original, redacted) where !isCookie || Self.isSession(part.value) {
            add(part.value, marker: markers.firstIndex(of: part.marker) ?? 0)
        }
    }

    private static func insert(_ value: [UInt8], _ marker: Int, into table: inout RemovedValueTable) {
        for spelling in RemovedSpellings.all(of: value) where isMemorable(spelling) {
            table.insert(spelling, marker: marker)
        }
    }

    private static func forgetOldest(_ state: inout State) {
        while state.values.count > maximumCount / 2 || state.size > maximumSize / 2 {
            let oldest = state.values.removeFirst()
            state.size -= oldest.value.count
            state.known.remove(oldest.value)
        }
        state.table = RemovedValueTable()
        for (value, marker) in state.values { insert(value, marker, into: &state.table) }
    }

    /// Whether a value is looked for elsewhere: one of at least six bytes with a digit in it, of eight with a sign, or of
    /// twelve letters. A number, or a short word, may well stand anywhere and mean something else.
    static func isMemorable(_ value: [UInt8]) -> Bool {
        guard RemovedValueTable.minimumLength...maximumLength ~= value.count else { return false }
        let slice = value[...]
        if RedactionMarker.isIn(slice.span) { return false }
        let digits = value.count(where: isDigit)
        let letters = value.count { ($0 | 0x20) &- 0x61 < 26 }
        // Of digits, dots and the like.
        if letters == 0 { return false }
        if digits > 0 { return true }
        guard letters == value.count else { return value.count >= 8 }
        // What is itself called a secret is the name of a field elsewhere.
        return value.count >= 12 && SecretNames.standard.verdict(of: slice.span, in: .json) == nil
    }

    private static func isSession(_ value: [UInt8]) -> Bool {
        value.count >= 16 && value.contains(where: isDigit) && !value.contains(UInt8(ascii: "/"))
    }
}
