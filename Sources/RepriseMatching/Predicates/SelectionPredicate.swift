// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requires the range of a recorded request, or any condition.
struct SelectionPredicate: Predicate {
    /// A range or a condition.
    let required: ContentSelection

    func matches(_ request: CanonicalRequest) -> Bool { ContentSelection(request.view).satisfies(required) }

    func distance(from request: CanonicalRequest) -> Int { matches(request) ? 0 : 2 }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        let name = required.names.first { request.view.joinedValue(named: $0) != nil }
        let found = FieldVerdict.Value(name.flatMap { request.view.joinedValue(named: $0)?[...] })
        let isEqual = matches(request)
        verdicts.append(
            FieldVerdict(
                .selection(name ?? required.names.joined(separator: " or ")),
                isEqual: isEqual,
                expected: required.range.map { .bytes($0[...]) } ?? (isEqual ? found : .hidden("any value")),
                found: found
            )
        )
    }
}
