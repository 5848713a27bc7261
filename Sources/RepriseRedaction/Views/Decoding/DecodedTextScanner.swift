// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// A search for secrets in a text and in the views of it.
struct DecodedTextScanner {
    typealias Verdict = SecretNames.Verdict

    /// The maximum number of nested views.
    static let maximumDepth = 8
    /// The number of bytes that are read in views for each byte of the text.
    private static let maximumWork = 24

    /// The minimum number of bytes of a text that can contain a name and a secret.
    private static let minimumLength = 6

    let rules: RedactionRules
    /// The secrets found so far, as ranges of the text.
    private(set) var cuts: [Cut] = []
    /// Whether names can also be variables of a program. If so, values need quotes.
    var isScript: Bool
    /// Whether the text has the name of a connection to a database.
    private(set) var isConnection = false
    /// Whether the text has the name of a secret link.
    private(set) var isLink = false
    /// Whether the name of the text denotes an identifier, see ``IdentifierName``.
    var isIdentifier = false
    /// The maps from each open view to the one that contains it.
    private var maps: [OffsetMap] = []
    private var work: Int
    /// The offset of the text in the body.
    private var offset = 0
    private var encoding = TextEncoding.utf8
    /// A reader that is not in use.
    var spareReader: ObjectReader? = ObjectReader()

    init(_ rules: RedactionRules, size: Int, isScript: Bool = false) {
        self.rules = rules
        self.isScript = isScript
        work = size * Self.maximumWork + 1024
    }

    /// Continues with another text of `size` bytes that starts at `offset` in the body.
    mutating func restart(at offset: Int, size: Int) {
        self.offset = offset
        work = size * Self.maximumWork + 1024
    }

    /// Returns the cuts found since the last call.
    mutating func takeCuts() -> [Cut] {
        if cuts.isEmpty { return [] }
        defer { cuts.removeAll(keepingCapacity: true) }
        return cuts
    }

    // MARK: Views

    /// Looks for secrets in a text of any kind.
    mutating func look(at text: Span<UInt8>) {
        guard text.count >= Self.minimumLength, spend(text.count) else { return }
        let first = text.firstVisible(from: 0)
        guard first < text.count, !lookAtWholeObject(text, at: first) else { return }
        let signs = TextSigns(text)
        if signs.mayHideSecret { look(at: text, from: first, signs) }
    }

    /// Looks for secrets in a text that is not an object as a whole.
    private mutating func look(at text: Span<UInt8>, from first: Int, _ signs: TextSigns) {
        if signs.hasLongToken { lookAtEncodedTokens(text) }
        if lookAtForm(text, signs) { return }
        if signs.contains(.lessThan), let start = text.firstTag {
            lookAtMarkup(text)
            if start == first, !text.startsProgram(at: first) { return }
        }
        if lookAtPartsWithoutType(text, at: first) { return }
        if signs.contains(.bracket) { lookAtObjects(text) }
        lookAtLines(text, signs)
        if signs.contains(.percent) { look(at: text, without: .percent) }
        if signs.contains(.backslash) { look(at: text, without: .backslash) }
        if signs.contains(.ampersand) { look(at: text, without: .references) }
    }

    /// Looks for secrets in a text with wide characters.
    mutating func look(at text: Span<UInt8>, in encoding: TextEncoding) {
        let decoded = encoding.decoded(text)
        let outer = self.encoding
        if maps.isEmpty { self.encoding = encoding }
        look(inside: decoded)
        self.encoding = outer
    }

    /// Looks for secrets in a part of a text.
    mutating func look(at text: Span<UInt8>, inside range: Range<Int>) {
        guard range.count >= Self.minimumLength, open(.part(at: range.lowerBound)) else { return }
        look(at: text.extracting(range))
        close()
    }

    private mutating func look(at text: Span<UInt8>, without escapes: TextEscapes) {
        guard let decoded = escapes.decoded(text, 0..<text.count) else { return }
        look(inside: decoded)
    }

    /// Looks for secrets in a decoded text, by their shape too.
    mutating func look(inside decoded: DecodedText) {
        guard open(decoded.map) else { return }
        let bytes = decoded.bytes[...]
        if decoded.hasEscapedLetters { findPatterns(bytes.span) }
        look(at: bytes.span)
        close()
    }

    /// Looks for secrets in the content of Base64, which is at `range`.
    mutating func look(inside content: [UInt8], spelledBy range: Range<Int>) {
        guard open(.whole(range)) else { return }
        let bytes = content[...]
        if let wide = TextEncoding.wide(bytes.span) {
            look(at: bytes.span, in: wide)
        } else {
            findPatterns(bytes.span)
            look(at: bytes.span)
        }
        close()
    }

    /// Whether the text is part of another text, or was decoded from one.
    var isNested: Bool { !maps.isEmpty }

    /// Opens a view. Returns `false` if too many views are open.
    mutating func open(_ map: OffsetMap) -> Bool {
        guard maps.count < Self.maximumDepth else { return false }
        maps.append(map)
        return true
    }

    /// Closes the last view.
    mutating func close() {
        maps.removeLast()
    }

    /// Returns `false` if the work exceeds its limit.
    mutating func spend(_ count: Int) -> Bool {
        work -= count
        return work >= 0
    }

    // MARK: Values

