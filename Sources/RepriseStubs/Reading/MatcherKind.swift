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

    /// The truncations of dates.
    static let truncations = [
        "first second of minute", "first minute of hour", "first hour of day", "first day of month",
        "first day of next month", "last day of month", "first day of year", "first day of next year",
        "last day of year",
    ]

    /// The units of offsets.
    static let dateUnits = ["seconds", "minutes", "hours", "days", "months", "years"]

    /// The kinds of comparison that `equalToXml` can leave out.
    static let xmlComparisons = [
        "XML_VERSION", "XML_STANDALONE", "XML_ENCODING", "HAS_DOCTYPE_DECLARATION", "DOCTYPE_NAME", "DOCTYPE_PUBLIC_ID",
        "DOCTYPE_SYSTEM_ID", "SCHEMA_LOCATION", "NO_NAMESPACE_SCHEMA_LOCATION", "NODE_TYPE", "NAMESPACE_PREFIX",
        "NAMESPACE_URI", "TEXT_VALUE", "PROCESSING_INSTRUCTION_TARGET", "PROCESSING_INSTRUCTION_DATA",
        "ELEMENT_TAG_NAME", "ELEMENT_NUM_ATTRIBUTES", "ATTR_VALUE", "ATTR_VALUE_EXPLICITLY_SPECIFIED",
        "ATTR_NAME_LOOKUP", "CHILD_NODELIST_LENGTH", "CHILD_NODELIST_SEQUENCE", "CHILD_LOOKUP",
    ]
}
