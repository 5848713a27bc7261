// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requires the pairs of a query, in any order.
struct QueryPredicate: Predicate {
    /// The canonical form of the query.
    let query: MaskedText

    func matches(_ request: CanonicalRequest) -> Bool { PairComparison(query, request.query).isEqual }

    func distance(from request: CanonicalRequest) -> Int {
        PairComparison(query, request.query, budget: BodyComparison.distanceBudget).distance
    }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        PairComparison(query, request.query, budget: BodyComparison.verdictBudget)
            .append(.query, limit: limit, to: &verdicts)
    }
}
