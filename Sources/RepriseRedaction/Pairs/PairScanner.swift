// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds values whose names suggest a secret anywhere in a body, in bytes that arrive in pieces: in JSON inside a JSON
/// string, in a form or after other text, in the parameters of URLs in any text, and in URLs that are parameters
/// themselves.
///
/// The scanner looks for `name=value`, `name: "value"` and `"name": "value"`. The quotes and the sign (`=` or `:`) can
/// be literal, escaped with JSON backslashes, percent-encoded, or HTML character references.
struct PairScanner: Sendable {
    /// The number of bytes before ``position`` that the scanner can read.
    static let lookBehind = 128
    /// The number of bytes after a name that determine the kind of its value.
    static let lookAhead = 48
    /// The number of bytes of a value that are used to judge it.
    private static let judged = 256

    /// The properties of the text that matter to the scanner.
    struct Context: Sendable, Hashable {
        /// Whether another scanner handles quotes without a backslash, as in a JSON body.
        var isJSON = false
        /// Whether names can also be variables of a program. If so, `=` counts only in the parameters of URLs.
        var isScript = false
        /// Whether a value cannot extend past the end of its line.
        var hasRecords = false
    }

    /// The offset of the first byte that the caller must pass again next time.
    private(set) var position: Int

    /// Creates a scanner for a text that starts at `position`.
    init(at position: Int = 0) {
        self.position = position
    }

    private enum State {
        case between
        /// At the start of a value whose name suggests a secret.
        case named(PairValue, SecretNames.Verdict)
        /// In a value to redact.
        case secret(PairValue, SecretNames.Verdict, isFirst: Bool)
    }

    private var state = State.between
    /// The object or array with the name of a secret that contains the current value.
    private var group: (group: PairGroup, verdict: SecretNames.Verdict)?

    /// Scans the bytes, starting at offset ``position``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the body, starting at offset `base`.
    ///   - isLast: Whether these are the last bytes.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        context: Context,
        names: SecretNames,
        cuts: inout [Cut]
    ) {
        var canContinue = true
        while canContinue, position < base + bytes.count {
            switch state {
            case .between where group != nil: scanGroup(bytes, base)
            case .between: canContinue = find(bytes, base, isLast, context, names, &cuts)
            case .named(let value, let verdict): canContinue = judge(value, verdict, bytes, base, isLast)
            case .secret(let value, let verdict, let isFirst):
                canContinue = cut(value, verdict, isFirst, bytes, base, isLast, &cuts)
            }
        }
    }

    private mutating func scanGroup(_ bytes: Span<UInt8>, _ base: Int) {
        guard let verdict = group?.verdict, var group = group?.group else { return }
        let (stop, string) = group.next(bytes, from: position - base)
        position = base + stop
        if let string { state = .named(string, verdict) }
        self.group = group.isOver ? nil : (group, verdict)
    }

    /// Looks for a name. Returns `false` if more bytes are needed.
    private mutating func find(
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ isLast: Bool,
        _ context: Context,
        _ names: SecretNames,
        _ cuts: inout [Cut]
    ) -> Bool {
        var index = PairSign.candidate(in: bytes, from: position - base, isJSON: context.isJSON)
        while index < bytes.count, !PairName.mayEnd(before: index, in: bytes, names) {
            index = PairSign.candidate(in: bytes, from: index + 1, isJSON: context.isJSON)
        }
        position = base + index
        guard index < bytes.count else { return false }
        guard isLast || index + PairSign.maximumLength <= bytes.count else { return false }
        guard let sign = PairSign(in: bytes, at: index),
            let name = PairName(before: index, sign, in: bytes, context, names)
        else {
            position += 1
            return true
        }
        guard isLast || index + Self.lookAhead <= bytes.count else { return false }
        let start = PairStart(behind: name, sign, at: index, in: bytes, context)
        position = base + start.index
        switch start.kind {
        case .none: position = base + index + 1
        case .value(let value): state = .named(value, name.verdict)
        case .group(let group): self.group = (group, name.verdict)
        case .number(let end):
            position = base + end
            if name.verdict.covers(number: bytes.extracting(start.index..<end)) {
                cuts.append(Cut(range: base + start.index..<position, replacement: .marker(name.verdict.marker)))
            }
        }
        return true
    }

    /// Returns `false` if more bytes are needed.
    private mutating func judge(
        _ value: PairValue,
        _ verdict: SecretNames.Verdict,
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ isLast: Bool
    ) -> Bool {
        let start = position - base
        let limit = min(bytes.count, start + Self.judged)
        var copy = value
        let (stop, isOver) = copy.follow(
            bytes.extracting(0..<limit),
            from: start,
            isLast: isLast && limit == bytes.count
        )
        guard isOver || isLast || limit == start + Self.judged else { return false }
        let isCode = value.isBare && SourceCode.isExpression(bytes, start..<stop)
        let isSecret = !isCode && NamedValue.isSecret(bytes.extracting(start..<stop), verdict, isText: true)
        state = isSecret ? .secret(value, verdict, isFirst: true) : .between
        return true
    }

    /// Returns `false` if more bytes are needed.
    private mutating func cut(
        _ value: PairValue,
        _ verdict: SecretNames.Verdict,
        _ isFirst: Bool,
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ isLast: Bool,
        _ cuts: inout [Cut]
    ) -> Bool {
        var value = value
        let start = position
        let (stop, isOver) = value.follow(bytes, from: start - base, isLast: isLast)
        position = base + stop
        if position > start {
            cuts.append(Cut(range: start..<position, replacement: isFirst ? .marker(verdict.marker) : .restOfSecret))
        }
        state = isOver ? .between : .secret(value, verdict, isFirst: isFirst && position == start)
        return isOver
    }
}
