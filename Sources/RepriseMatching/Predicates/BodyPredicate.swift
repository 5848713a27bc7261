// SPDX-License-Identifier: Apache-2.0

/// Asks for a body, in the way of its kind.
struct BodyPredicate: Predicate {
    let body: BodyPattern
    /// Its canonical form, if it has masks.
    let masked: MaskedText?

    func matches(_ request: CanonicalRequest) -> Bool { BodyComparison.isEqual(body, request, masked) }

    func distance(from request: CanonicalRequest) -> Int {
        BodyComparison.distance(body, request, masked: masked)
    }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        BodyComparison.append(body, request, masked: masked, limit: limit, to: &verdicts)
    }
}
