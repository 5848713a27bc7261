// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Each matcher in JSON: its name, its options, how it is read, and how it is written.

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

extension ValueMatcher {
    /// The name of the member that holds the matcher in a stub mapping.
    package var key: String {
        switch self {
        case .equalTo: "equalTo"
        case .binaryEqualTo: "binaryEqualTo"
        case .contains: "contains"
        case .doesNotContain: "doesNotContain"
        case .matches: "matches"
        case .doesNotMatch: "doesNotMatch"
        case .absent: "absent"
        case .anything: "anything"
        case .equalToJSON: "equalToJson"
        case .matchesJSONPath: "matchesJsonPath"
        case .matchesJSONSchema: "matchesJsonSchema"
        case .equalToXML: "equalToXml"
        case .matchesXPath: "matchesXPath"
        case .date(let date): date.comparison.rawValue
        case .and: "and"
        case .or: "or"
        case .not: "not"
        case .hasExactly: "hasExactly"
        case .includes: "includes"
        case .matchesPathTemplate: "matchesPathTemplate"
        case .number(let comparison, _): comparison.rawValue
        }
    }
}

extension StubParser {
    mutating func matcher(
        _ kind: MatcherKind,
        _ operand: JSONNode,
        _ options: [ExactText: JSONNode]
    ) -> ValueMatcher? {
        let name = kind.rawValue
        switch kind {
        case .absent:
            if case .scalar(.bool(false)) = operand.value {
                note(
                    at: operand.offset,
                    "\"absent\": false means absent too, as in WireMock; write {\"matches\": \".*\"} for any value"
                )
            }
            return .absent
        case .anything: return .anything
        case .equalTo:
            let ignoringCase = flag("caseInsensitive", options)
            return string(operand, name).map { .equalTo($0, ignoringCase: ignoringCase) }
        case .binaryEqualTo: return base64(operand, name).map { .binaryEqualTo($0) }
        case .contains: return string(operand, name).map { .contains($0) }
        case .doesNotContain: return string(operand, name).map { .doesNotContain($0) }
        case .matches: return string(operand, name).map { .matches($0) }
        case .doesNotMatch: return string(operand, name).map { .doesNotMatch($0) }
        case .matchesPathTemplate: return string(operand, name).map { .matchesPathTemplate($0) }
        case .equalToJson:
            let ignoresOrder = flag("ignoreArrayOrder", options)
            let ignoresExtra = flag("ignoreExtraElements", options)
            return json(operand, name).map {
                .equalToJSON($0, ignoresArrayOrder: ignoresOrder, ignoresExtraElements: ignoresExtra)
            }
        case .matchesJsonSchema:
            let versions = ValueMatcher.JSONSchemaVersion.allCases
            let version = word(options["schemaVersion"], "schemaVersion", among: versions) ?? .v202012
            return json(operand, name).map { .matchesJSONSchema($0, version: version) }
        case .matchesJsonPath:
            return expression(operand, name).map { .matchesJSONPath($0.path, $0.matcher) }
        case .matchesXPath:
            let namespaces = tolerating("no namespace is declared") { $0.namespaces(options["xPathNamespaces"]) }
            return expression(operand, name).map { .matchesXPath($0.path, namespaces: namespaces, $0.matcher) }
        case .equalToXml:
            let xml = xmlOptions(options)
            return string(operand, name).map { .equalToXML($0, xml) }
        case .before, .after, .equalToDateTime: return date(kind, operand, options)
        case .and: return matchers(operand, name, isEmptyAllowed: false).map { .and($0) }
        case .or: return matchers(operand, name, isEmptyAllowed: false).map { .or($0) }
        case .not: return matcher(operand, of: name).map { .not($0) }
        case .hasExactly: return matchers(operand, name, isEmptyAllowed: true).map { .hasExactly($0) }
        case .includes: return matchers(operand, name, isEmptyAllowed: true).map { .includes($0) }
        case .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber, .lessThanEqualNumber:
            guard let comparison = ValueMatcher.NumberComparison(rawValue: name) else { return nil }
            return number(operand, name).map { .number(comparison, $0) }
        }
    }
}

extension StubMappingWriter {
    static func members(of matcher: ValueMatcher) -> [JSONTree.Member] {
        var object: JSONObject = [:]
        let name = matcher.key
        switch matcher {
        case .equalTo(let text, let ignoringCase):
            object[name] = .string(text)
            if ignoringCase { object["caseInsensitive"] = true }
        case .binaryEqualTo(let bytes): object[name] = .string(Base64.text(bytes))
        case .contains(let text), .doesNotContain(let text), .matches(let text), .doesNotMatch(let text),
            .matchesPathTemplate(let text):
            object[name] = .string(text)
        case .absent: object[name] = true
        case .anything: object[name] = "(always)"
        case .equalToJSON(let json, let ignoresOrder, let ignoresExtra):
            object[name] = operand(json)
            if ignoresOrder { object["ignoreArrayOrder"] = true }
            if ignoresExtra { object["ignoreExtraElements"] = true }
        case .matchesJSONPath(let path, let inner):
            object[name] = expression(path, inner)
        case .matchesJSONSchema(let schema, let version):
            object[name] = operand(schema)
            if version != .v202012 { object["schemaVersion"] = .string(version.rawValue) }
        case .equalToXML(let xml, let options):
            object[name] = .string(xml)
            add(options, to: &object)
        case .matchesXPath(let path, let namespaces, let inner):
            object[name] = expression(path, inner)
            if !namespaces.isEmpty {
                object["xPathNamespaces"] = .object(namespaces.map { .init($0.prefix, .string($0.uri)) })
            }
        case .date(let date): add(date, to: &object)
        case .and(let matchers), .or(let matchers), .hasExactly(let matchers), .includes(let matchers):
            object[name] = list(matchers)
        case .not(let inner): object[name] = tree(of: inner)
        case .number(_, let number): object[name] = .number(number)
        }
        return object.members
    }
}
