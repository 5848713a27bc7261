// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the parts of a multipart body (RFC 2046 section 5.1, RFC 7578) whose names suggest a secret, and values with
/// such a name in JSON parts. The bytes arrive in pieces. Lines can end with LF alone.
struct MultipartSecretScanner: Sendable {
    private enum State {
        /// Before the first boundary, after the last, or in a part without named values.
        case other
        case headers
        /// At the start of a part that can be JSON, or in such a part.
        case unknown
        case json
        /// At the start of a part whose name suggests a secret.
        case named(SecretNames.Verdict)
        case secret(SecretNames.Verdict, isFirst: Bool)
    }

    /// The maximum number of nested multipart bodies.
    private static let maximumDepth = 8
    /// The maximum length of a part's header lines, in bytes.
    private static let maximumLength = 16 << 10

    /// The delimiters of the open multipart bodies, from the outermost to the innermost.
    private var delimiters: [MultipartDelimiter]
    private var state = State.other
    private var json: JSONSecretScanner
    /// Whether a delimiter can start at ``position`` without a preceding line end.
    private var isAtLineStart = true
    /// The offset of the first byte that the caller must pass again next time.
    private(set) var position = 0

    init(_ rules: RedactionRules, boundary: [UInt8]) {
        json = JSONSecretScanner(rules)
        delimiters = [MultipartDelimiter(boundary: boundary)]
    }

