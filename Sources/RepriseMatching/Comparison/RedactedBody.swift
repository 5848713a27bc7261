// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares bodies with markers of redaction. What a request has where a marker stands is never told.
enum RedactedBody {
    /// Whether a canonical body is what `expected` may stand for.
    static func isEqual(_ kind: BodyPattern.Kind, _ expected: [UInt8], _ found: [UInt8]) -> Bool {
        switch kind {
        case .bytes: return WildcardText.matches(expected[...], found[...])
        case .form: return RedactedPairs(expected, found).isEqual
        case .multipart: return areEqualParts(expected, found)
        case .json:
            var comparison = JSONComparison(limit: 1, budget: .max, hasWildcards: true)
            comparison.compare(expected.span, found.span)
            return comparison.count == 0
        }
    }

    /// Appends one verdict for each place that differs, at most about `limit`; one for all if nothing does. There is no
    /// `found` if the request has no body of the kind, and `isEmpty` says if it has none at all.
    static func append(
        _ kind: BodyPattern.Kind,
        _ expected: [UInt8],
        _ found: [UInt8]?,
        isEmpty: Bool,
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        let value: FieldVerdict.Value =
            switch kind {
            case .bytes: .redacted(expected[...])
            case .json, .form: .bytes(expected[...])
            case .multipart: .parts(MultipartComparison.count(expected))
            }
        let other: FieldVerdict.Value = isEmpty ? .nothing : .hidden("another body")
        guard !isEmpty, let found else {
            verdicts.append(FieldVerdict(.body, isEqual: false, expected: value, found: other))
            return
        }
        if isEqual(kind, expected, found) {
            let shown: FieldVerdict.Value = kind == .multipart ? value : .bytes(expected[...])
            verdicts.append(FieldVerdict(.body, isEqual: true, expected: value, found: shown))
            return
        }
        let count = verdicts.count
        switch kind {
        case .bytes: break
        case .form: RedactedPairs(expected, found).append(.body, expected, limit: limit, to: &verdicts)
        case .json: appendJSON(expected, found, limit: limit, to: &verdicts)
        case .multipart: appendParts(expected, found, limit: limit, to: &verdicts)
        }
        guard verdicts.count == count else { return }
        verdicts.append(FieldVerdict(.body, isEqual: false, expected: value, found: other))
    }

    private static func appendJSON(
        _ expected: [UInt8],
        _ found: [UInt8],
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        var comparison = JSONComparison(limit: limit, budget: BodyComparison.verdictBudget, hasWildcards: true)
        comparison.compare(expected.span, found.span)
        for difference in comparison.differences {
            let name: FieldVerdict.Name = difference.pointer.isEmpty ? .body : .bodyPointer(difference.pointer)
            let (value, other) = (difference.expected.map { expected[$0] }, difference.found.map { found[$0] })
            if let value, RedactionMarker.isIn(value.span) {
                let hidden = other.map { FieldVerdict.Value.hidden(noun(of: $0)) }
                verdicts.append(FieldVerdict(name, isEqual: false, redacted: value, found: hidden))
            } else {
                verdicts.append(
                    FieldVerdict(
                        name,
                        isEqual: false,
                        expected: FieldVerdict.Value(value),
                        found: FieldVerdict.Value(other)
                    )
                )
            }
        }
    }

