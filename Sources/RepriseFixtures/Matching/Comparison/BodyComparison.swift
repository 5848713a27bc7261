// SPDX-License-Identifier: Apache-2.0

/// Compares bodies in the way that the pattern asks for.
enum BodyComparison {
    /// What a body of another kind, a missing or an unexpected one adds.
    private static let otherKind = 6
    /// How many bytes are looked at for a distance.
    private static let distanceBudget = 4096
    /// How many bytes are looked at for verdicts.
    private static let verdictBudget = 1 << 20

    static func distance(_ pattern: BodyPattern, _ request: CanonicalRequest, _ body: Span<UInt8>) -> Int {
        guard request.isBodyKnown else { return 0 }
        switch pattern {
        case .any: return 0
        case .none: return body.isEmpty ? 0 : otherKind
        case .equal(let kind, let expected):
            guard !body.isEmpty else { return otherKind }
            if kind == .bytes { return distance(expected.span, body) }
            guard let found = request.form(kind) else { return otherKind }
            switch kind {
            case .json:
                if expected.count == found.count, expected == found { return 0 }
                var comparison = JSONComparison(limit: 0, budget: distanceBudget)
                comparison.compare(expected.span, found.span)
                return min(otherKind, max(1, 2 * comparison.count))
            case .form: return min(otherKind, QueryComparison.distance(expected.span, found.span))
            case .multipart, .bytes: return distance(expected.span, found.span)
            }
        }
    }

    /// One verdict for each place that differs, at most `limit`; one for all if the bodies are equal.
    static func verdicts(
        _ pattern: BodyPattern,
        _ request: CanonicalRequest,
        _ body: Span<UInt8>,
        limit: Int
    ) -> [FieldVerdict] {
        guard request.isBodyKnown else { return [] }
        switch pattern {
        case .any: return []
        case .none: return [verdict(isEqual: body.isEmpty, expected: nil, found: body)]
        case .equal(let kind, let expected):
            if body.isEmpty || kind != .bytes && request.form(kind) == nil {
                return [verdict(isEqual: false, expected: shown(expected, kind), found: body)]
            }
            let found = kind == .bytes ? [UInt8](copying: body) : request.form(kind) ?? []
            if expected == found { return [verdict(isEqual: true, expected: shown(expected, kind), found: body)] }
            switch kind {
            case .json: return jsonVerdicts(expected, found, limit: limit)
            case .form: return QueryComparison.verdicts("body", expected, found, limit: limit)
            case .multipart: return MultipartComparison.verdicts(expected, found, limit: limit)
            case .bytes: return [bytesVerdict("body", expected[...], found[...])]
            }
        }
    }

    /// A verdict that shows both from just before the first byte that differs.
    static func bytesVerdict(
        _ field: String,
        _ expected: ArraySlice<UInt8>,
        _ found: ArraySlice<UInt8>
    ) -> FieldVerdict {
        let common = zip(expected, found).prefix { $0 == $1 }.count
        let cut = common > 24 ? common - 12 : 0
        func shown(_ bytes: ArraySlice<UInt8>) -> String {
            (cut > 0 ? "…" : "") + FieldVerdict.shown(bytes.dropFirst(cut))
        }
        return FieldVerdict(field: field, isEqual: false, expected: shown(expected), found: shown(found))
    }

    private static func jsonVerdicts(_ expected: [UInt8], _ found: [UInt8], limit: Int) -> [FieldVerdict] {
        var comparison = JSONComparison(limit: limit, budget: verdictBudget)
        comparison.compare(expected.span, found.span)
        if comparison.differences.isEmpty { return [bytesVerdict("body", expected[...], found[...])] }
        return comparison.differences.map { difference in
            FieldVerdict(
                field: difference.pointer.isEmpty ? "body" : "body.\(DisplayText.string(difference.pointer))",
                isEqual: false,
                expected: FieldVerdict.shown(difference.expected.map { expected[$0] }),
                found: FieldVerdict.shown(difference.found.map { found[$0] })
            )
        }
    }

    private static func verdict(isEqual: Bool, expected: String?, found body: Span<UInt8>) -> FieldVerdict {
        let start = body.extracting(first: DisplayText.maximumCount * 2)
        return FieldVerdict(
            field: "body",
            isEqual: isEqual,
            expected: expected ?? "nothing",
            found: FieldVerdict.shown(body.isEmpty ? nil : [UInt8](copying: start))
        )
    }

    private static func shown(_ expected: [UInt8], _ kind: BodyPattern.Kind) -> String {
        guard kind == .multipart else { return FieldVerdict.shown(expected) }
        let count = CanonicalMultipart.parts(expected.span).count
        return count == 1 ? "multipart of 1 part" : "multipart of \(count) parts"
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
    /// One verdict for each part that differs, at most `limit`, named after the part or else by its number.
    static func verdicts(_ expected: [UInt8], _ found: [UInt8], limit: Int) -> [FieldVerdict] {
        let expectedParts = CanonicalMultipart.parts(expected.span)
        let foundParts = CanonicalMultipart.parts(found.span)
        var verdicts: [FieldVerdict] = []
        for index in 0..<max(expectedParts.count, foundParts.count) where verdicts.count < limit {
            let part = index < expectedParts.count ? expectedParts[index] : nil
            let other = index < foundParts.count ? foundParts[index] : nil
            let headers = part.map { expected[$0.headers] } ?? other.map { found[$0.headers] } ?? []
            let field = "body.\(name(headers) ?? String(index + 1))"
            guard let part, let other else {
                verdicts.append(
                    FieldVerdict(
                        field: field,
                        isEqual: false,
                        expected: FieldVerdict.shown(part.map { expected[$0.content] }),
                        found: FieldVerdict.shown(other.map { found[$0.content] })
                    )
                )
                continue
            }
            if expected[part.headers] != found[other.headers] {
                verdicts.append(
                    BodyComparison.bytesVerdict(field + ".headers", expected[part.headers], found[other.headers])
                )
            }
            if expected[part.content] != found[other.content] {
                verdicts.append(BodyComparison.bytesVerdict(field, expected[part.content], found[other.content]))
            }
        }
        return verdicts
    }

    /// The `name` of a part's Content-Disposition (RFC 7578 section 4.2).
    private static func name(_ headers: ArraySlice<UInt8>) -> String? {
        for line in headers.split(separator: 0x0A) where line.starts(with: "content-disposition:".utf8) {
            return HeaderParameters.value(of: "name", in: Array(line)).map { DisplayText.string($0) }
        }
        return nil
    }
}
