// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds values that have the name of a secret wherever they stand, in bytes that come piece by piece: JSON in a string of
/// JSON, in a form or behind other text; parameters of URLs in any text, and of URLs that are parameters themselves.
///
/// It looks for `name=value`, `name: "value"` and `"name": "value"`, with quotes and signs as they are, behind the
/// backslashes of JSON, percent-encoded, or as HTML spells them.
struct PairScanner: Sendable {
    /// How many bytes before ``position`` it may look at.
    static let lookBehind = 128
    /// How many bytes behind a name tell what kind of value follows.
    static let lookAhead = 48
    /// So much of a value is looked at to judge it.
    private static let judged = 256

    /// What the text is, as far as it matters here.
    struct Context: Sendable, Hashable {
        /// Whether quotes without a backslash are left to others, as in a body that is JSON.
        var isJSON = false
        /// Whether names are variables of a program, too, so that only parameters of URLs are told by them.
        var isScript = false
        /// Whether a line ends what stands in it.
        var hasRecords = false
    }

    /// The first byte that it has to see again.
    private(set) var position = 0

    private enum State {
        case between
        /// At the start of a value that has the name of a secret.
        case named(PairValue, SecretNames.Verdict)
        /// In a value that goes.
        case secret(PairValue, SecretNames.Verdict, isFirst: Bool)
    }

    private var state = State.between
    /// The object or array, with the name of a secret, in which all that is.
    private var group: (group: PairGroup, verdict: SecretNames.Verdict)?

    /// Looks at the bytes from ``position`` on.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the body from `base` on.
    ///   - isLast: whether nothing follows.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        context: Context,
        names: SecretNames,
        cuts: inout [Cut]
    ) {
        var goesOn = true
        while goesOn, position < base + bytes.count {
            switch state {
            case .between where group != nil: scanGroup(bytes, base)
            case .between: goesOn = find(bytes, base, isLast, context, names)
            case .named(let value, let verdict): goesOn = judge(value, verdict, bytes, base, isLast)
            case .secret(let value, let verdict, let isFirst):
                goesOn = cut(value, verdict, isFirst, bytes, base, isLast, &cuts)
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

    /// Looks for a name; `false` if more has to be seen.
    private mutating func find(
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ isLast: Bool,
        _ context: Context,
        _ names: SecretNames
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
        }
        return true
    }

    /// `false` if more has to be seen.
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
        let isSecret = NamedValue.isSecret(bytes.extracting(start..<stop), isLikely: verdict.isLikely)
        state = isSecret ? .secret(value, verdict, isFirst: true) : .between
        return true
    }

    /// `false` if more has to be seen.
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
