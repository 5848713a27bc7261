// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
internal import RepriseLocking
internal import RepriseText

/// The stand-ins of one cassette: which text replaces which secret.
///
/// The first secret of a recording becomes `[redacted~1]`, the next one `[redacted~2]`, or `[redacted:alice~2]` if its
/// rule has a name. A secret that clients decode gets a text of its shape instead (``StandInShape``). The shape is that
/// of the value, wherever it occurs first, so that a secret has one text in requests and in responses.
///
/// A text that is not listed is not a stand-in. A text in the traffic that looks like a marker therefore stays as it
/// is, and its number is not used. If it is already listed, an entry with the literal text replaces it.
package final class StandIns: Sendable {
    /// The maximum number of secrets with stand-ins of their own. The others are replaced with a marker for any value.
    package static let maximumCount = 16_384
    /// That marker.
    static let overflow = "[redacted:more]"

    fileprivate struct State {
        /// The texts of the secrets, by their number in the memory.
        var texts: [Int: [UInt8]] = [:]
        /// The entries of literal texts.
        var literals: [[UInt8]: [UInt8]] = [:]
        var listed: [StandIn] = []
        /// The texts with a shape that are long enough to be found in a text, and the others.
        var shaped = SecretTable()
        var short: [[UInt8]] = []
        var shapedTexts: Set<[UInt8]> = []
        /// The texts of the existing table by what clients receive for them, if that is something else.
        var received: [[UInt8]: [UInt8]] = [:]
        /// The literal texts of markers.
        var originals: [String: [UInt8]] = [:]
        var known: Set<String> = []
        /// The numbers in texts of the traffic.
        var reserved: Set<Int> = []
        var number = 1
        /// Whether a text in the traffic looks like a marker. In format 1, it would be one.
        var hasLiterals = false
    }

    /// The secrets of the process.
    package let memory: SecretMemory
    private let listsPlain: Bool
    private let keepsListed: Bool
    /// The number of entries of the existing table.
    private let listedCount: Int
    private let state: Locked<State>

    /// Creates the stand-ins of a cassette.
    ///
    /// - Parameters:
    ///   - memory: The secrets of the process.
    ///   - listed: The entries of the existing table. Numbers continue after them.
    ///   - reserved: Further numbers that occur in markers of the existing text.
    ///   - listsPlain: Whether a marker without a number means any value, as in format 1.
    ///   - keepsListed: Whether the redacted text is itself a part of the cassette, so that a listed text is a stand-in
    ///     and not a literal one. The default is `false`.
    package init(
        _ memory: SecretMemory = SecretMemory(),
        listed: [StandIn] = [],
        reserved: Set<Int> = [],
        listsPlain: Bool = false,
        keepsListed: Bool = false
    ) {
        self.memory = memory
        self.listsPlain = listsPlain
        self.keepsListed = keepsListed
        listedCount = listed.count
        var state = State()
        for standIn in listed {
            state.list(standIn)
            let text = Array(standIn.text.utf8)
            if standIn.shape != nil, standIn.received != text { state.received[standIn.received] = text }
        }
        state.reserved.formUnion(reserved)
        // Not after the highest number, because a text in the traffic can have the highest possible one.
        state.number = listed.count + 1
        self.state = Locked(state)
    }

    /// The table so far, with the entries of the existing one.
    package var listed: [StandIn] { state.withLock { $0.listed } }

    /// The number of entries of ``listed``.
    package var count: Int { state.withLock { $0.listed.count } }

    /// The entries that the existing table lacks.
    package var added: [StandIn] { Array(listed.dropFirst(listedCount)) }

    /// Returns the entries after the first `count` ones.
    package func listed(after count: Int) -> ArraySlice<StandIn> {
        state.withLock { $0.listed.dropFirst(count) }
    }

    /// Whether the cassette needs a table, even an empty one.
    package var needsTable: Bool { state.withLock { $0.listed.count > listedCount || $0.hasLiterals } }

    /// Lists entries of an interrupted recording.
    package func list(_ standIns: [StandIn]) {
        state.withLock { state in
            for standIn in standIns { state.list(standIn) }
            state.number = max(state.number, state.listed.count + 1)
        }
    }

    /// Reserves numbers that occur in the text of an interrupted recording.
    package func reserve(_ numbers: Set<Int>) {
        state.withLock { $0.reserved.formUnion(numbers) }
    }

    // MARK: Replacing

    /// Returns the text that replaces a secret, or `nil` if the value is a stand-in already.
    ///
    /// - Parameters:
    ///   - value: The value in any spelling. If it is credentials with a scheme, the scheme is kept.
    ///   - name: The name of the rule that found it.
    ///   - isSearched: Whether the value is looked for elsewhere.
    func text(for value: [UInt8], name: String?, isSearched: Bool = true) -> [UInt8]? {
        if let wide = WideText(value) {
            return text(for: wide.bytes, name: name, isSearched: isSearched).map { wide.encoded($0) }
        }
        guard let scheme = SchemeCredentials(value) else {
            return text(ofPlain: value, name: name, isSearched: isSearched)
        }
        let credentials = Array(value[scheme.start...])
        if RedactionMarker.end(at: 0, in: credentials.span) == credentials.count {
            return text(forLiteral: credentials).map { value[..<scheme.start] + $0 }
        }
        guard scheme.isBasic, credentials.count < SecretMemory.maximumLength else {
            return text(ofPlain: credentials, name: name, isSearched: isSearched).map { value[..<scheme.start] + $0 }
        }
        let secret = memory.remember(basic: credentials, name: name)
        // Only the server decodes Basic credentials, so they need no shape.
        return value[..<scheme.start] + text(ofSecret: secret, name, shapedLike: nil)
    }

    /// Returns the text that replaces the secret with this number in the memory.
    ///
    /// - Parameter spelling: The spelling in which it was found.
    func text(ofSecret number: Int, spelled spelling: [UInt8]) -> [UInt8]? {
        if let wide = WideText(spelling) { return text(ofSecret: number, spelled: wide.bytes).map { wide.encoded($0) } }
        let secret = memory.secret(number)
        return text(ofSecret: number, secret?.name, shapedLike: secret?.meanings.last)
    }

    private func text(ofPlain value: [UInt8], name: String?, isSearched: Bool) -> [UInt8]? {
        if isKept(value) { return nil }
        // A client that replays the cassette sends what it received from it.
        if let text = state.withLock({ $0.received[value] }) { return text }
        let identity = SecretMemory.identity(of: value)
        let secret = memory.remember(identity.bytes, name: name, isSearched: isSearched && identity.isWhole)
        return text(ofSecret: secret, name, shapedLike: SecretSpellings.meanings(of: value).last)
    }

    /// Whether the value is the text of a stand-in: a client received it, or the cassette is redacted again.
    func isKept(_ value: [UInt8]) -> Bool {
        state.withLock { $0.shapedTexts.contains(value) }
    }

    private func text(ofSecret secret: Int, _ name: String?, shapedLike value: [UInt8]?) -> [UInt8] {
        state.withLock { state in
            if let text = state.texts[secret] { return text }
            guard state.texts.count < Self.maximumCount else {
                let standIn = state.sharedStandIn(shapedLike: value)
                state.list(standIn)
                return Array(standIn.text.utf8)
            }
            let standIn = state.standIn(named: name, shapedLike: value)
            state.list(standIn)
            let text = Array(standIn.text.utf8)
            state.texts[secret] = text
            return text
        }
    }

    /// Returns a text with the plain marker in place of each stand-in, and with its literal texts.
    func neutral(_ text: [UInt8]) -> [UInt8] {
        let (shaped, short, known, originals) = state.withLock { ($0.shaped, $0.short, $0.known, $0.originals) }
        var cuts = shaped.isEmpty ? [] : shaped.cuts(in: text)
        if !short.isEmpty {
            let numbers = text.indices.split { !isDigit(text[$0]) }.filter { number in
                short.contains { $0.elementsEqual(text[number.startIndex..<number.endIndex]) }
            }
            cuts += numbers.map { Cut(range: $0.startIndex..<$0.endIndex, replacement: .remembered(0)) }
        }
        let markers = RedactionMarker.ranges(in: text.span).filter { known.contains(RedactionMarker.text(text[$0])) }
        cuts += markers.map { Cut(range: $0, replacement: .marker(0)) }
        cuts.normalize()
        return cuts.applied(to: text) { value, _ in
            let marker = RedactionMarker.text(value[...])
            return originals[marker] ?? Self.withoutNumber(marker)
        }
    }

    /// Returns the marker without its number. For a text with a shape, returns the plain marker.
    private static func withoutNumber(_ marker: String) -> [UInt8] {
        guard RedactionMarker.isMarker(marker) else { return Array(RedactionMarker.plain.utf8) }
        guard let tilde = marker.utf8.lastIndex(of: UInt8(ascii: "~")) else { return Array(marker.utf8) }
        return Array(marker.utf8[..<tilde]) + [UInt8(ascii: "]")]
    }

    // MARK: Literal texts

    /// Returns the marker that replaces a text in the traffic that looks like a marker, or `nil` if the text can stay.
    func text(forLiteral spelling: [UInt8]) -> [UInt8]? {
        let marker = RedactionMarker.text(spelling[...])
        // A part of a marker, which continues in another record, is not a marker.
        guard RedactionMarker.isMarker(marker) else { return nil }
        let number = RedactionMarker.number(of: marker)
        return state.withLock { state -> [UInt8]? in
            let isListed = state.known.contains(marker) || marker == Self.overflow || (number == nil && listsPlain)
            if isListed && keepsListed { return nil }
            state.hasLiterals = true
            guard isListed else {
                if let number { state.reserved.insert(number) }
                return nil
            }
            if let known = state.literals[spelling] { return known }
            let literal = String(decoding: spelling, as: UTF8.self)
            guard state.literals.count < Self.maximumCount else { return Array(Self.overflow.utf8) }
            let standIn = StandIn(RedactionMarker.numbered(state.nextNumber()), literal: literal)
            state.list(standIn)
            let text = Array(standIn.text.utf8)
            state.literals[spelling] = text
            return text
        }
    }
}

