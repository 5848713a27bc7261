// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requires a body that is equal when compared as its kind.
struct BodyPredicate: Predicate {
    let body: BodyPattern
    /// The canonical form, with masks; empty if bodies are not compared.
    let text: MaskedText

    /// The distance added for a body of another kind, or a missing or unexpected body.
    private static let otherKind = 6
    /// The maximum number of bytes examined to compute a distance.
    static let distanceBudget = 4096
    /// The maximum size of a form or multipart body for which a distance takes masks into account.
    private static let maskedBudget = 1 << 16
    /// The maximum number of bytes examined to produce verdicts.
    static let verdictBudget = 1 << 20

    func distance(from request: CanonicalRequest) -> Int {
        guard request.view.isContentComplete else { return 0 }
        guard case .equal(let kind, let expected) = body else {
            return body == .any || request.content.isEmpty ? 0 : Self.otherKind
        }
        guard !request.content.isEmpty else { return Self.otherKind }
        if kind == .bytes {
            return text.isMasked && text.matches(request.content) ? 0 : Self.distance(expected.span, request.content)
        }
        guard let found = request.form(kind) else { return Self.otherKind }
        switch kind {
        case .json:
            if expected.count == found.count, expected == found { return 0 }
            var comparison = CanonicalJSONComparison(text, limit: 0, budget: Self.distanceBudget)
            comparison.compare(found)
            if text.isMasked, comparison.count == 0, comparison.isComplete { return 0 }
            return min(Self.otherKind, max(1, 2 * comparison.count))
        case .form:
            let text = found.count <= Self.maskedBudget ? text : MaskedText(expected)
            return min(Self.otherKind, PairComparison(text, found, budget: Self.distanceBudget).distance)
        case .multipart, .bytes:
            if text.isMasked, found.count <= Self.maskedBudget, MultipartComparison.isEqual(text, found) { return 0 }
            return Self.distance(expected.span, found.span)
        }
    }

    /// Whether the body equals the expected one, including its masks, regardless of its size.
    func matches(_ request: CanonicalRequest) -> Bool {
        guard case .equal(let kind, let expected) = body else { return body == .any || request.content.isEmpty }
        if kind == .bytes { return !request.content.isEmpty && text.matches(request.content) }
        guard !request.content.isEmpty, let found = request.form(kind) else { return false }
        guard text.isMasked, expected != found else { return expected == found }
        switch kind {
        case .form: return PairComparison(text, found).isEqual
        case .multipart, .bytes: return MultipartComparison.isEqual(text, found)
        case .json:
            var comparison = CanonicalJSONComparison(text, limit: 1, budget: .max)
            comparison.compare(found)
            return comparison.count == 0
        }
    }

    /// Appends one verdict for each difference, at most about `limit`, or a single verdict if the bodies are equal. Of
    /// a request's body, nothing is shown that the recording hides.
    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        guard request.view.isContentComplete, body != .any else { return }
        let isEmpty = request.content.isEmpty
        guard case .equal(let kind, let expected) = body else {
            let found = Self.start(of: request.content)
            return verdicts.append(FieldVerdict(.body, isEqual: isEmpty, expected: .nothing, found: found))
        }
        if kind == .bytes, !text.isMasked, !isEmpty {
            return verdicts.append(Self.bytesVerdict(expected, request.content))
        }
        let value: FieldVerdict.Value =
            switch kind {
            case .bytes: FieldVerdict.Value(text)
            case .json, .form: .bytes(expected[...])
            case .multipart: .parts(CanonicalMultipart.parts(expected.span).count)
            }
        let shown = text.isMasked && !isEmpty ? .hidden("another body") : Self.start(of: request.content)
        guard !isEmpty, let found = kind == .bytes ? [UInt8](bytes: request.content) : request.form(kind) else {
            return verdicts.append(FieldVerdict(.body, isEqual: false, expected: value, found: shown))
        }
        if matches(request) {
            let own = kind == .multipart ? value : .bytes(expected[...])
            let verdict = FieldVerdict(.body, isEqual: true, expected: value, found: text.isMasked ? own : shown)
            return verdicts.append(verdict)
        }
        let count = verdicts.count
        switch kind {
        case .bytes: break
        case .form: PairComparison(text, found, budget: Self.verdictBudget).append(.body, limit: limit, to: &verdicts)
        case .json: CanonicalJSONComparison.append(text, found, limit: limit, to: &verdicts)
        case .multipart: MultipartComparison.append(text, found, limit: limit, to: &verdicts)
        }
        guard verdicts.count == count else { return }
        let whole = FieldVerdict(.body, isEqual: false, expected: value, found: shown)
        verdicts.append(text.isMasked ? whole : Self.bytesVerdict(.body, expected[...], found[...]))
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
