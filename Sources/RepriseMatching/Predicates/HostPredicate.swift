// SPDX-License-Identifier: Apache-2.0

/// Requires the host of a recorded exchange, but only if the options require the host.
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
