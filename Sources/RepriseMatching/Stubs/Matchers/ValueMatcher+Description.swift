// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
import RepriseText

extension ValueMatcher {
    /// What the matcher expects, as near misses and explanations show it: the text for `equalTo`, otherwise the matcher
    /// in brackets and its operand.
    var expectation: String {
        switch self {
        case .equalTo(let text, ignoringCase: false): text
        case .equalTo(let text, ignoringCase: true): "[equalTo, ignoring case] \(text)"
        case .binaryEqualTo(let bytes): "[binaryEqualTo] \(Base64.text(bytes))"
        case .contains(let text), .doesNotContain(let text), .matches(let text), .doesNotMatch(let text),
            .matchesPathTemplate(let text), .equalToXML(let text, _):
            "[\(key)] \(text)"
        case .absent, .anything: "[\(key)]"
        case .equalToJSON(let json, _, _), .matchesJSONSchema(let json, _):
            "[\(key)] \(String(decoding: json.bytes, as: UTF8.self))"
        case .matchesJSONPath(let expression, let matcher), .matchesXPath(let expression, _, let matcher):
            "[\(key)] \(expression)" + (matcher.map { " \($0.bracketed)" } ?? "")
        case .date(let date): "[\(key)] \(date.expected)"
        case .number(_, let number): "[\(key)] \(number.spelling)"
        case .not(let matcher): "[not] \(matcher.bracketed)"
        case .and(let matchers): matchers.map(\.bracketed).joined(separator: " and ")
        case .or(let matchers): matchers.map(\.bracketed).joined(separator: " or ")
        case .hasExactly(let matchers), .includes(let matchers):
            "[\(key)] " + matchers.map(\.bracketed).joined(separator: ", ")
        }
    }

    private var bracketed: String {
        if case .equalTo(let text, ignoringCase: false) = self { return "[equalTo] \(text)" }
        return expectation
    }
}