    /// What a JSON value is.
    private static func noun(of value: ArraySlice<UInt8>) -> String {
        switch value.first {
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "\""): "another text"
        case UInt8(ascii: "n"): "null"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a Boolean"
        default: "a number"
        }
    }

    private static func areEqualParts(_ expected: [UInt8], _ found: [UInt8]) -> Bool {
        let (parts, others) = (CanonicalMultipart.parts(expected.span), CanonicalMultipart.parts(found.span))
        guard parts.count == others.count else { return false }
        return zip(parts, others).allSatisfy { part, other in
            areEqualLines(expected[part.headers], found[other.headers])
                && WildcardText.matches(expected[part.content], found[other.content])
        }
    }

    /// Whether header blocks are equal line by line: no marker stands for a line.
    private static func areEqualLines(_ expected: ArraySlice<UInt8>, _ found: ArraySlice<UInt8>) -> Bool {
        if expected == found { return true }
        let (lines, others) = (expected.split(separator: 0x0A), found.split(separator: 0x0A))
        return lines.count == others.count && zip(lines, others).allSatisfy { WildcardText.matches($0, $1) }
    }

    private static func appendParts(
        _ expected: [UInt8],
        _ found: [UInt8],
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        let (parts, others) = (CanonicalMultipart.parts(expected.span), CanonicalMultipart.parts(found.span))
        let end = verdicts.count + limit
        for index in 0..<max(parts.count, others.count) where verdicts.count < end {
            let part = index < parts.count ? parts[index] : nil
            let other = index < others.count ? others[index] : nil
            let name = MultipartComparison.name(
                (part.map { expected[$0.headers] } ?? other.map { found[$0.headers] }) ?? []
            )
            for isHeader in [true, false] {
                let value = part.map { expected[isHeader ? $0.headers : $0.content] }
                let otherValue = other.map { found[isHeader ? $0.headers : $0.content] }
                // A part that only one side has is told once.
                if isHeader, value == nil || otherValue == nil { continue }
                let field = FieldVerdict.Name.bodyPart(name: name, number: index + 1, isHeader: isHeader)
                appendPart(field, value, otherValue, to: &verdicts)
            }
        }
    }

    private static func appendPart(
        _ field: FieldVerdict.Name,
        _ expected: ArraySlice<UInt8>?,
        _ found: ArraySlice<UInt8>?,
        to verdicts: inout [FieldVerdict]
    ) {
        if let expected, RedactionMarker.isIn(expected.span) {
            if let found, WildcardText.matches(expected, found) { return }
            let hidden = found.map { _ in FieldVerdict.Value.hidden("another text") }
            verdicts.append(FieldVerdict(field, isEqual: false, redacted: expected, found: hidden))
        } else if let expected, let found {
            if expected != found { verdicts.append(BodyComparison.bytesVerdict(field, expected, found)) }
        } else {
            let (value, other) = (FieldVerdict.Value(expected), FieldVerdict.Value(found))
            verdicts.append(FieldVerdict(field, isEqual: false, expected: value, found: other))
        }
    }
}

extension RedactedPairs {
    /// Appends one verdict for each pair that finds no partner, at most `limit`; one for all if each finds one. The values
    /// of one name that only one side has are paired; they are not told of a name that has a redacted one.
    func append(
        _ field: FieldVerdict.Name,
        _ expected: [UInt8],
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        if isEqual {
            verdicts.append(FieldVerdict(field, isEqual: true, redacted: expected[...], found: nil))
            return
        }
        let redacted = Set(Self.pairs(of: expected).filter(\.hasMarker).map { Array($0.name) })
        let names = Set((missing + extra).map { Array($0.name) }).sorted { $0.lexicographicallyPrecedes($1) }
        let end = verdicts.count + limit
        for name in names {
            let values = missing.filter { $0.name.elementsEqual(name) }.map(\.value)
            let others = extra.filter { $0.name.elementsEqual(name) }.map(\.value)
            let pair: FieldVerdict.Name = field == .query ? .queryPair(name[...]) : .bodyPair(name[...])
            for position in 0..<max(values.count, others.count) where verdicts.count < end {
                let value = position < values.count ? values[position] : nil
                let other = position < others.count ? others[position] : nil
                verdicts.append(verdict(pair, value, other, isRedacted: redacted.contains(name)))
            }
        }
    }

    private func verdict(
        _ name: FieldVerdict.Name,
        _ value: ArraySlice<UInt8>?,
        _ other: ArraySlice<UInt8>?,
        isRedacted: Bool
    ) -> FieldVerdict {
        let found: FieldVerdict.Value = isRedacted && other != nil ? .hidden("a value") : FieldVerdict.Value(other)
        if let value, RedactionMarker.isIn(value.span) {
            return FieldVerdict(name, isEqual: false, redacted: value, found: found)
        }
        return FieldVerdict(name, isEqual: false, expected: FieldVerdict.Value(value), found: found)
    }
}