extension StandIns.State {
    /// Lists an entry, unless its text is listed already.
    fileprivate mutating func list(_ standIn: StandIn) {
        guard known.insert(standIn.text).inserted else { return }
        listed.append(standIn)
        if standIn.shape != nil {
            let text = Array(standIn.text.utf8)
            shapedTexts.insert(text)
            if text.count < SecretTable.minimumLength { short.append(text) } else { shaped.insert(text, secret: 0) }
        }
        if let literal = standIn.literal { originals[standIn.text] = Array(literal.utf8) }
        if let number = RedactionMarker.number(of: standIn.text) { reserved.insert(number) }
    }

    fileprivate mutating func nextNumber() -> Int {
        while reserved.contains(number) { number += 1 }
        defer { number += 1 }
        return number
    }

    /// Returns a new stand-in. A shaped one uses up a number too, so that its text is unique.
    fileprivate mutating func standIn(named name: String?, shapedLike value: [UInt8]?) -> StandIn {
        var number = nextNumber()
        guard let value, let shape = StandInShape.of(value) else {
            return StandIn(RedactionMarker.numbered(number, name: name))
        }
        if shape == .digits { return StandIn(digits(like: value, from: number), shape: shape) }
        // The number of an existing text is not known.
        for _ in 0...listed.count {
            guard let bytes = StandInShape.text(shape, like: value, number: number), bytes != value else { break }
            let text = String(decoding: bytes, as: UTF8.self)
            if !known.contains(text) { return StandIn(text, shape: shape) }
            number = nextNumber()
        }
        return StandIn(RedactionMarker.numbered(number, name: name))
    }

    /// Returns digits for a secret. A marker would not be a valid number in JSON, so secrets share a text if there are
    /// none left.
    private func digits(like value: [UInt8], from number: Int) -> String {
        for number in number..<number + 64 {
            let text = String(decoding: StandInDigits.text(value.count, number: number), as: UTF8.self)
            if !known.contains(text), StandIn(text, shape: .digits).received != value { return text }
        }
        return sharedDigits(like: value)
    }

    /// Returns the stand-in for the secrets beyond ``StandIns/maximumCount``.
    fileprivate func sharedStandIn(shapedLike value: [UInt8]?) -> StandIn {
        guard let value, StandInShape.of(value) == .digits else { return StandIn(StandIns.overflow) }
        return StandIn(sharedDigits(like: value), shape: .digits)
    }

    /// Returns the digits that all secrets of this length share that have no text of their own.
    private func sharedDigits(like value: [UInt8]) -> String {
        let texts = (0...1).map { String(decoding: StandInDigits.text(value.count, number: $0), as: UTF8.self) }
        return texts.first { StandIn($0, shape: .digits).received != value } ?? texts[0]
    }
}
