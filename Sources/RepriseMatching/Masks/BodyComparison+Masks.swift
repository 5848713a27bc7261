// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

// Bodies with masks. The request's values at masks are never shown.
extension BodyComparison {
    /// Whether a canonical body matches `expected`, including its masks.
    static func isEqual(_ kind: BodyPattern.Kind, _ expected: MaskedText, _ found: [UInt8]) -> Bool {
        switch kind {
        case .bytes: return expected.matches(found[...])
        case .form: return MaskedPairing(expected, found).isEqual
        case .multipart: return MultipartComparison.isEqual(expected, found)
        case .json:
            var comparison = CanonicalJSONComparison(limit: 1, budget: .max, masked: expected)
            comparison.compare(expected.bytes.span, found.span)
            return comparison.count == 0
        }
    }

    /// Appends one verdict for each difference, at most about `limit`, or a single verdict if there are none. `found`
    /// is `nil` if the request has no body of this kind, and `isEmpty` indicates that it has no body at all.
    static func append(
        _ kind: BodyPattern.Kind,
        _ expected: MaskedText,
        _ found: [UInt8]?,
        isEmpty: Bool,
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        let value: FieldVerdict.Value =
            switch kind {
            case .bytes: FieldVerdict.Value(masked: expected)
            case .json, .form: .bytes(expected.bytes)
            case .multipart: .parts(CanonicalMultipart.parts(expected.bytes.span).count)
            }
        let other: FieldVerdict.Value = isEmpty ? .nothing : .hidden("another body")
        guard !isEmpty, let found else {
            verdicts.append(FieldVerdict(.body, isEqual: false, expected: value, found: other))
            return
        }
        if isEqual(kind, expected, found) {
            let shown: FieldVerdict.Value = kind == .multipart ? value : .bytes(expected.bytes)
            verdicts.append(FieldVerdict(.body, isEqual: true, expected: value, found: shown))
            return
        }
        let count = verdicts.count
        switch kind {
        case .bytes: break
        case .form: MaskedPairing(expected, found).append(.body, expected, limit: limit, to: &verdicts)
        case .json: CanonicalJSONComparison.append(expected, found, limit: limit, to: &verdicts)
        case .multipart: MultipartComparison.append(expected, found, limit: limit, to: &verdicts)
        }
        guard verdicts.count == count else { return }
        verdicts.append(FieldVerdict(.body, isEqual: false, expected: value, found: other))
    }
}
