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
        let isHidden = value?.isMasked == true && found != nil
        let isEqual = matches(request)
        let own = isEqual ? FieldVerdict.Value(value?.bytes) : .hidden("another text")
        verdicts.append(
            FieldVerdict(
                .header(name),
                isEqual: isEqual,
                expected: FieldVerdict.Value(value),
                found: isHidden ? own : FieldVerdict.Value(found?[...])
            )
        )
    }
}