    /// Scans the bytes, starting at offset ``position``.
    ///
    /// - Throws: ``BodyRedactor/Unscannable`` if the header lines of a part have no end.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        names: SecretNames,
        cuts: inout [Cut]
    ) throws(BodyRedactor.Unscannable) {
        while position < base + bytes.count {
            if case .headers = state {
                guard try readHeaders(bytes, base, isLast, names) else { return }
                continue
            }
            let next = lineEnd(bytes, from: position - base, isLast)
            let end = base + next.content
            scanContent(bytes, base, upTo: end, isLast: next.isDelimiter || isLast, names, &cuts)
            guard position == end, next.isKnown else { return }
            if next.isDelimiter {
                position = base + next.end
                state = next.isClosing ? .other : .headers
                isAtLineStart = true
                let depth = next.isClosing ? next.depth : next.depth + 1
                delimiters.removeLast(delimiters.count - max(1, depth))
            }
        }
    }

    // MARK: Delimiters

    private struct LineEnd {
        /// The end of the content before the delimiter.
        var content: Int
        /// The end of the delimiter's line.
        var end: Int
        var isDelimiter = false
        /// The depth of the multipart body that the delimiter belongs to.
        var depth = 0
        var isClosing = false
        /// Whether enough bytes were received to identify the delimiter.
        var isKnown = true
    }

    /// Returns the first delimiter at or after `start`, or the end of the bytes. What may be the start of a delimiter
    /// is left for later.
    private mutating func lineEnd(_ bytes: Span<UInt8>, from start: Int, _ isLast: Bool) -> LineEnd {
        var index = start
        if isAtLineStart {
            if let found = delimiter(bytes, at: index, content: index, isLast) { return found }
            isAtLineStart = false
        }
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x0A || byte == 0x0D else {
                index += 1
                continue
            }
            let isReturn = byte == 0x0D
            if isReturn, index + 1 == bytes.count, !isLast {
                return LineEnd(content: index, end: index, isKnown: false)
            }
            guard !isReturn || (index + 1 < bytes.count && bytes[index + 1] == 0x0A) else {
                index += 1
                continue
            }
            let line = index + (isReturn ? 2 : 1)
            if let found = delimiter(bytes, at: line, content: index, isLast) { return found }
            index = line
        }
        return LineEnd(content: bytes.count, end: bytes.count)
    }

    /// Returns the line at `line` if it is a delimiter or can become one.
    private func delimiter(_ bytes: Span<UInt8>, at line: Int, content: Int, _ isLast: Bool) -> LineEnd? {
        var found: LineEnd?
        for depth in delimiters.indices.reversed() {
            switch delimiters[depth].read(bytes, at: line, isLast: isLast) {
            case .none: continue
            case .undecided: found = LineEnd(content: content, end: content, depth: depth, isKnown: false)
            case .delimiter(let end, let isClosing):
                return LineEnd(content: content, end: end, isDelimiter: true, depth: depth, isClosing: isClosing)
            }
        }
        return found
    }

    // MARK: Parts

    /// Reads the header lines of a part, up to the empty line. Returns `false` if more bytes are needed.
    private mutating func readHeaders(
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ isLast: Bool,
        _ names: SecretNames
    ) throws(BodyRedactor.Unscannable) -> Bool {
        let start = position - base
        guard let end = MultipartReader.headerEnd(in: bytes, from: start, limit: Self.maximumLength) else {
            guard bytes.count - start <= Self.maximumLength else {
                throw BodyRedactor.Unscannable(
                    "expected header lines of at most \(Self.maximumLength) bytes in a part, found more"
                )
            }
            if isLast { position = base + bytes.count }
            return isLast
        }
        let lines = MultipartReader.headerLines(in: bytes, start..<end)
        state = Self.state(of: lines, names)
        try enterParts(lines)
        position = base + end
        json.endText(at: position)
        isAtLineStart = true
        return true
    }

    /// Enters a nested multipart body, in which the delimiters of all levels apply.
    private mutating func enterParts(_ lines: [HeaderLine]) throws(BodyRedactor.Unscannable) {
        let type = lines.firstValue(named: "Content-Type").map { Array($0.utf8) }
        guard case .other = state, case .multipart(let boundary) = BodyKind(contentType: type) else { return }
        guard delimiters.count < Self.maximumDepth else {
            throw BodyRedactor.Unscannable(
                "expected multipart bodies nested at most \(Self.maximumDepth) deep, found more"
            )
        }
        delimiters.append(MultipartDelimiter(boundary: boundary))
    }

    private static func state(of headers: [HeaderLine], _ names: SecretNames) -> State {
        if let verdict = headers.verdict(names) { return .named(verdict) }
        let type = headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
        switch BodyKind(contentType: type) {
        case .json, .jsonLines, .eventStream: return .json
        case .unknown, .form: return .unknown
        case .opaque, .multipart: return .other
        }
    }

    /// Scans the content of a part before `end`. `isLast` means that the part ends there.
    private mutating func scanContent(
        _ bytes: Span<UInt8>,
        _ base: Int,
        upTo end: Int,
        isLast: Bool,
        _ names: SecretNames,
        _ cuts: inout [Cut]
    ) {
        if case .unknown = state { detectJSON(bytes, base, upTo: end) }
        if case .named(let verdict) = state {
            switch judge(bytes, base, upTo: end, isLast, verdict) {
            case .undecided: return
            case .notSecret: state = .other
            case .secret: state = .secret(verdict, isFirst: true)
            }
        }
        switch state {
        case .json:
            json.scan(bytes, from: base, upTo: end, isLast: isLast, names: names, cuts: &cuts)
            position = json.position
        case .secret(let verdict, let isFirst):
            guard end > position else { return }
            let replacement: Cut.Replacement = isFirst ? .marker(verdict.marker) : .restOfSecret
            cuts.append(Cut(range: position..<end, replacement: replacement))
            state = .secret(verdict, isFirst: false)
            position = end
        default:
            position = end
        }
    }

    /// Detects whether the part is JSON.
    private mutating func detectJSON(_ bytes: Span<UInt8>, _ base: Int, upTo end: Int) {
        var index = position - base
        while index < end - base, bytes[index] <= 0x20 { index += 1 }
        guard index < end - base else { return }
        let isJSON = bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "[")
        state = isJSON ? .json : .other
        json.move(to: position)
    }

    private func judge(
        _ bytes: Span<UInt8>,
        _ base: Int,
        upTo end: Int,
        _ isLast: Bool,
        _ verdict: SecretNames.Verdict
    ) -> NamedValue {
        NamedValue.judge(
            bytes,
            at: position - base,
            before: end - base,
            isLast: isLast,
            isLikely: verdict.isLikely,
            isEnd: { _ in false }
        )
    }
}
