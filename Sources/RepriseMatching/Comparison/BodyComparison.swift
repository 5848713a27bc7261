// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares bodies in the way that the pattern asks for.
enum BodyComparison {
    /// What a body of another kind, a missing or an unexpected one adds.
    private static let otherKind = 6
    /// How many bytes are looked at for a distance.
    static let distanceBudget = 4096
    /// How large a form or multipart body may be to have its markers of redaction heeded in a distance.
    private static let wildcardBudget = 1 << 16
    /// How many bytes are looked at for verdicts.
    static let verdictBudget = 1 << 20

    static func distance(
        _ pattern: BodyPattern,
        _ request: CanonicalRequest,
        hasWildcards: Bool
    ) -> Int {
        guard request.view.isContentComplete else { return 0 }
        switch pattern {
        case .any: return 0
        case .none: return request.content.isEmpty ? 0 : otherKind
        case .equal(let kind, let expected):
            guard !request.content.isEmpty else { return otherKind }
            if kind == .bytes {
                if hasWildcards, WildcardText(expected[...])?.matches(request.content) ?? false { return 0 }
                return distance(expected.span, request.content)
            }
            guard let found = request.form(kind) else { return otherKind }
            switch kind {
            case .json:
                if expected.count == found.count, expected == found { return 0 }
                var comparison = JSONComparison(limit: 0, budget: distanceBudget, hasWildcards: hasWildcards)
                comparison.compare(expected.span, found.span)
                if hasWildcards, comparison.count == 0, comparison.isComplete { return 0 }
                return min(otherKind, max(1, 2 * comparison.count))
            case .form:
                let isSmall = found.count <= wildcardBudget
                let distance = QueryComparison.distance(
                    expected,
                    found,
                    budget: distanceBudget,
                    hasWildcards: hasWildcards && isSmall
                )
                return min(otherKind, distance)
            case .multipart, .bytes:
                let isSmall = found.count <= wildcardBudget
                if hasWildcards, isSmall, RedactedBody.isEqual(kind, expected, found) { return 0 }
                return distance(expected.span, found.span)
            }
        }
    }

    /// Whether the body is as it must be, however large.
    static func isEqual(
        _ pattern: BodyPattern,
        _ request: CanonicalRequest,
        _ wildcards: RequestPattern.Wildcards
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
            return !request.content.isEmpty && wildcards.contains(.body)
                && WildcardText(expected[...])?.matches(request.content) ?? false
        case .equal(let kind, let expected):
            guard !request.content.isEmpty, let found = request.form(kind) else { return false }
            return expected == found || wildcards.contains(.body) && RedactedBody.isEqual(kind, expected, found)
        }
    }

    /// Appends one verdict for each place that differs, at most `limit`; one for all if the bodies are equal.
    static func append(
        _ pattern: BodyPattern,
        _ request: CanonicalRequest,
        hasWildcards: Bool,
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        guard request.view.isContentComplete, case let start = start(of: request.content) else { return }
        if hasWildcards, case .equal(let kind, let expected) = pattern {
            let found = kind == .bytes ? [UInt8](bytes: request.content) : request.form(kind)
            RedactedBody.append(kind, expected, found, isEmpty: request.content.isEmpty, limit: limit, to: &verdicts)
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
            case .json: appendJSON(expected, found, limit: limit, to: &verdicts)
            case .form:
                QueryComparison.append(
                    .body,
                    expected,
                    found,
                    limit: limit,
                    budget: verdictBudget,
                    hasWildcards: false,
                    to: &verdicts
                )
            case .multipart, .bytes: MultipartComparison.append(expected, found, limit: limit, to: &verdicts)
            }
        }
    }

    /// A verdict on the body as a whole.
    private static func bodyVerdict(
        _ kind: BodyPattern.Kind,
        _ expected: [UInt8],
        _ found: FieldVerdict.Value,
        isEqual: Bool = false
    ) -> FieldVerdict {
        let value: FieldVerdict.Value =
            kind == .multipart ? .parts(MultipartComparison.count(expected)) : .bytes(expected[...])
        return FieldVerdict(.body, isEqual: isEqual, expected: value, found: found)
    }

    /// A verdict on a body that is compared byte by byte. Of the request's, which can be large, it keeps what is shown.
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

    /// A verdict that shows both from just before the first byte that differs.
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

    /// How much of what both start with is left out.
    private static func hiddenCount(common: Int) -> Int {
        common > 24 ? common - 12 : 0
    }

    private static func appendJSON(
        _ expected: [UInt8],
        _ found: [UInt8],
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        var comparison = JSONComparison(limit: limit, budget: verdictBudget)
        comparison.compare(expected.span, found.span)
        if comparison.differences.isEmpty { verdicts.append(bytesVerdict(.body, expected[...], found[...])) }
        for difference in comparison.differences {
            verdicts.append(
                FieldVerdict(
                    difference.pointer.isEmpty ? .body : .bodyPointer(difference.pointer),
                    isEqual: false,
                    expected: FieldVerdict.Value(difference.expected.map { expected[$0] }),
                    found: FieldVerdict.Value(difference.found.map { found[$0] })
                )
            )
        }
    }

    /// The start of the request's body, as much as is shown.
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

/// Compares multipart bodies part by part.
enum MultipartComparison {
    /// How many parts a canonical form has.
    static func count(_ canonical: [UInt8]) -> Int {
        CanonicalMultipart.parts(canonical.span).count
    }

    /// Appends one verdict for each part that differs, at most about `limit`, named after the part.
    static func append(_ expected: [UInt8], _ found: [UInt8], limit: Int, to verdicts: inout [FieldVerdict]) {
        let expectedParts = CanonicalMultipart.parts(expected.span)
        let foundParts = CanonicalMultipart.parts(found.span)
        let end = verdicts.count + limit
        for index in 0..<max(expectedParts.count, foundParts.count) where verdicts.count < end {
            let part = index < expectedParts.count ? expectedParts[index] : nil
            let other = index < foundParts.count ? foundParts[index] : nil
            let headers = part.map { expected[$0.headers] }
            let otherHeaders = other.map { found[$0.headers] }
            let name = name(headers ?? otherHeaders ?? [])
            if let headers, let otherHeaders, headers != otherHeaders {
                let field = FieldVerdict.Name.bodyPart(name: name, number: index + 1, isHeader: true)
                verdicts.append(BodyComparison.bytesVerdict(field, headers, otherHeaders))
            }
            let content = part.map { expected[$0.content] }
            let otherContent = other.map { found[$0.content] }
            guard content != otherContent else { continue }
            let field = FieldVerdict.Name.bodyPart(name: name, number: index + 1, isHeader: false)
            if let content, let otherContent {
                verdicts.append(BodyComparison.bytesVerdict(field, content, otherContent))
            } else {
                let (value, otherValue) = (FieldVerdict.Value(content), FieldVerdict.Value(otherContent))
                verdicts.append(FieldVerdict(field, isEqual: false, expected: value, found: otherValue))
            }
        }
    }

    /// The `name` of a part's Content-Disposition (RFC 7578 section 4.2).
    static func name(_ headers: ArraySlice<UInt8>) -> [UInt8]? {
        for line in headers.split(separator: 0x0A) where line.starts(with: "content-disposition:".utf8) {
            return HeaderParameters.value(of: "name", in: Array(line))
        }
        return nil
    }
}
