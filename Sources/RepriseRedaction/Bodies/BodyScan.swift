// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Redacts the secrets in the decoded bytes of a body.
///
/// A body within ``DecodedViews/budget`` is held and scanned as a whole at its end. A larger one is scanned as it
/// arrives, without decoded views. In a body of records, each record is a whole.
struct BodyScan: Sendable {
    private let rules: RedactionRules
    private let replacement: SecretReplacement
    private var pieces = HeldPieces()
    /// The bytes that are not scanned yet, after ``PairScanner/lookBehind`` bytes of context.
    private var window: [UInt8] = []
    /// The offset of the window in the body.
    private var base = 0
    private var values = ValueScanner()
    private var fields: FieldScanner
    /// The scanner for pairs; `nil` for images and other types without text, and for a body of records.
    private var pairs: PairScanner?
    private var context: PairScanner.Context
    private var repeats: RepeatScanner?
    private let kind: BodyKind
    private let path: PathNames
    /// The search for values that are new in each request; `nil` for a response.
    private let request: RequestValues?
    /// The declared encoding, if it has wide characters. Such a body can only be scanned as a whole.
    private let encoding: TextEncoding?
    /// Whether the body is held, because it can be scanned as a whole.
    private var isHeld: Bool
    /// The events that need no scan, in an event stream.
    private var plain: PlainEvents?
    private var records: RecordViews?
    /// The offsets before which the records are decided, and from which they are needed again.
    private var (recordsDecided, recordsNeeded) = (Int.max, Int.max)
    /// Whether the body, or a record of it, was too large for decoded views.
    private var isOverBudget = false
    /// The number of secrets redacted so far.
    private(set) var count = 0

    /// - Parameters:
    ///   - path: What the path of the URL says about the values.
    ///   - request: The search for values that are new in each request; `nil` for a response.
    ///   - isScript: Whether the body is a script, or a page that can contain scripts.
    ///   - hasText: Whether the body can contain text, according to its type.
    ///   - encoding: The declared encoding, if it has wide characters.
    init(
        _ redaction: Redaction,
        path: PathNames = [],
        request: RequestValues? = nil,
        kind: BodyKind,
        isScript: Bool = false,
        hasText: Bool = true,
        encoding: TextEncoding? = nil
    ) {
        rules = redaction.rules.rules(at: path)
        self.kind = kind
        self.path = path
        self.request = request
        replacement = redaction.replacement
        // The body is also searched for the secrets that were redacted earlier.
        repeats = replacement.standIns.map { RepeatScanner($0.memory) }
        self.encoding = encoding
        let hasRecords = encoding == nil && (kind == .eventStream || kind == .jsonLines)
        if hasText, !hasRecords { pairs = PairScanner() }
        context = PairScanner.Context(isScript: isScript, hasRecords: hasRecords)
        fields = FieldScanner(kind, rules)
        isHeld = hasText && !hasRecords
        if hasRecords { records = RecordViews(rules, isEventStream: kind == .eventStream) }
        if hasRecords, kind == .eventStream, redaction.skipsPlainEvents { plain = PlainEvents() }
    }

    /// The offsets and first bytes of the redacted secrets, for ``Redaction/findings(in:)``. They are collected only on
    /// request.
    var secrets: [(offset: Int, bytes: [UInt8])]? {
        get { pieces.secrets }
        set { pieces.secrets = newValue }
    }

    /// Whether a part of the body was too large for decoded views.
    var hasPlainPart: Bool { isOverBudget || records?.isOverBudget == true }

    /// Appends the next piece and returns the pieces whose redaction is now decided.
    mutating func append(_ piece: [UInt8]) throws(BodyRedactor.Unscannable) -> [[UInt8]] {
        pieces.append(piece)
        window += piece
        guard try !holds(window.count) else { return [] }
        return try scan(isLast: false)
    }

    /// Whether the body is still held, with `size` bytes so far.
    private mutating func holds(_ size: Int) throws(BodyRedactor.Unscannable) -> Bool {
        guard isHeld, size > DecodedViews.budget else { return isHeld }
        guard encoding == nil else {
            throw BodyRedactor.Unscannable(
                "expected at most \(DecodedViews.budget >> 10) KiB in an encoding that is not compatible with UTF-8, "
                    + "found more"
            )
        }
        isHeld = false
        isOverBudget = true
        return false
    }

    /// Ends the body and returns the remaining pieces.
    mutating func finish() throws(BodyRedactor.Unscannable) -> [[UInt8]] {
        try scan(isLast: true)
    }

