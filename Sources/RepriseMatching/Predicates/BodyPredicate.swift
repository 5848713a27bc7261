// SPDX-License-Identifier: Apache-2.0

/// Requires a body that is equal when compared as its kind.
struct BodyPredicate: Predicate {
    let body: BodyPattern
    /// The canonical form if it has masks.
    let masked: MaskedText?

    func matches(_ request: CanonicalRequest) -> Bool { BodyComparison.isEqual(body, request, masked) }

    func distance(from request: CanonicalRequest) -> Int {
        BodyComparison.distance(body, request, masked: masked)
    }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        BodyComparison.append(body, request, masked: masked, limit: limit, to: &verdicts)
    }
}
