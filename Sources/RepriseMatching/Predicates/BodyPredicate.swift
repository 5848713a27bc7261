// SPDX-License-Identifier: Apache-2.0

/// Requires a body that is equal when compared as its kind.
struct BodyPredicate: Predicate {
    let body: BodyPattern
    /// The canonical form; empty if bodies are not compared.
    let text: MaskedText

    func matches(_ request: CanonicalRequest) -> Bool { BodyComparison.isEqual(body, text, request) }

    func distance(from request: CanonicalRequest) -> Int { BodyComparison.distance(body, text, request) }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        BodyComparison.append(body, text, request, limit: limit, to: &verdicts)
    }
}
