// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// The options of matchers that have several.
extension StubParser {
    mutating func namespaces(_ node: JSONNode?) -> [ValueMatcher.XMLNamespace] {
        guard let node, let members = members(node, "an object of URIs by prefix for \"xPathNamespaces\"") else {
            return []
        }
        return members.compactMap { member in
            string(member.value, member.name).map { ValueMatcher.XMLNamespace(prefix: member.name, uri: $0) }
        }
    }

    mutating func xmlOptions(_ nodes: [ExactText: JSONNode]) -> ValueMatcher.XMLOptions {
        var options = ValueMatcher.XMLOptions()
        options.enablesPlaceholders = flag("enablePlaceholders", nodes)
        let (opening, closing) = ("placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex")
        options.placeholderOpening = string(nodes[opening], opening)
        options.placeholderClosing = string(nodes[closing], closing)
        let exempted = "exemptedComparisons"
        options.exemptedComparisons = list(nodes[exempted], exempted, of: "comparisons") {
            $0.word($1, exempted, among: XMLComparisonKind.allCases.map(\.rawValue))
        }
        options.ignoresOrderOfSameNode = flag("ignoreOrderOfSameNode", nodes)
        options.namespaceAwareness = word(
            nodes["namespaceAwareness"],
            "namespaceAwareness",
            among: ["STRICT", "LEGACY", "NONE"]
        )
        return options
    }

    mutating func date(
        _ kind: MatcherKind,
        _ operand: JSONNode,
        _ options: [ExactText: JSONNode]
    ) -> ValueMatcher? {
        guard let comparison = ValueMatcher.DateMatcher.Comparison(rawValue: kind.rawValue),
            let expected = string(operand, kind.rawValue)
        else { return nil }
        var date = ValueMatcher.DateMatcher(comparison, expected)
        date.actualFormat = string(options["actualFormat"], "actualFormat")
        let range = Int(Int32.min)...Int(Int32.max)
        date.offset = tolerating("it counts as none") {
            $0.integer(options["expectedOffset"], "expectedOffset", in: range, "an integer")
        }
        let units = DateUnit.allCases.map(\.rawValue)
        date.offsetUnit = word(options["expectedOffsetUnit"], "expectedOffsetUnit", among: units, ignoringCase: true)
        let truncations = DateTruncation.allCases.map(\.rawValue)
        date.truncateExpected = word(
            options["truncateExpected"],
            "truncateExpected",
            among: truncations,
            ignoringCase: true
        )
        date.truncateActual = word(options["truncateActual"], "truncateActual", among: truncations, ignoringCase: true)
        date.truncatesLast = flag("applyTruncationLast", options)
        return .date(date)
    }
}

extension StubMappingWriter {
    static func add(_ options: ValueMatcher.XMLOptions, to object: inout JSONObject) {
        if options.enablesPlaceholders { object["enablePlaceholders"] = true }
        object["placeholderOpeningDelimiterRegex"] = options.placeholderOpening.map { .string($0) }
        object["placeholderClosingDelimiterRegex"] = options.placeholderClosing.map { .string($0) }
        if !options.exemptedComparisons.isEmpty {
            object["exemptedComparisons"] = .array(options.exemptedComparisons.map { .string($0) })
        }
        if options.ignoresOrderOfSameNode { object["ignoreOrderOfSameNode"] = true }
        object["namespaceAwareness"] = options.namespaceAwareness.map { .string($0) }
    }

    static func add(_ date: ValueMatcher.DateMatcher, to object: inout JSONObject) {
        object[date.comparison.rawValue] = .string(date.expected)
        object["actualFormat"] = date.actualFormat.map { .string($0) }
        object["expectedOffset"] = date.offset.map { .number(JSONNumber($0)) }
        object["expectedOffsetUnit"] = date.offsetUnit.map { .string($0) }
        object["truncateExpected"] = date.truncateExpected.map { .string($0) }
        object["truncateActual"] = date.truncateActual.map { .string($0) }
        if date.truncatesLast { object["applyTruncationLast"] = true }
    }
}
