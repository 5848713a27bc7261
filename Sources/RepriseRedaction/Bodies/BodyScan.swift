// SPDX-License-Identifier: Apache-2.0

/// Takes the secrets out of the bytes of a body, which are not coded.
struct BodyScan: Sendable {
    private let rules: RedactionRules
    private var pieces = HeldPieces()
    /// What is still to be seen, and ``PairScanner/lookBehind`` bytes before it.
    private var window: [UInt8] = []
    /// Where the window starts in the body.
    private var base = 0
    private var values = ValueScanner()
    private var fields: FieldScanner
    /// For all but pictures and the like, in which there is no text.
    private var pairs: PairScanner?
    private var context: PairScanner.Context
    private var repeats: RepeatScanner?
    /// How many secrets were taken out.
    private(set) var count = 0

    /// - Parameters:
    ///   - isScript: whether it is a program, or a page that holds some.
    ///   - hasText: whether there is text in it, as far as its type says.
    ///   - removed: what was taken out before, to be taken out here, too, and added to.
    init(
        _ rules: RedactionRules,
        kind: BodyKind,
        isScript: Bool = false,
        hasText: Bool = true,
        removed: RemovedValues? = nil
    ) {
        self.rules = rules
        repeats = removed.map { RepeatScanner($0) }
        if hasText { pairs = PairScanner() }
        context = PairScanner.Context(isScript: isScript, hasRecords: kind == .eventStream || kind == .jsonLines)
        fields = FieldScanner(kind, rules)
    }

    /// The first bytes of what was taken out, for ``Redaction/findings(in:)``; kept only on asking.
    var secrets: [[UInt8]]? {
        get { pieces.secrets }
        set { pieces.secrets = newValue }
    }

    /// Takes the next piece, and returns those that are decided now.
    mutating func append(_ piece: [UInt8]) throws(BodyRedactor.Unscannable) -> [[UInt8]] {
        pieces.append(piece)
        window += piece
        return try scan(isLast: false)
    }

    /// Takes a body that has come in one piece, and returns it without secrets. Most have none, and are not copied.
    mutating func finish(with whole: [UInt8]) throws(BodyRedactor.Unscannable) -> [[UInt8]] {
        let slice = whole[...]
        try look(slice.span, isLast: true)
        guard !pieces.cuts.isEmpty else { return [whole] }
        pieces.append(whole)
        let released = pieces.release(upTo: pieces.end, markers: rules.markers)
        count += released.count
        return released.pieces
    }

    /// Ends the body, and returns the rest.
    mutating func finish() throws(BodyRedactor.Unscannable) -> [[UInt8]] {
        try scan(isLast: true)
    }

    private mutating func scan(isLast: Bool) throws(BodyRedactor.Unscannable) -> [[UInt8]] {
        let slice = window[...]
        try look(slice.span, isLast: isLast)
        let (paired, repeated) = (pairs?.position ?? .max, repeats?.position ?? .max)
        let decided = isLast ? pieces.end : min(values.position, fields.decided, paired, repeated)
        let released = pieces.release(upTo: decided, markers: rules.markers)
        count += released.count
        forget(
            before: min(
                min(values.position, fields.needed) - SecretPattern.lookBehind,
                paired - PairScanner.lookBehind,
                repeated
            )
        )
        return released.pieces
    }

    /// Finds the secrets in `bytes`, which start at the window's base.
    private mutating func look(_ bytes: Span<UInt8>, isLast: Bool) throws(BodyRedactor.Unscannable) {
        let known = pieces.cuts.count
        values.scan(bytes, from: base, isLast: isLast, patterns: rules.patterns, cuts: &pieces.cuts)
        if context.hasRecords { pieces.cuts.keepLineEnds(behind: known, bytes, from: base) }
        try fields.scan(bytes, from: base, isLast: isLast, rules: rules, cuts: &pieces.cuts)
        context.isJSON = fields.isJSON
        pairs?.scan(bytes, from: base, isLast: isLast, context: context, names: rules.names, cuts: &pieces.cuts)
        repeats?.scan(bytes, from: base, isLast: isLast, behind: known, cuts: &pieces.cuts)
    }

    /// Drops what no one will look at any more, seldom enough that it costs little where the rest is long.
    private mutating func forget(before index: Int) {
        let done = index - base
        guard done > 0, done * 2 >= window.count else { return }
        window.removeFirst(done)
        base = index
    }
}
