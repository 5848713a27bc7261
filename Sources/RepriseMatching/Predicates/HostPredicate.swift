// SPDX-License-Identifier: Apache-2.0

/// Asks for the host that a recorded exchange was made with. It is required only if the options say so.
struct HostPredicate: Predicate {
    let host: [UInt8]
    let isRequired: Bool

    func matches(_ request: CanonicalRequest) -> Bool { request.names(host: host) }

    func distance(from request: CanonicalRequest) -> Int { matches(request) ? 0 : 2 }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        verdicts.append(
            FieldVerdict(
                .host,
                isEqual: matches(request),
                isRequired: isRequired,
                expected: .bytes(host[...]),
                found: FieldVerdict.Value(request.host?[...])
            )
        )
    }
}
