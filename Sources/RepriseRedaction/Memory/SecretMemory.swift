// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseText

/// The secrets that were redacted in this process. All recorders share it, so that what was secret once is secret
/// everywhere: a token can occur again, without a name, in a later URL, a log line, or an error message.
///
/// A secret has a number, which it keeps in each of its spellings: percent-encoded, with the escapes of JSON or HTML, and
/// as decoded Basic credentials. The numbers are those of this process. A cassette has its own (``StandIns``).
///
/// Only values for which ``isDistinctive(_:)`` returns `true` are looked for elsewhere. Beyond ``Limits``, the oldest
/// secrets are forgotten.
package final class SecretMemory: Sendable {
    /// The memory of this process.
    package static let shared = SecretMemory()

    /// The maximum length of a value that is looked for elsewhere, in bytes. Of a longer one, only so many bytes identify
    /// it.
    package static let maximumLength = 4 << 10

    /// What a memory holds at most.
    package struct Limits: Sendable {
        /// The number of secrets.
        package var count = 8192
        /// The number of bytes of their values.
        package var size = 1 << 20

        /// Creates the default limits.
        package init() {}
    }

    /// A secret.
    struct Secret: Sendable {
        /// The value as it was spelled first and as it is meant (``SecretSpellings/meanings(of:)``).
        var meanings: [[UInt8]]
        /// The name of the rule that found it first.
        var name: String?
        /// Whether it is looked for elsewhere.
        var isSearched: Bool
    }

    fileprivate struct State {
        /// The secrets in order of appearance. The number of the first one is `first`.
        var secrets: [Secret] = []
        var first = 0
        var numbers: [[UInt8]: Int] = [:]
        var size = 0
        var table = SecretTable()
        /// The numbers of the secrets that are looked for, in the order in which they became known.
        var searched: [Int] = []
        var firstSearched = 0
    }

    private let limits: Limits
    private let state = Locked(State())

    /// Creates an empty memory.
    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// The table of values to look for, or `nil` if there are none.
    package var table: SecretTable? {
        state.withLock { $0.table.isEmpty ? nil : $0.table }
    }

    /// The number of secrets that were forgotten because there were too many.
    package var forgottenCount: Int { state.withLock { $0.first } }

    /// The number of secrets that were ever looked for. It changes whenever there is a new one.
    package var total: Int { state.withLock { $0.firstSearched + $0.searched.count } }

    /// Returns the spellings to look for of each secret that became known after the first `count` ones. A recorder
    /// searches what it wrote in clear before for them.
    package func values(after count: Int) -> [Set<[UInt8]>] {
        let secrets = state.withLock { state in
            state.searched.dropFirst(max(0, count - state.firstSearched)).map { state.secrets[$0 - state.first] }
        }
        return secrets.map { secret in
            Set(secret.meanings.filter(Self.isDistinctive).flatMap { SecretSpellings.searched(for: $0).map(\.bytes) })
        }
    }

    /// Remembers a secret and returns its number.
    ///
    /// - Parameters:
    ///   - value: The value in any spelling.
    ///   - name: The name of the rule that found it.
    ///   - isSearched: Whether it is looked for elsewhere if it is distinctive. The default is `true`.
    @discardableResult
    package func remember(_ value: [UInt8], name: String? = nil, isSearched: Bool = true) -> Int {
        remember(meanings: SecretSpellings.meanings(of: value), name: name, isSearched: isSearched)
    }

    /// Remembers Basic credentials (RFC 7617). They are the same secret as their decoded form. The password is also looked
    /// for by itself.
    func remember(basic credentials: [UInt8], name: String?) -> Int {
        guard let decoded = SchemeCredentials.basic(credentials) else { return remember(credentials, name: name) }
        let number = remember(meanings: [credentials, decoded.whole], name: name, isSearched: true)
        if Self.isDistinctive(decoded.password) { remember(decoded.password, name: name) }
        return number
    }

    private func remember(meanings: [[UInt8]], name: String?, isSearched: Bool) -> Int {
        let isSearched = isSearched && meanings.contains { Self.isDistinctive($0) }
        return state.withLock { state in
            if let known = meanings.compactMap({ state.numbers[$0] }).first {
                state.add(meanings, to: known, isSearched: isSearched)
                return known
            }
            if state.secrets.count >= limits.count || state.size > limits.size { state.forgetOldest(limits) }
            let number = state.first + state.secrets.count
            state.secrets.append(Secret(meanings: [], name: name, isSearched: false))
            state.add(meanings, to: number, isSearched: isSearched)
            return number
        }
    }

    /// Returns the secret with this number, or `nil` if it was forgotten.
    func secret(_ number: Int) -> Secret? {
        state.withLock { state in
            state.secrets.indices.contains(number - state.first) ? state.secrets[number - state.first] : nil
        }
    }

    /// Whether to look for a value elsewhere. It must have at least six bytes with a digit, eight with a sign, or
    /// twelve letters. A number or a short word can occur anywhere with another meaning.
    package static func isDistinctive(_ value: [UInt8]) -> Bool {
        guard SecretTable.minimumLength...maximumLength ~= value.count else { return false }
        if RedactionMarker.occurs(in: value.span) || TimeValue.isTime(value.span) { return false }
        let digits = value.count(where: isDigit)
        let letters = value.count { ($0 | 0x20) &- 0x61 < 26 }
        // Without a letter, the value can be a number, a date or a version.
        if letters == 0 { return false }
        if digits > 0 { return true }
        guard letters == value.count else { return value.count >= 8 }
        // A value such as `password` is probably the name of a field where it occurs elsewhere.
        return value.count >= 12 && SecretNames.standard.verdict(of: value.span, in: .json) == nil
    }
}

