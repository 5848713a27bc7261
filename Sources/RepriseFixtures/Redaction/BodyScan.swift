// SPDX-License-Identifier: Apache-2.0

/// Takes the secrets out of the bytes of a body, which are not coded.
struct BodyScan: Sendable {
    private let rules: RedactionRules
    private var pieces = HeldPieces()
    /// What is still to be seen, and ``SecretPattern/lookBehind`` bytes before it.
    private var window: [UInt8] = []
    /// Where the window starts in the body.
    private var base = 0
    private var values = ValueScanner()
    private var fields: FieldScanner
    /// How many secrets were taken out.
    private(set) var count = 0

    init(_ rules: RedactionRules, kind: BodyKind) {
        self.rules = rules
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
        values.scan(slice.span, from: 0, isLast: true, patterns: rules.patterns, cuts: &pieces.cuts)
        try fields.scan(slice.span, from: 0, isLast: true, rules: rules, cuts: &pieces.cuts)
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
        values.scan(slice.span, from: base, isLast: isLast, patterns: rules.patterns, cuts: &pieces.cuts)
        try fields.scan(slice.span, from: base, isLast: isLast, rules: rules, cuts: &pieces.cuts)
        let decided = isLast ? pieces.end : min(values.position, fields.decided)
        let released = pieces.release(upTo: decided, markers: rules.markers)
        count += released.count
        forget(before: min(values.position, fields.needed) - SecretPattern.lookBehind)
        return released.pieces
    }

    /// Drops what no one will look at any more, seldom enough that it costs little where the rest is long.
    private mutating func forget(before index: Int) {
        let done = index - base
        guard done > 0, done * 2 >= window.count else { return }
        window.removeFirst(done)
        base = index
    }
}
