// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseText

/// The values redacted in a recording, so that they are also redacted wherever else they occur. For example, a token
/// can occur again, without a name, in a later URL, a log line or an error message.
///
/// Only values for which ``isDistinctive(_:)`` returns `true` are remembered. The limits are 512 values and 256 KiB.
/// Beyond that, the oldest values are dropped.
package final class RemovedValues: Sendable {
    /// The maximum length of a remembered value, in bytes.
    static let maximumLength = 4 << 10
    private static let maximumCount = 512
    private static let maximumSize = 256 << 10

    private struct State {
        var table = RemovedValueTable()
        /// The values, oldest first.
        var values: [(value: [UInt8], marker: Int)] = []
        var known: Set<[UInt8]> = []
        var size = 0
        /// The number of values that were ever added.
        var total = 0
    }

    private let state = Locked(State())

    package init() {}

    /// The table of values to look for, or `nil` if there are none.
    package var table: RemovedValueTable? {
        state.withLock { $0.table.isEmpty ? nil : $0.table }
    }

    /// Remembers a redacted value and its other spellings.
    ///
    /// - Parameter marker: The marker that replaced it, as an index into ``RedactionRules/markers``.
    package func add(_ value: [UInt8], marker: Int) {
        guard RemovedValueTable.minimumLength...Self.maximumLength ~= value.count else { return }
        state.withLock { state in
            guard state.known.insert(value).inserted else { return }
            if state.values.count == Self.maximumCount || state.size + value.count > Self.maximumSize {
                Self.forgetOldest(&state)
            }
            state.values.append((value, marker))
            state.total += 1
            state.size += value.count
            Self.insert(value, marker, into: &state.table)
        }
    }

    /// The number of values that were ever remembered. It changes whenever a value is added.
    package var total: Int { state.withLock { $0.total } }

    /// Returns the values that were remembered after the first `count` ones, each with the spellings to look for.
    package func values(after count: Int) -> [Set<[UInt8]>] {
        let values = state.withLock { state in state.values.suffix(state.total - count) }
        return values.map { RemovedSpellings.all(of: $0.value).filter(Self.isDistinctive) }.filter { !$0.isEmpty }
    }

    /// Remembers the values that are in `original` and not in `redacted`.
    ///
    /// - Parameter isCookie: Whether the text is a line of cookies. Many cookies are not secret, so only values that
    ///   look like session identifiers are remembered.
    package func add(from original: [UInt8], to redacted: [UInt8], markers: [[UInt8]], isCookie: Bool = false) {
        guard original != redacted else { return }
        for part in RemovedParts.of(original, redacted) where !isCookie || Self.isSession(part.value) {
            add(part.value, marker: markers.firstIndex(of: part.marker) ?? 0)
        }
    }

    private static func insert(_ value: [UInt8], _ marker: Int, into table: inout RemovedValueTable) {
        for spelling in RemovedSpellings.all(of: value) where isDistinctive(spelling) {
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

    /// Whether to look for a value elsewhere. It must have at least six bytes with a digit, eight with a sign, or
    /// twelve letters. A number or a short word can occur anywhere with another meaning.
    static func isDistinctive(_ value: [UInt8]) -> Bool {
        guard RemovedValueTable.minimumLength...maximumLength ~= value.count else { return false }
        let slice = value[...]
        if RedactionMarker.occurs(in: slice.span) { return false }
        let digits = value.count(where: isDigit)
        let letters = value.count { ($0 | 0x20) &- 0x61 < 26 }
        // Without a letter, the value can be a number, a date or a version.
        if letters == 0 { return false }
        if digits > 0 { return true }
        guard letters == value.count else { return value.count >= 8 }
        // A value such as `password` is probably the name of a field where it occurs elsewhere.
        return value.count >= 12 && SecretNames.standard.verdict(of: slice.span, in: .json) == nil
    }

    private static func isSession(_ value: [UInt8]) -> Bool {
        value.count >= 16 && value.contains(where: isDigit) && !value.contains(UInt8(ascii: "/"))
    }
}
