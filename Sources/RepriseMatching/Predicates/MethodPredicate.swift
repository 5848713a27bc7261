// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requires a method. A GET fixture can also answer a HEAD request.
struct MethodPredicate: Predicate {
    let method: [UInt8]

    func matches(_ request: CanonicalRequest) -> Bool {
        method == request.method
            || request.method.elementsEqual("HEAD".utf8) && method.elementsEqual("GET".utf8)
    }

    func distance(from request: CanonicalRequest) -> Int { matches(request) ? 0 : 3 }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        let (expected, found) = (FieldVerdict.Value.bytes(method[...]), FieldVerdict.Value.bytes(request.method[...]))
        verdicts.append(FieldVerdict(.method, isEqual: matches(request), expected: expected, found: found))
    }
}
