// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText

/// The first byte chooses a matcher, the rest of the first line is its operand, and what follows is the content of a
/// request. The matcher is refused, or it finds the same each time, in agreement with its distance. With little time,
/// it finds the same too, or is interrupted.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStubMatcher(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.count
    guard let kind = input.first, end > 0,
        let matcher = matcher(kind, String(decoding: input[1..<end], as: UTF8.self)),
        let stub = try? CompiledStubRequest(stub(matcher))
    else { return 0 }
    let content = Array(input[min(end + 1, count)...])
    let whole = facts(content, .none)
    let isMatch = stub.matches(whole)
    require(stub.matches(facts(content, .none)) == isMatch, "two results for one request")
    let described = facts(content, .none)
    let distance = stub.distance(from: described)
    if whole.budget.refusals == 0, described.budget.refusals == 0 {
        require((distance == 0) == isMatch, "a distance that is not that of the result")
        require(stub.verdicts(on: described).allSatisfy(\.isMatch) == isMatch, "a verdict that is not the result")
    }
    require(distance >= 0 && distance <= 1, "a distance out of range")
    let short = facts(content, .short)
    let isShortMatch = stub.matches(short)
    require(short.isInterrupted ? !isShortMatch : isShortMatch == isMatch, "another result in little time")
    return 0
}

private func facts(_ content: [UInt8], _ limit: WorkLimit) -> DecodedRequest {
    let lines = ["Content-Type: multipart/form-data; boundary=b"].compactMap { HeaderLine($0) }
    let request = OwnedRequest(method: "POST", url: "/", headers: lines, body: content)
    return DecodedRequest(request, now: .seconds(1_794_353_631), steps: 200_000, limit: limit)
}

private func stub(_ matcher: ValueMatcher) -> StubRequest {
    var request = StubRequest()
    request.body = [matcher]
    return request
}

private func matcher(_ kind: UInt8, _ operand: String) -> ValueMatcher? {
    let tree = try? JSONTree(parsing: Array(operand.utf8))
    switch kind {
    case UInt8(ascii: "a"): return .equalTo(operand, ignoringCase: true)
    case UInt8(ascii: "b"): return .contains(operand)
    case UInt8(ascii: "c"): return .not(.contains(operand))
    case UInt8(ascii: "d"): return .matches(operand)
    case UInt8(ascii: "e"): return .doesNotMatch(operand)
    case UInt8(ascii: "f"): return tree.map { .equalToJSON($0) }
    case UInt8(ascii: "g"): return tree.map { .equalToJSON($0, ignoresArrayOrder: true, ignoresExtraElements: true) }
    case UInt8(ascii: "h"): return tree.map { .equalToJSON($0, ignoresArrayOrder: true) }
    case UInt8(ascii: "i"): return .matchesJSONPath(operand)
    case UInt8(ascii: "j"): return .matchesJSONPath(operand, .contains("1"))
    case UInt8(ascii: "k"): return .matchesJSONPath(operand, .absent)
    case UInt8(ascii: "l"): return tree.map { .matchesJSONSchema($0) }
    case UInt8(ascii: "m"): return .equalToXML(operand)
    case UInt8(ascii: "n"): return .matchesXPath(operand)
    case UInt8(ascii: "o"): return .matchesXPath(operand, .matches("[a-z]+"))
    case UInt8(ascii: "p"): return .matchesPathTemplate(operand)
    default: return nil
    }
}
