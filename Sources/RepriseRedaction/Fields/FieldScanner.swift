// SPDX-License-Identifier: Apache-2.0

/// Finds values whose names suggest a secret in a body of any format.
struct FieldScanner: Sendable {
    private var kind: BodyKind
    private var json: JSONSecretScanner
    private var form = FormSecretScanner()
    /// The scanner for a body of records.
    private var records: RecordScanner?
    /// The scanner for a multipart body.
    private var multipart: MultipartSecretScanner?
    /// The offset from which to look for the first character of the body that is not whitespace.
    private var start = 0

    init(_ kind: BodyKind, _ rules: RedactionRules) {
        self.kind = kind
        json = JSONSecretScanner(rules)
        switch kind {
        case .eventStream, .jsonLines: records = RecordScanner(rules, isEventStream: kind == .eventStream)
        case .multipart(let boundary): multipart = MultipartSecretScanner(rules, boundary: boundary)
        case .opaque, .unknown, .json, .form: break
        }
    }

    /// Whether the body is JSON, as far as it was scanned.
    var isJSON: Bool { kind == .json || kind == .jsonLines }
    /// The offset of the first byte that the caller must pass again next time.
    private(set) var needed = 0
    /// The offset before which the redaction is decided.
    private(set) var decided = 0

    /// Scans the bytes, starting at offset ``needed``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the body, starting at offset `base`.
    ///   - isLast: Whether these are the last bytes.
    ///   - plain: The events that need no scan.
    /// - Throws: ``BodyRedactor/Unscannable`` if the content of the body cannot be determined.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        skipping plain: PlainEvents?,
        rules: RedactionRules,
        cuts: inout [Cut]
    ) throws(BodyRedactor.Unscannable) {
        if kind == .unknown || kind == .form, start >= 0 { detectJSON(bytes, base) }
        let end = base + bytes.count
        switch kind {
        case .json:
            json.scan(bytes, from: base, upTo: end, isLast: isLast, names: rules.names, cuts: &cuts)
            needed = json.position
        case .form where start < 0:
            form.scan(bytes, from: base, isLast: isLast, names: rules.names, cuts: &cuts)
            needed = form.position
        case .eventStream, .jsonLines:
            records?.scan(bytes, from: base, isLast: isLast, skipping: plain, rules: rules, cuts: &cuts)
            needed = records?.needed ?? end
            decided = records?.decided ?? end
            return
        case .multipart:
            try multipart?.scan(bytes, from: base, isLast: isLast, names: rules.names, cuts: &cuts)
            needed = multipart?.position ?? end
        default:
            needed = end
        }
        decided = needed
    }

    /// Detects JSON from the content, because the declared type is often incorrect.
    private mutating func detectJSON(_ bytes: Span<UInt8>, _ base: Int) {
        var index = start - base
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                kind = .json
                json.move(to: base + index)
                start = -1
                return
            }
            // Whitespace, or a byte of a byte order mark.
            guard byte <= 0x20 || byte == 0xEF || byte == 0xBB || byte == 0xBF else {
                if kind == .unknown { kind = .opaque }
                form = FormSecretScanner(at: base + index)
                start = -1
                return
            }
            index += 1
        }
        start = base + index
    }
}
