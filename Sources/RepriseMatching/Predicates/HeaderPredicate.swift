// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requires a value of one of the compared header fields. `nil` requires that the field is missing.
struct HeaderPredicate: Predicate {
    let name: String
    /// The field's index among the compared header fields.
    let index: Int
    let value: MaskedText?

    func matches(_ request: CanonicalRequest) -> Bool {
        guard let value, let found = request.headerValues[index] else {
            return value == nil && request.headerValues[index] == nil
        }
        return value.matches(found[...])
    }

    func distance(from request: CanonicalRequest) -> Int { matches(request) ? 0 : 2 }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        let found = request.headerValues[index]
        if let value, value.isMasked {
            let hidden = found.map { _ in FieldVerdict.Value.hidden("another text") }
            verdicts.append(FieldVerdict(.header(name), isEqual: matches(request), masked: value, found: hidden))
        } else {
            verdicts.append(
                FieldVerdict(
                    .header(name),
                    isEqual: matches(request),
                    expected: FieldVerdict.Value(value?.bytes),
                    found: FieldVerdict.Value(found?[...])
                )
            )
        }
    }
}