    /// Returns the verdict on the name of a value.
    func verdict(on name: Span<UInt8>, in field: SecretNames.Fields = .json) -> Verdict? {
        guard name.count <= 256 else { return nil }
        for index in name.indices where name[index] == UInt8(ascii: "\\") {
            let decoded = JSONEscapes.decoded(name)[...]
            return rules.names.verdict(of: decoded.span, in: field)
        }
        return rules.names.verdict(of: name, in: field, mayBeCut: true)
    }

    /// Returns the verdict on a name that can also be that of a header line.
    func verdict(onAny name: Span<UInt8>) -> Verdict? {
        let plain = verdict(on: name)
        guard plain == nil || plain?.isLikely == true else { return plain }
        return verdict(on: name, in: .header) ?? plain
    }

    func isSecret(_ value: Span<UInt8>, _ verdict: Verdict) -> Bool {
        // The credentials can be in another text: `Bearer <b>x</b>`.
        if Self.schemes.contains(where: { value.count == $0.count - 1 && value.hasWord(Array($0.dropLast()), at: 0) }) {
            return false
        }
        if let start = schemeEnd(value) {
            // `Bearer YOUR_TOKEN` is an example.
            let credentials = value.extracting(start..<value.count)
            return NamedValue.isSecret(credentials, verdict.hinting) || EncodedText.isCredentials(credentials)
        }
        if NamedValue.isSecret(value, verdict, isText: true) { return true }
        return verdict.isLikely && EncodedText.isCredentials(value)
    }

    private static let schemes = ["bearer ", "basic ", "token "].map { Array($0.utf8) }

    /// The index after an authentication scheme that is followed by a single word.
    private func schemeEnd(_ value: Span<UInt8>) -> Int? {
        guard let scheme = Self.schemes.first(where: { value.hasWord($0, at: 0) }) else { return nil }
        return value.firstIndex(of: 0x20, in: scheme.count..<value.count) == nil ? scheme.count : nil
    }

    /// Cuts the value at `range` if it is a secret, and looks for secrets in it otherwise.
    ///
    /// - Parameter verdict: The verdict on the value's name, if it implies anything.
    mutating func visit(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        _ verdict: Verdict?,
        escapes: TextEscapes = .none
    ) {
        guard !range.isEmpty else { return }
        if verdict == nil {
            // Most values are plain text.
            guard range.count >= Self.minimumLength, TextSigns(text.extracting(range)).mayHideSecret else { return }
        }
        let outer = (isConnection, isLink)
        (isConnection, isLink) = (verdict?.kind == .connection, verdict?.kind == .link)
        defer { (isConnection, isLink) = outer }
        if escapes != .none, let decoded = escapes.decoded(text, range) {
            guard spend(range.count), !decoded.bytes.isEmpty else { return }
            let bytes = decoded.bytes[...]
            if let verdict, isSecret(bytes.span, verdict) {
                cut(range, verdict)
            } else {
                look(inside: decoded)
            }
        } else if let verdict, isSecret(text.extracting(range), verdict) {
            cut(range, verdict)
        } else {
            look(at: text, inside: range)
        }
    }

    /// Looks for secrets in a value whose name denotes an identifier.
    mutating func visitIdentifier(_ text: Span<UInt8>, _ range: Range<Int>, escapes: TextEscapes) {
        let wasIdentifier = isIdentifier
        isIdentifier = true
        visit(text, range, nil, escapes: escapes)
        isIdentifier = wasIdentifier
    }

    /// Cuts a range of the innermost view.
    mutating func cut(_ range: Range<Int>, _ verdict: Verdict = Verdict()) {
        cut(range, .marker(verdict.marker))
    }

    private mutating func cut(_ range: Range<Int>, _ replacement: Cut.Replacement) {
        guard !range.isEmpty else { return }
        var source = range
        for map in maps.dropFirst().reversed() {
            source = map.source(of: source)
            guard !source.isEmpty else { return }
        }
        var next = replacement
        for part in maps.first?.sources(of: source) ?? [source] where !part.isEmpty {
            cuts.append(
                Cut(range: offset + part.lowerBound..<offset + part.upperBound, replacement: next, encoding: encoding)
            )
            next = .restOfSecret
        }
    }

    /// Cuts everything in a decoded text that has the shape of a secret.
    private mutating func findPatterns(_ text: Span<UInt8>) {
        guard spend(text.count) else { return }
        var found: [Cut] = []
        var scanner = ValueScanner()
        scanner.scan(text, from: 0, isLast: true, patterns: rules.patterns, cuts: &found)
        for secret in found.joined() { cut(secret.range, secret.replacement) }
    }
}

extension SecretNames.Verdict {
    /// The verdict for a value whose connection with the name is less certain: it must also look like a secret.
    var hinting: SecretNames.Verdict {
        switch kind {
        case .sure, .sureUnlessDigit, .group: SecretNames.Verdict(.likely, marker: marker)
        case .likely, .likelyGroup, .likelyCode, .credential, .connection, .link, .long, .code, .cardCode, .card: self
        }
    }
}

extension [Cut] {
    /// Joins each cut with the rests that follow it.
    func joined() -> [Cut] {
        var joined: [Cut] = []
        for cut in self {
            if cut.replacement == .restOfSecret, let last = joined.indices.last {
                joined[last].range = joined[last].range.lowerBound..<cut.range.upperBound
            } else {
                joined.append(cut)
            }
        }
        return joined
    }
}
