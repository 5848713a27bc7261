// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares the host with that of a recorded exchange, and the scheme if the request came through a proxy.
struct HostPredicate: Predicate {
    let host: [UInt8]
    let isSecure: Bool

    func matches(_ request: CanonicalRequest) -> Bool { request.names(host: host, isSecure: isSecure) }

    func distance(from request: CanonicalRequest) -> Int { matches(request) ? 0 : 2 }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        // Show the scheme if it is the difference.
        let isShown = request.view.isSecureThroughProxy.map { $0 != isSecure } ?? false
        func shown(_ host: [UInt8], isSecure: Bool) -> ArraySlice<UInt8> {
            isShown ? [UInt8]((isSecure ? "https://" : "http://").utf8) + host[...] : host[...]
        }
        verdicts.append(
            FieldVerdict(
                .host,
                isEqual: matches(request),
                isRequired: request.requiresHost,
                expected: .bytes(shown(host, isSecure: isSecure)),
                found: FieldVerdict.Value(request.host.map { shown($0, isSecure: !isSecure) })
            )
        )
    }
}
