// SPDX-License-Identifier: Apache-2.0

import RepriseText

/// The matchers by name.
enum MatcherKind: String, CaseIterable {
    case equalTo, binaryEqualTo, contains, doesNotContain, matches, doesNotMatch, absent, anything
    case equalToJson, matchesJsonPath, matchesJsonSchema, equalToXml, matchesXPath
    case before, after, equalToDateTime
    case and, or, not, hasExactly, includes, matchesPathTemplate
    case equalToNumber, greaterThanNumber, greaterThanEqualNumber, lessThanNumber, lessThanEqualNumber

    /// The names of the options beside the matcher.
    var options: [String] {
        switch self {
        case .equalTo: ["caseInsensitive"]
        case .equalToJson: ["ignoreArrayOrder", "ignoreExtraElements"]
        case .matchesJsonSchema: ["schemaVersion"]
        case .matchesXPath: ["xPathNamespaces"]
        case .equalToXml:
            [
                "enablePlaceholders", "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
                "exemptedComparisons", "ignoreOrderOfSameNode", "namespaceAwareness",
            ]
        case .before, .after, .equalToDateTime:
            [
                "actualFormat", "expectedOffset", "expectedOffsetUnit", "truncateExpected", "truncateActual",
                "applyTruncationLast",
            ]
        default: []
        }
    }

    /// The options of all matchers.
    static let allOptions = Set(allCases.flatMap(\.options).map(ExactText.init(_:)))

    /// Advice on matchers that are not supported.
    static let refusals: [ExactText: String] = [
        "customMatcher": "extensions of WireMock do not run here, so use the known matchers instead",
        "equalToIgnoreCase": "write \"equalTo\" with \"caseInsensitive\": true",
    ]
}
