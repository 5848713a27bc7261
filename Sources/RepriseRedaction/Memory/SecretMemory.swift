// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseText

/// The secrets that were redacted in this process. All recorders share it, so a secret that was found once is redacted
/// wherever it occurs: a token can occur again, without a name, in a later URL, a log line, or an error message.
///
/// A secret has the same number in each of its encodings: percent-encoded, with the escapes of JSON or HTML, in
/// Base64, and as decoded Basic credentials. The numbers are those of this process. A cassette has its own
/// (``StandIns``).
///
/// Only values for which ``isDistinctive(_:)`` returns `true` are looked for elsewhere. Beyond ``Limits``, the
/// least recently used secrets are forgotten.
package final class SecretMemory: Sendable {
    /// The memory of this process.
    package static let shared = SecretMemory()

    /// The maximum length of a value that is looked for elsewhere, in bytes. The first bytes of
    /// a longer one identify it.
    package static let maximumLength = 4 << 10

    /// The limits of a memory. Secrets that are searched for elsewhere and other secrets are counted separately.
    package struct Limits: Sendable {
        /// The number of secrets.
        package var count: Int
        /// The number of bytes of their values.
        package var size: Int

        /// Creates limits. Omitted values have their defaults.
        package init(count: Int = 8192, size: Int = 1 << 20) {
            (self.count, self.size) = (count, size)
        }
    }

    struct Secret: Sendable {
        /// The value as it was first found, and decoded (``SecretSpellings/meanings(of:)``).
        var meanings: [[UInt8]]
        /// The name of the rule that found it first.
        var name: String?
        /// Whether it is looked for elsewhere.
        var isSearched: Bool
        /// When it was used last. A later use has a higher number.
        var lastUse = 0

        fileprivate var size: Int { meanings.reduce(0) { $0 + $1.count } }
    }

    fileprivate struct State {
        /// The secrets by their numbers.
        var secrets: [Int: Secret] = [:]
        var nextNumber = 0
        var numbers: [[UInt8]: Int] = [:]
        /// The secrets that are looked for, and the others.
        var (searchedUsage, otherUsage) = (Usage(), Usage())
        /// The number of uses of secrets so far.
        var uses = 0
        var table = SecretTable()
        /// The secrets that are looked for, in the order in which they became known.
        var searched: [(order: Int, number: Int)] = []
        var total = 0
        var forgotten = 0
    }

    /// The number of secrets, and of bytes of their values.
    fileprivate struct Usage {
        var count = 0
        var size = 0
    }

    private let limits: Limits
    private let state: Locked<State>

    /// Creates an empty memory.
    package init(limits: Limits = Limits()) {
        self.limits = limits
        state = Locked(State())
    }

    /// Creates a memory without limits that starts with the secrets of another one.
    package init(copying memory: SecretMemory?) {
        limits = Limits(count: .max, size: .max)
        state = Locked(memory?.state.withLock { $0 } ?? State())
    }

    /// The table of values to look for, or `nil` if there are none.
    package var table: SecretTable? {
        state.withLock { $0.table.isEmpty ? nil : $0.table }
    }

    /// The number of secrets that are no longer looked for because there were too many.
    package var forgottenCount: Int { state.withLock { $0.forgotten } }

    /// The number of secrets that were ever looked for, and of their later meanings. It changes whenever there is
    /// something new to look for.
    package var total: Int { state.withLock { $0.total } }

    /// Returns the spellings to look for of each secret that became known after the first `count` ones. A recorder
    /// searches the text that it wrote before for them.
    ///
    /// - Parameter total: An earlier ``total``. Secrets that became known after it are left out. By default, none are.
    package func values(after count: Int, upTo total: Int = .max) -> [Set<[UInt8]>] {
        let secrets = state.withLock { state in
            state.searched.drop { $0.order < count }.prefix { $0.order < total }.compactMap { state.secrets[$0.number] }
        }
        return secrets.map { secret in
            Set(secret.meanings.filter(Self.isDistinctive).flatMap { SecretSpellings.searched(for: $0).map(\.bytes) })
        }
    }

    /// Returns the bytes that identify a secret, and whether they are the whole value. Of a longer value, whose rest
    /// may not have arrived, they are the first ``maximumLength`` ones.
    static func identity(of value: [UInt8]) -> (bytes: [UInt8], isWhole: Bool) {
        value.count < maximumLength ? (value, true) : (Array(value.prefix(maximumLength)), false)
    }

    /// Remembers a secret and returns its number.
    ///
    /// - Parameters:
    ///   - value: The value in any spelling.
    ///   - name: The name of the rule that found it.
    ///   - isSearched: Whether it is looked for elsewhere if it is distinctive. The default is `true`.
    @discardableResult
    package func remember(_ value: [UInt8], name: String? = nil, isSearched: Bool = true) -> Int {
        var meanings = SecretSpellings.meanings(of: value)
        // Inserted at the start, because the last meaning determines the form of a stand-in.
        if isSearched, let content = SecretSpellings.content(ofBase64: value) { meanings.insert(content, at: 0) }
        return remember(meanings: meanings, name: name, isSearched: isSearched)
    }

    /// Remembers Basic credentials (RFC 7617). They are the same secret as their decoded form. The password is also
    /// looked for by itself.
    func remember(basic credentials: [UInt8], name: String?) -> Int {
        guard let decoded = SchemeCredentials.basic(credentials) else { return remember(credentials, name: name) }
        let number = remember(meanings: [credentials, decoded.whole], name: name, isSearched: true)
        if Self.isDistinctive(decoded.password) { remember(decoded.password, name: name) }
        return number
    }

    /// Remembers the value of an `Authorization` field that no recorded request contains.
    package func remember(authorization value: String) {
        let bytes = Array(value.utf8)
        guard let scheme = SchemeCredentials(bytes), scheme.isBasic else {
            remember(bytes)
            return
        }
        _ = remember(basic: Array(bytes[scheme.start...]), name: nil)
    }

    private func remember(meanings: [[UInt8]], name: String?, isSearched: Bool) -> Int {
        let isSearched = isSearched && meanings.contains { Self.isDistinctive($0) }
        return state.withLock { state in
            if let known = meanings.compactMap({ state.numbers[$0] }).first {
                state.add(meanings, to: known, isSearched: isSearched)
                state.use(known)
                return known
            }
            state.makeRoom(limits, isSearched: isSearched)
            let number = state.nextNumber
            state.nextNumber += 1
            state.secrets[number] = Secret(meanings: [], name: name, isSearched: false)
            state.otherUsage.count += 1
            state.add(meanings, to: number, isSearched: isSearched)
            state.use(number)
            return number
        }
    }

    /// Returns the secret with this number, which was found elsewhere, or `nil` if it was forgotten.
    func secret(_ number: Int) -> Secret? {
        state.withLock { state in
            state.use(number)
            return state.secrets[number]
        }
    }

    /// Whether a value is so distinctive that it is looked for elsewhere: at least six bytes with a letter and a digit,
    /// at least eight bytes with a letter and another character, or at least twelve letters. A number or a short word
    /// can have other meanings.
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
        guard var secret = secrets[number] else { return }
        for meaning in meanings where numbers[meaning] == nil {
            numbers[meaning] = number
            secret.meanings.append(meaning)
            if secret.isSearched {
                searchedUsage.size += meaning.count
                if isSearched {
                    search(meaning, number)
                    // What was written may contain this meaning.
                    if SecretMemory.isDistinctive(meaning) { noteSearch(of: number) }
                }
            } else {
                otherUsage.size += meaning.count
            }
        }
        if isSearched, !secret.isSearched {
            secret.isSearched = true
            otherUsage.count -= 1
            otherUsage.size -= secret.size
            searchedUsage.count += 1
            searchedUsage.size += secret.size
            noteSearch(of: number)
            for meaning in secret.meanings { search(meaning, number) }
        }
        secrets[number] = secret
    }

    private mutating func noteSearch(of number: Int) {
        searched.append((order: total, number: number))
        total += 1
    }

    /// Notes that a secret occurred again.
    fileprivate mutating func use(_ number: Int) {
        uses += 1
        secrets[number]?.lastUse = uses
    }

    private mutating func search(_ meaning: [UInt8], _ number: Int) {
        guard SecretMemory.isDistinctive(meaning) else { return }
        for spelling in SecretSpellings.searched(for: meaning) {
            table.insert(spelling.bytes, secret: number, form: spelling.form)
        }
    }

    /// Forgets the least recently used half of the secrets if there is no room for one more. Forgetting half of them
    /// means that the table is rarely rebuilt.
    fileprivate mutating func makeRoom(_ limits: SecretMemory.Limits, isSearched: Bool) {
        var usage = isSearched ? searchedUsage : otherUsage
        guard usage.count >= limits.count || usage.size > limits.size else { return }
        let candidates = secrets.filter { $0.value.isSearched == isSearched }
        for (number, secret) in candidates.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard usage.count > limits.count / 2 || usage.size > limits.size / 2 else { break }
            for meaning in secret.meanings { numbers[meaning] = nil }
            usage.count -= 1
            usage.size -= secret.size
            secrets[number] = nil
        }
        guard isSearched else {
            otherUsage = usage
            return
        }
        forgotten += searchedUsage.count - usage.count
        searchedUsage = usage
        var kept: Set<Int> = []
        searched.removeAll { secrets[$0.number] == nil || !kept.insert($0.number).inserted }
        table = SecretTable()
        for (_, number) in searched {
            for meaning in secrets[number]?.meanings ?? [] { search(meaning, number) }
        }
    }
}

extension SecretMemory {
    /// Returns a text for a log with the plain marker in place of each secret in the memory.
    package func redacted(_ text: [UInt8]) -> [UInt8] {
        table?.redacted(text) ?? text
    }
}

extension SecretTable {
    /// Returns a text with the plain marker in place of each value.
    package func redacted(_ text: [UInt8]) -> [UInt8] {
        let cuts = cuts(in: text)
        return cuts.isEmpty ? text : cuts.applied(to: text) { _, _ in Array(RedactionMarker.plain.utf8) }
    }
}