    private mutating func scan(isLast: Bool) throws(BodyRedactor.Unscannable) -> [[UInt8]] {
        let slice = window[...]
        try findSecrets(slice.span, isLast: isLast)
        let paired = pairs?.position ?? .max
        let found = isLast ? pieces.end : min(values.position, fields.decided, paired, recordsDecided)
        pieces.remember(upTo: found, isLast: isLast, replacement)
        repeats?.scan(slice.span, from: base, isLast: isLast, cuts: &pieces.cuts)
        findEscapedRepeats(in: slice.span)
        let repeated = repeats?.position ?? .max
        let released = pieces.release(upTo: min(found, repeated), isLast: isLast, replacement)
        count += released.count
        forget(
            before: min(
                min(values.position, fields.needed, repeated) - SecretPattern.lookBehind,
                paired - PairScanner.lookBehind,
                recordsNeeded
            )
        )
        return released.pieces
    }

    /// Finds the secrets in `bytes`, which start at the window's base.
    private mutating func findSecrets(_ bytes: Span<UInt8>, isLast: Bool) throws(BodyRedactor.Unscannable) {
        plain?.find(in: bytes, from: base, rules: rules)
        if !isHeld || !TextEncoding.isSurelyWide(bytes) { try findPlainSecrets(bytes, isLast: isLast) }
        if isHeld {
            findViews(bytes)
            findRequestValues(bytes)
            keepMarkers(bytes)
        }
        if records != nil {
            records?.scan(
                bytes,
                from: base,
                isLast: isLast,
                skipping: plain?.ranges ?? [],
                names: rules.names,
                cuts: &pieces.cuts
            )
            (recordsDecided, recordsNeeded) = (records?.decided ?? .max, records?.needed ?? .max)
        }
    }

    /// Finds known values in which some characters are escaped, in a whole body or in the whole records of a stream.
    private mutating func findEscapedRepeats(in bytes: Span<UInt8>) {
        guard let repeats else { return }
        if isHeld { pieces.cuts += repeats.cuts(inEscapes: bytes) }
        for record in records?.records ?? [] {
            let start = record.lowerBound - base
            for cut in repeats.cuts(inEscapes: bytes.extracting(start..<start + record.count)) {
                let range = record.lowerBound + cut.range.lowerBound..<record.lowerBound + cut.range.upperBound
                pieces.cuts.append(Cut(range: range, replacement: cut.replacement))
            }
        }
    }

    /// Finds the secrets that are not encoded.
    private mutating func findPlainSecrets(_ bytes: Span<UInt8>, isLast: Bool) throws(BodyRedactor.Unscannable) {
        let known = pieces.cuts.count
        values.scan(
            bytes,
            from: base,
            isLast: isLast,
            skipping: plain?.ranges ?? [],
            patterns: rules.patterns,
            cuts: &pieces.cuts
        )
        if context.hasRecords { pieces.cuts.keepLineEnds(behind: known, bytes, from: base) }
        try fields.scan(bytes, from: base, isLast: isLast, skipping: plain, rules: rules, cuts: &pieces.cuts)
        context.isJSON = fields.isJSON
        pairs?.scan(bytes, from: base, isLast: isLast, context: context, names: rules.names, cuts: &pieces.cuts)
    }

    /// Finds the secrets in the views of a whole body.
    private mutating func findViews(_ bytes: Span<UInt8>) {
        pieces.cuts += SignatureCompanions.cuts(in: bytes, isJSON: fields.isJSON, kind, rules.names)
        if let secret = path.secret(in: bytes) { pieces.cuts.append(Cut(range: secret, replacement: .marker(0))) }
        // The scanner for JSON has found everything in most bodies.
        if fields.isJSON, HarmlessJSONCheck.isPlain(bytes, rules.names) { return }
        pieces.cuts += DecodedViews.cuts(
            in: bytes,
            kind: kind,
            rules: rules,
            isScript: context.isScript,
            declared: encoding
        )
    }

    /// Finds the values of a whole request that are new in each request.
    private mutating func findRequestValues(_ bytes: Span<UInt8>) {
        guard let request else { return }
        let secrets = pieces.cuts.filter { $0.replacement != .literal }.map(\.range)
        pieces.cuts += request.cuts(in: bytes, isJSON: fields.isJSON, kind, beside: secrets, rules.names)
    }

    /// Keeps the markers in a body that is read both as UTF-8 and with wide characters, because its encoding is
    /// uncertain. A marker in one encoding does not look like a marker in the other one, so it would be redacted again
    /// each time.
    private mutating func keepMarkers(_ bytes: Span<UInt8>) {
        guard !pieces.cuts.isEmpty, let wide = TextEncoding.wide(bytes) ?? encoding,
            !TextEncoding.isSurelyWide(bytes)
        else { return }
        let markers = (RedactionMarker.ranges(in: bytes) + wide.markers(in: bytes)).sorted {
            $0.lowerBound < $1.lowerBound
        }
        pieces.cuts.subtract(markers)
    }

    /// Drops bytes that are no longer needed. This is done rarely, because moving many remaining bytes is expensive.
    private mutating func forget(before index: Int) {
        let done = index - base
        guard done > 0, done * 2 >= window.count else { return }
        window.removeFirst(done)
        base = index
    }
}
