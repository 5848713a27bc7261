// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requires the range of a recorded request, or any condition.
struct SelectionPredicate: Predicate {
    let selection: ContentSelection

    func matches(_ request: CanonicalRequest) -> Bool {
        ContentSelection.keys(of: request.view).contains(selection.key)
    }

    func distance(from request: CanonicalRequest) -> Int { matches(request) ? 0 : 2 }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        let found = request.view.joinedValue(named: selection.name)
        verdicts.append(
            FieldVerdict(
                .selection(selection.name),
                isEqual: matches(request),
                expected: .bytes(selection.value[...]),
                found: FieldVerdict.Value(found?[...])
            )
        )
    }
}