extension SecretMemory.State {
    /// Adds further meanings to a secret, and looks for them if `isSearched`.
    fileprivate mutating func add(_ meanings: [[UInt8]], to number: Int, isSearched: Bool) {
        let index = number - first
        for meaning in meanings where numbers[meaning] == nil {
            numbers[meaning] = number
            secrets[index].meanings.append(meaning)
            size += meaning.count
            if isSearched, secrets[index].isSearched { search(meaning, number) }
        }
        guard isSearched, !secrets[index].isSearched else { return }
        secrets[index].isSearched = true
        searched.append(number)
        for meaning in secrets[index].meanings { search(meaning, number) }
    }

    private mutating func search(_ meaning: [UInt8], _ number: Int) {
        guard SecretMemory.isDistinctive(meaning) else { return }
        for spelling in SecretSpellings.searched(for: meaning) {
            table.insert(spelling.bytes, secret: number, form: spelling.form)
        }
    }

    /// Forgets half of the secrets, so that the table is rarely built anew.
    fileprivate mutating func forgetOldest(_ limits: SecretMemory.Limits) {
        var count = 0
        while count < secrets.count, secrets.count - count > limits.count / 2 || size > limits.size / 2 {
            for meaning in secrets[count].meanings {
                numbers[meaning] = nil
                size -= meaning.count
            }
            count += 1
        }
        secrets.removeFirst(count)
        first += count
        let known = searched.filter { $0 >= first }
        firstSearched += searched.count - known.count
        searched = known
        table = SecretTable()
        for number in searched {
            for meaning in secrets[number - first].meanings { search(meaning, number) }
        }
    }
}

extension SecretMemory {
    /// Returns a text for a log with the plain marker in place of each secret in the memory.
    package func redacted(_ text: [UInt8]) -> [UInt8] {
        guard let cuts = table?.cuts(in: text), !cuts.isEmpty else { return text }
        var output: [UInt8] = []
        var kept = 0
        for cut in cuts {
            output += text[kept..<cut.range.lowerBound] + Array(RedactionMarker.plain.utf8)
            kept = cut.range.upperBound
        }
        return output + text[kept...]
    }
}
