// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText

/// Returns the facts of a request.
func facts(
    _ method: String = "GET",
    _ url: String = "/",
    headers: [String] = [],
    body: String = "",
    steps: Int = WorkBudget.standardSteps,
    limit: WorkLimit = .none
) -> DecodedRequest {
    facts(method, url, headers: headers, bytes: Array(body.utf8), steps: steps, limit: limit)
}

/// Returns the facts of a request.
func facts(
    _ method: String = "GET",
    _ url: String = "/",
    headers: [String] = [],
    bytes: [UInt8],
    scheme: String = "http",
    steps: Int = WorkBudget.standardSteps,
    limit: WorkLimit = .none
) -> DecodedRequest {
    let lines = headers.compactMap { HeaderLine($0) }
    let request = OwnedRequest(method: method, url: url, headers: lines, body: bytes)
    return DecodedRequest(request, scheme: scheme, clientIP: "10.0.0.7", steps: steps, limit: limit)
}

/// Whether a matcher accepts the content of a request.
func accepts(_ matcher: ValueMatcher, body: String) throws -> Bool {
    var request = StubRequest()
    request.body = [matcher]
    return try CompiledStubRequest(request).matches(facts("POST", "/", body: body))
}

/// Whether a matcher accepts a query parameter, which may be empty, unlike content; `nil` for none.
func accepts(_ matcher: ValueMatcher, _ value: String?) throws -> Bool {
    var request = StubRequest()
    request.query = [NamedMatcher("q", matcher)]
    let compiled = try CompiledStubRequest(request)
    let query = value.map {
        "?q=" + $0.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
    let facts = facts("GET", "/" + (query ?? ""))
    let matches = compiled.matches(facts)
    // The distance and the verdict say the same.
    guard matches == (compiled.distance(from: facts) == 0) else { throw Disagreement.distance }
    guard matches == compiled.verdicts(on: facts).allSatisfy(\.isMatch) else { throw Disagreement.verdict }
    return matches
}

extension StubKey.Field {
    static func query(_ name: String) -> Self { .query(Array(name.utf8)) }
    static func header(_ name: String) -> Self { .header(Array(name.utf8)) }
    static func cookie(_ name: String) -> Self { .cookie(Array(name.utf8)) }
    static func form(_ name: String) -> Self { .form(Array(name.utf8)) }
}

extension DecodedRequest {
    /// Returns the values of a field as texts.
    func texts(of field: StubKey.Field) -> [String] { values(of: field).map { String(decoding: $0, as: UTF8.self) } }
}

enum Disagreement: Error {
    case distance
    case verdict
}
