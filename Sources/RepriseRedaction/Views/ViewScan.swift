// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A search for secrets in a text and in the views of it.
struct ViewScan {
    typealias Verdict = SecretNames.Verdict

    /// The maximum number of nested views.
    static let maximumDepth = 8
    /// The number of bytes that are read in views for each byte of the text.
    private static let maximumWork = 24

    let rules: RedactionRules
    /// The secrets found so far, as ranges of the text.
    private(set) var cuts: [Cut] = []
    /// Whether names can also be variables of a program. If so, values need quotes.
    var isScript: Bool
    /// The maps from each open view to the one that contains it.
    private var maps: [OffsetMap] = []
    private var work: Int
    /// The offset of the text in the body.
    private var offset = 0
    private var encoding = TextEncoding.utf8

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
        guard text.count >= 6, spend(text.count) else { return }
        let first = text.firstVisible(from: 0)
        guard first < text.count else { return }
        if lookAtWholeObject(text, at: first) { return }
        let signs = TextSigns(text)
        guard signs.mayNameValues else { return }
        if signs.hasLongToken { lookAtEncodedTokens(text) }
        guard signs.hasSeparator else { return }
        if lookAtForm(text, signs) { return }
        if signs.contains(.lessThan), let start = text.firstTag {
            lookAtMarkup(text)
            if start == first { return }
        }
        if lookAtPartsWithoutType(text, at: first) { return }
        if signs.contains(.bracket) { lookAtObjects(text) }
        lookAtLines(text, signs)
        lookAtEscapes(text, signs)
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
        guard range.count >= 6, open(.part(at: range.lowerBound)) else { return }
        look(at: text.extracting(range))
        close()
    }

    /// Looks for secrets in a part of a text that has escapes. If it has none, it was or will be looked at otherwise.
    private mutating func lookAtEscapes(_ text: Span<UInt8>, _ signs: TextSigns) {
        if signs.contains(.percent) { look(at: text, without: .percent) }
        if signs.contains(.backslash) { look(at: text, without: .backslash) }
        if signs.contains(.ampersand) { look(at: text, without: .references) }
    }

    private mutating func look(at text: Span<UInt8>, without escapes: TextEscapes) {
        guard let decoded = escapes.decoded(text, 0..<text.count) else { return }
        look(inside: decoded)
    }

    /// Looks for secrets in a decoded text, by their shape too.
    mutating func look(inside decoded: DecodedText) {
        guard open(decoded.map) else { return }
        let bytes = decoded.bytes[...]
        findPatterns(bytes.span)
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

    /// Whether a value with this verdict is a secret.
    func isSecret(_ value: Span<UInt8>, _ verdict: Verdict) -> Bool {
        if NamedValue.isSecret(value, isLikely: verdict.isLikely) { return true }
        return verdict.isLikely && EncodedText.isCredentials(value)
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

extension [Cut] {
    /// Joins each cut with the rests that follow it.
    fileprivate func joined() -> [Cut] {
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
