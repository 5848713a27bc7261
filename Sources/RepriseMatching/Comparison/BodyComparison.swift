// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares bodies according to the kind of the pattern's body.
enum BodyComparison {
    /// The distance added for a body of another kind, or a missing or unexpected body.
    private static let otherKind = 6
    /// The maximum number of bytes examined to compute a distance.
    static let distanceBudget = 4096
    /// The maximum size of a form or multipart body for which a distance takes masks into account.
    private static let maskedBudget = 1 << 16
    /// The maximum number of bytes examined to produce verdicts.
    static let verdictBudget = 1 << 20

    static func distance(
        _ pattern: BodyPattern,
        _ request: CanonicalRequest,
        masked: MaskedText?
    ) -> Int {
        guard request.view.isContentComplete else { return 0 }
        switch pattern {
        case .any: return 0
        case .none: return request.content.isEmpty ? 0 : otherKind
        case .equal(let kind, let expected):
            guard !request.content.isEmpty else { return otherKind }
            if kind == .bytes {
                if let masked, masked.matches(request.content) { return 0 }
                return distance(expected.span, request.content)
            }
            guard let found = request.form(kind) else { return otherKind }
            switch kind {
            case .json:
                if expected.count == found.count, expected == found { return 0 }
                var comparison = CanonicalJSONComparison(limit: 0, budget: distanceBudget, masked: masked)
                comparison.compare(expected.span, found.span)
                if masked != nil, comparison.count == 0, comparison.isComplete { return 0 }
                return min(otherKind, max(1, 2 * comparison.count))
            case .form:
                let isSmall = found.count <= maskedBudget
                let distance = QueryComparison.distance(
                    expected,
                    found,
                    budget: distanceBudget,
                    masked: isSmall ? masked : nil
                )
                return min(otherKind, distance)
            case .multipart, .bytes:
                let isSmall = found.count <= maskedBudget
                if let masked, isSmall, isEqual(kind, masked, found) { return 0 }
                return distance(expected.span, found.span)
            }
        }
    }

    /// Whether the body equals the expected one, regardless of its size.
    static func isEqual(
        _ pattern: BodyPattern,
        _ request: CanonicalRequest,
        _ masked: MaskedText?
    ) -> Bool {
        switch pattern {
        case .any: return true
        case .none: return request.content.isEmpty
        case .equal(.bytes, let expected):
            if expected.count == request.content.count,
                ByteDistance.prefix(expected.span, request.content) == request.content.count
            {
                return true
            }
            return !request.content.isEmpty && masked?.matches(request.content) ?? false
        case .equal(let kind, let expected):
            guard !request.content.isEmpty, let found = request.form(kind) else { return false }
            return expected == found || masked.map { isEqual(kind, $0, found) } ?? false
        }
    }

    /// Appends one verdict for each difference, at most `limit`, or a single verdict if the bodies are equal.
    static func append(
        _ pattern: BodyPattern,
        _ request: CanonicalRequest,
        masked: MaskedText?,
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        guard request.view.isContentComplete, case let start = start(of: request.content) else { return }
        if let masked, case .equal(let kind, _) = pattern {
            let found = kind == .bytes ? [UInt8](bytes: request.content) : request.form(kind)
            append(kind, masked, found, isEmpty: request.content.isEmpty, limit: limit, to: &verdicts)
            return
        }
        switch pattern {
        case .any: return
        case .none:
            verdicts.append(FieldVerdict(.body, isEqual: request.content.isEmpty, expected: .nothing, found: start))
        case .equal(.bytes, let expected):
            verdicts.append(
                request.content.isEmpty ? bodyVerdict(.bytes, expected, start) : bytesVerdict(expected, request.content)
            )
        case .equal(let kind, let expected):
            guard let found = request.form(kind), found != expected else {
                verdicts.append(bodyVerdict(kind, expected, start, isEqual: request.form(kind) != nil))
                return
            }
            switch kind {
            case .json:
                let count = verdicts.count
                CanonicalJSONComparison.append(MaskedText(expected), found, limit: limit, to: &verdicts)
                if verdicts.count == count { verdicts.append(bytesVerdict(.body, expected[...], found[...])) }
            case .form:
                QueryComparison.append(
                    .body,
                    expected,
                    found,
                    limit: limit,
                    budget: verdictBudget,
                    masked: nil,
                    to: &verdicts
                )
            case .multipart, .bytes:
                MultipartComparison.append(MaskedText(expected), found, limit: limit, to: &verdicts)
            }
        }
    }

    /// Returns a verdict on the body as a whole.
    private static func bodyVerdict(
        _ kind: BodyPattern.Kind,
        _ expected: [UInt8],
        _ found: FieldVerdict.Value,
        isEqual: Bool = false
    ) -> FieldVerdict {
        let value: FieldVerdict.Value =
            kind == .multipart ? .parts(CanonicalMultipart.parts(expected.span).count) : .bytes(expected[...])
        return FieldVerdict(.body, isEqual: isEqual, expected: value, found: found)
    }

    /// Returns a verdict on a body that is compared byte by byte. It keeps only the displayed part of the request's
    /// body, which can be large.
    private static func bytesVerdict(_ expected: [UInt8], _ body: Span<UInt8>) -> FieldVerdict {
        let common = ByteDistance.prefix(expected.span, body)
        let isEqual = common == expected.count && common == body.count
        let hidden = isEqual ? 0 : hiddenCount(common: common)
        let end = min(body.count, hidden + ReportWriter.maximumCount + 1)
        let found = [UInt8](bytes: body.extracting(hidden..<end))[...]
        return FieldVerdict(
            .body,
            isEqual: isEqual,
            expected: hidden > 0 ? .rest(expected[hidden...]) : .bytes(expected[...]),
            found: hidden > 0 ? .rest(found) : .bytes(found)
        )
    }

    /// Returns a verdict that shows both bodies starting shortly before the first differing byte.
    static func bytesVerdict(
        _ name: FieldVerdict.Name,
        _ expected: ArraySlice<UInt8>,
        _ found: ArraySlice<UInt8>
    ) -> FieldVerdict {
        let hidden = hiddenCount(common: ByteDistance.prefix(expected.span, found.span))
        func value(_ bytes: ArraySlice<UInt8>) -> FieldVerdict.Value {
            hidden > 0 ? .rest(bytes.dropFirst(hidden)) : .bytes(bytes)
        }
        return FieldVerdict(name, isEqual: false, expected: value(expected), found: value(found))
    }

    /// The number of bytes of the common prefix that are not shown.
    private static func hiddenCount(common: Int) -> Int {
        common > 24 ? common - 12 : 0
    }

    /// Returns the displayed start of the request's body.
    private static func start(of body: Span<UInt8>) -> FieldVerdict.Value {
        body.isEmpty
            ? .nothing : .bytes([UInt8](bytes: body.extracting(first: ReportWriter.maximumCount + 1))[...])
    }

    private static func distance(_ expected: Span<UInt8>, _ found: Span<UInt8>) -> Int {
        let (one, other) = (expected.extracting(first: distanceBudget), found.extracting(first: distanceBudget))
        let middle = ByteDistance.middle(one, other)
        if middle == 0, expected.count == found.count { return 0 }
        return min(otherKind - 1, 2 + middle / 8)
    }
}
