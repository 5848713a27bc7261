// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

extension StubMappingWriter {
    /// Returns a matcher as JSON.
    package static func tree(of matcher: ValueMatcher) -> JSONTree {
        .object(members(of: matcher))
    }

    private static func members(of matcher: ValueMatcher) -> [JSONTree.Member] {
        var object: JSONObject = [:]
        switch matcher {
        case .equalTo(let text, let ignoringCase):
            object["equalTo"] = .string(text)
            if ignoringCase { object["caseInsensitive"] = true }
        case .binaryEqualTo(let bytes): object["binaryEqualTo"] = .string(Base64.text(bytes))
        case .contains(let text): object["contains"] = .string(text)
        case .doesNotContain(let text): object["doesNotContain"] = .string(text)
        case .matches(let pattern): object["matches"] = .string(pattern)
        case .doesNotMatch(let pattern): object["doesNotMatch"] = .string(pattern)
        case .absent: object["absent"] = true
        case .anything: object["anything"] = "(always)"
        case .equalToJSON(let json, let ignoresOrder, let ignoresExtra):
            object["equalToJson"] = operand(json)
            if ignoresOrder { object["ignoreArrayOrder"] = true }
            if ignoresExtra { object["ignoreExtraElements"] = true }
        case .matchesJSONPath(let path, let inner):
            object["matchesJsonPath"] = expression(path, inner)
        case .matchesJSONSchema(let schema, let version):
            object["matchesJsonSchema"] = operand(schema)
            if version != .v202012 { object["schemaVersion"] = .string(version.rawValue) }
        case .equalToXML(let xml, let options):
            object["equalToXml"] = .string(xml)
            add(options, to: &object)
        case .matchesXPath(let path, let namespaces, let inner):
            object["matchesXPath"] = expression(path, inner)
            if !namespaces.isEmpty {
                object["xPathNamespaces"] = .object(namespaces.map { .init($0.prefix, .string($0.uri)) })
            }
        case .date(let date): add(date, to: &object)
        case .and(let matchers): object["and"] = list(matchers)
        case .or(let matchers): object["or"] = list(matchers)
        case .not(let inner): object["not"] = tree(of: inner)
        case .hasExactly(let matchers): object["hasExactly"] = list(matchers)
        case .includes(let matchers): object["includes"] = list(matchers)
        case .matchesPathTemplate(let template): object["matchesPathTemplate"] = .string(template)
        case .number(let comparison, let number): object[comparison.rawValue] = .number(number)
        }
        return object.members
    }

    private static func list(_ matchers: [ValueMatcher]) -> JSONTree {
        .array(matchers.map { tree(of: $0) })
    }

    /// Returns JSON as an operand. A string is written as JSON inside a string. Deeply nested JSON is too, because with
    /// the mapping around it, it could exceed the depth that a reader accepts.
    private static func operand(_ json: JSONTree) -> JSONTree {
        if case .string = json {} else if !isDeeper(than: 64, json) { return json }
        return .string(String(decoding: json.bytes, as: UTF8.self))
    }

    static func isDeeper(than limit: Int, _ json: JSONTree) -> Bool {
        switch json {
        case .array(let elements): limit == 0 || elements.contains { isDeeper(than: limit - 1, $0) }
        case .object(let members): limit == 0 || members.contains { isDeeper(than: limit - 1, $0.value) }
        default: false
        }
    }

    private static func expression(_ path: String, _ inner: ValueMatcher?) -> JSONTree {
        guard let inner else { return .string(path) }
        return .object([.init("expression", .string(path))] + members(of: inner))
    }

    private static func add(_ options: ValueMatcher.XMLOptions, to object: inout JSONObject) {
        if options.enablesPlaceholders { object["enablePlaceholders"] = true }
        object["placeholderOpeningDelimiterRegex"] = options.placeholderOpening.map { .string($0) }
        object["placeholderClosingDelimiterRegex"] = options.placeholderClosing.map { .string($0) }
        if !options.exemptedComparisons.isEmpty {
            object["exemptedComparisons"] = .array(options.exemptedComparisons.map { .string($0) })
        }
        if options.ignoresOrderOfSameNode { object["ignoreOrderOfSameNode"] = true }
        object["namespaceAwareness"] = options.namespaceAwareness.map { .string($0) }
    }

    private static func add(_ date: ValueMatcher.DateMatcher, to object: inout JSONObject) {
        object[date.comparison.rawValue] = .string(date.expected)
        object["actualFormat"] = date.actualFormat.map { .string($0) }
        object["expectedOffset"] = date.offset.map { .number(JSONNumber($0)) }
        object["expectedOffsetUnit"] = date.offsetUnit.map { .string($0) }
        object["truncateExpected"] = date.truncateExpected.map { .string($0) }
        object["truncateActual"] = date.truncateActual.map { .string($0) }
        if date.truncatesLast { object["applyTruncationLast"] = true }
    }
}
