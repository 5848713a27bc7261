// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requires the pairs of a query, in any order.
struct QueryPredicate: Predicate {
    /// The canonical form of the query.
    let query: [UInt8]
    /// The canonical form if it has masks.
    let masked: MaskedText?

    func matches(_ request: CanonicalRequest) -> Bool {
        query == request.query || masked.map { MaskedPairing($0, request.query).isEqual } ?? false
    }

    func distance(from request: CanonicalRequest) -> Int {
        QueryComparison.distance(query, request.query, budget: BodyComparison.distanceBudget, masked: masked)
    }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        QueryComparison.append(
            .query,
            query,
            request.query,
            limit: limit,
            budget: BodyComparison.verdictBudget,
            masked: masked,
            to: &verdicts
        )
    }
}
