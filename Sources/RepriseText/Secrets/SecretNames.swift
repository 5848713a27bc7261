// SPDX-License-Identifier: Apache-2.0

/// The names of fields that contain secrets. Recordings, logs, and curl commands share this list.
///
/// ```swift
/// SecretNames.shown.isSecret("X-Api-Key", in: .header)  // true
/// ```
///
/// Whole names are compared as words, see ``NameWords``. A check of the last letters rules out most keys of a body
/// quickly.
package struct SecretNames: Sendable {
    /// The kinds of fields in which a name is secret.
    package struct Fields: OptionSet, Sendable, Hashable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Header and trailer lines.
        package static let header = Fields(rawValue: 1)
        /// The query and fragment of a URL.
        package static let query = Fields(rawValue: 2)
        /// Form fields, including those of a multipart body.
        package static let form = Fields(rawValue: 4)
        /// Members of JSON objects.
        package static let json = Fields(rawValue: 8)
        /// All kinds of fields.
        package static let all: Fields = [.header, .query, .form, .json]
    }

    /// What a name implies about its value.
    package struct Verdict: Sendable, Hashable {
        /// The condition on the value.
        package enum Kind: Sendable, Hashable {
            /// The value is secret, whatever it is.
            case sure
            /// The value is secret unless it is a single digit, a JSON number, or, outside header lines, a result
            /// (``ResultWord``), because the name can also be that of a count or a result: `pass=1`, `pass=fail`.
            case sureUnlessDigit
            /// The value is secret if it looks random. For example, a `token` in the output of a language model is
            /// just a piece of text.
            case likely
            /// Like ``likely``, also for the strings in an object or array.
            case likelyGroup
            /// The value is secret unless it consists of words, numbers, or a well-known structure and has no form of a
            /// password, because the name is that of a header field of one vendor: `X-ClickHouse-Key`.
            case credential
            /// The value is secret if it is a code for people, such as `482913` or `WDJB-MJHT`.
            case code
            /// The value is secret if it has six to eight digits or looks random, such as the `code` of a form.
            case likelyCode
            /// The value is secret if it looks random. In a value that describes a connection to a database, the
            /// password is secret: `user/password@host`.
            case connection
            /// If the value is an absolute URL, its random parts are secret, because the link works without other
            /// credentials: `"resetLink":"https://…"`. Any other value is secret if it looks random.
            case link
            /// The value is secret if it is the number of a payment card.
            case card
            /// The value is secret if it looks random, has at least this many characters, and is not a UUID. A `mac` can
            /// be a message authentication code or the address of a device, and a `primaryKey` can be a key of Azure or
            /// the identifier of a record.
            case long(Int)
            /// The value is secret if it has three or four digits. A `cardCode` can also be the number of a customer.
            case cardCode
            /// A string is secret. In an object or array, strings are secret if they look random.
            case group
        }

        /// The condition on the value.
        package var kind: Kind
        /// The number of the marker that replaces the value. The markers are defined by the redaction.
        package var marker: Int

        /// Whether the value must also look like a secret.
        package var isLikely: Bool {
            switch kind {
            case .likely, .likelyGroup, .likelyCode, .credential, .connection, .link, .long, .card: true
            case .sure, .sureUnlessDigit, .code, .cardCode, .group: false
            }
        }

        /// Creates a verdict with a condition on the value.
        package init(_ kind: Kind, marker: Int = 0) {
            self.kind = kind
            self.marker = marker
        }

        /// Creates a verdict. Unless `isLikely` is true, the name is secret regardless of its value.
        package init(isLikely: Bool = false, marker: Int = 0) {
            self.init(isLikely ? .likely : .sure, marker: marker)
        }
    }

    private struct Entry {
        var fields: Fields
        /// The verdict, or `nil` if the name is on the allow-list.
        var verdict: Verdict?
        /// Whether other words may precede the name.
        var isEnding: Bool
    }

    /// The entries by their letters, the most recently added first.
    private var entries: [[UInt8]: [Entry]] = [:]
    /// One bit for each hash, which is set if any name ends in letters with that hash. The names set few of the bits,
    /// because each wrong answer costs a look at the whole name.
    private var endings = [UInt8](repeating: 0, count: 1 << 13)

    /// The words that make a name secret wherever they occur in it.
    var words: Set<[UInt8]> = []
    /// Letters that make a name secret if it ends in them, even within a word: `dbpassword`.
    private struct Tail {
        var letters: [UInt8]
        var fields: Fields
        var verdict: Verdict
        /// Whether the letters must follow others in their word.
        var isPartOfWord: Bool
    }

    private var tails: [Tail] = []

    /// Creates an empty list.
    package init() {}

    /// Adds a name. A `verdict` of `nil` marks the name as harmless.
    package mutating func add(_ name: String, in fields: Fields, _ verdict: Verdict?, isEnding: Bool = false) {
        let utf8 = Array(name.utf8)[...]
        let letters = NameWords(utf8.span).letters
        guard !letters.isEmpty else { return }
        entries[letters, default: []].insert(Entry(fields: fields, verdict: verdict, isEnding: isEnding), at: 0)
        addEnding(of: letters)
    }

    /// Whether the rules of a user say nothing about a name with exactly these words.
    package func isStandard(_ name: String) -> Bool {
        let utf8 = Array(name.utf8)[...]
        let letters = NameWords(utf8.span).letters
        return entries[letters]?.count == Self.standard.entries[letters]?.count
    }

    /// Makes names secret that end in these letters, even within a word.
    ///
    /// - Parameter isPartOfWord: Whether the letters must follow others in their word. The default is `false`.
    mutating func add(
        tail: String,
        in fields: Fields = .all,
        _ verdict: Verdict = Verdict(),
        isPartOfWord: Bool = false
    ) {
        let letters = Array(tail.utf8)
        tails.append(Tail(letters: letters, fields: fields, verdict: verdict, isPartOfWord: isPartOfWord))
        addEnding(of: letters)
    }

    /// Whether the value of a `field` with this name is or could be a secret.
    package func isSecret(_ name: some StringProtocol, in field: Fields) -> Bool {
        let utf8 = Array(name.utf8)[...]
        return verdict(of: utf8.span, in: field) != nil || hasWord(utf8.span)
    }

    /// Whether to hide the `value` of a `field` with this name. Values of names that are certainly secret are always
    /// hidden. Values of ambiguous names, such as `code`, are hidden if they could be a secret.
    package func hides(_ value: Span<UInt8>, of name: some StringProtocol, in field: Fields) -> Bool {
        let utf8 = Array(name.utf8)[...]
        if hasWord(utf8.span) { return true }
        switch verdict(of: utf8.span, in: field)?.kind {
        case .sure, .sureUnlessDigit, .group: return true
        case .likely, .likelyGroup, .likelyCode, .credential, .connection, .link, .long:
            // The code of an error is long too, but it consists of words: `rate_limit_exceeded`.
            let isCode = NameWords(utf8.span).letters.suffix(4).elementsEqual("code".utf8)
            return isCode ? RandomValue.looksRandom(value) : SecretValue.isLikely(value)
        case .code: return CodeValue.isCode(value)
        case .cardCode: return CodeValue.isCardCode(value)
        case .card: return CodeValue.isCard(value)
        case nil: return false
        }
    }

    /// Whether to hide a whole object or array in a `field` with this name.
    package func hidesContents(of name: some StringProtocol, in field: Fields) -> Bool {
        let utf8 = Array(name.utf8)[...]
        if hasWord(utf8.span) { return true }
        switch verdict(of: utf8.span, in: field)?.kind {
        case .sure, .sureUnlessDigit, .code, .group, .likelyGroup, .likelyCode: return true
        case .likely, .credential, .connection, .link, .long, .cardCode, .card, nil: return false
        }
    }

    /// Whether one of the name's words is in ``words``.
    private func hasWord(_ name: Span<UInt8>) -> Bool {
        guard !words.isEmpty else { return false }
        let name = NameWords(name)
        return name.starts.indices.contains { index in
            let end = index + 1 < name.starts.count ? name.starts[index + 1] : name.letters.count
            return words.contains(Array(name.letters[name.starts[index]..<end]))
        }
    }

    /// Returns what the name of a `field` implies about its value.
    ///
    /// - Parameter mayBeCut: Whether the name may begin inside a marker, as with names found in running text.
    /// - Returns: The verdict, or `nil` if the value can be kept.
    package func verdict(of name: Span<UInt8>, in field: Fields, mayBeCut: Bool = false) -> Verdict? {
        guard case .some(.some(let found)) = lookUp(name, in: field), !Self.isMarker(name, mayBeCut: mayBeCut) else {
            return nil
        }
        return found
    }

    /// Whether the name of a `field` is on the allow-list.
    package func allows(_ name: Span<UInt8>, in field: Fields) -> Bool {
        if case .some(.none) = lookUp(name, in: field) { true } else { false }
    }

    /// What a name says about a value in an object whose own name suggests a secret.
    package enum Role: Sendable, Hashable {
        /// The value can be the secret.
        case value
        /// The value is `id`: one half of a pair of credentials, or the public identifier of a session.
        case identifier
        /// The value describes the secret: `type`, `createdAt`.
        case descriptive
        /// The name is `default`. The value is the secret itself, or a default that a schema specifies.
        case fallback
        /// The name is on the allow-list.
        case allowed
    }

    /// Returns what the name of a `field` says about a value in an object whose own name suggests a secret.
    package func role(of name: Span<UInt8>, in field: Fields) -> Role {
        if allows(name, in: field) { return .allowed }
        let words = NameWords(name)
        guard let start = words.starts.last else { return .value }
        if words.letters.elementsEqual("id".utf8) { return .identifier }
        if words.letters.elementsEqual("default".utf8) { return .fallback }
        return Self.descriptiveWords.contains(Array(words.letters[start...])) ? .descriptive : .value
    }

    /// Returns the verdict of the first entry for the name, which is `.some(nil)` for an allowed name, or `nil` if
    /// there is no entry.
    private func lookUp(_ name: Span<UInt8>, in field: Fields) -> Verdict?? {
        guard mayContain(name) else { return nil }
        let words = NameWords(name)
        for (number, start) in words.starts.enumerated() {
            let isWhole = number == 0 || (number == 1 && words.letters[..<start].elementsEqual("x".utf8))
            guard let found = entries[Array(words.letters[start...])] else { continue }
            if let entry = found.first(where: { $0.fields.contains(field) && (isWhole || $0.isEnding) }) {
                guard let verdict = entry.verdict, verdict.kind == .likely, field == .header, words.namesVendor,
                    Self.vendorEndings.contains(Array(words.letters[start...]))
                else { return .some(entry.verdict) }
                return .some(Verdict(.credential, marker: verdict.marker))
            }
        }
        guard let last = words.starts.last else { return nil }
        for tail in tails
        where tail.fields.contains(field) && words.letters.reversed().starts(with: tail.letters.reversed()) {
            if tail.isPartOfWord, words.letters.count - last <= tail.letters.count { continue }
            return .some(tail.verdict)
        }
        return nil
    }

    /// Whether the name contains a marker or is the end of one. For example, `[redacted:alice]` is not a name that
    /// ends in `alice`.
    private static func isMarker(_ name: Span<UInt8>, mayBeCut: Bool) -> Bool {
        if RedactionMarker.occurs(in: name) { return true }
        guard mayBeCut, name[name.count - 1] == UInt8(ascii: "]") else { return false }
        for index in name.indices where name[index] == UInt8(ascii: "[") { return false }
        return true
    }

    /// Whether the whole name must be checked, because a listed name ends in the same letters.
    @inline(__always)
    package func mayContain(_ name: Span<UInt8>) -> Bool {
        var ending = Ending()
        var index = name.count
        while index > 0 {
            index &-= 1
            let byte = name[index]
            let letter = (byte | 0x20) &- 0x61
            if letter < 26 {
                ending.add(letter)
                let hash = ending.hash
                if endings[hash >> 3] >> UInt8(truncatingIfNeeded: hash & 7) & 1 != 0 { return true }
                if ending.count == Ending.maximumCount { return false }
            } else if byte >= 0x80 {
                return true
            }
        }
        return false
    }

    private mutating func addEnding(of letters: [UInt8]) {
        let last = letters.suffix(Ending.maximumCount)
        // The whole name is checked whenever one of its last letters is not ASCII.
        guard last.allSatisfy({ $0 < 0x80 }) else { return }
        var ending = Ending()
        for letter in last.reversed() { ending.add(letter - 0x61) }
        endings[ending.hash >> 3] |= 1 << UInt8(ending.hash & 7)
    }

    /// The last letters of a name, in reverse order.
    private struct Ending {
        static let maximumCount = 6
        private var letters: UInt32 = 0
        private(set) var count: UInt32 = 0

        @inline(__always)
        mutating func add(_ letter: UInt8) {
            letters = letters &* 26 &+ UInt32(letter)
            count &+= 1
        }

        @inline(__always)
        var hash: Int { Int(((letters &+ count) &* 0x9E37_79B1) >> 16) }
    }
}
