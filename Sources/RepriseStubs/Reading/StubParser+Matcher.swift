// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads matchers.
extension StubParser {
    /// The maximum depth of nested matchers.
    private static let maximumDepth = 64

    /// Reads the matcher of a value called `name`.
    mutating func matcher(_ node: JSONNode, of name: String) -> ValueMatcher? {
        switch node.value {
        case .object(let members):
            return matcher(members, in: node)
        case .scalar(.string(let string)):
            reject(node, "a matcher for \"\(clipped(name))\"", "; write {\"equalTo\": \"\(clipped(string, to: 20))\"}")
        default:
            reject(node, "a matcher, such as {\"equalTo\": \"a\"}, for \"\(clipped(name))\"")
        }
        return nil
    }

    /// Reads a matcher from the members of an object. `around` contains names of members that belong to something else.
    private mutating func matcher(
        _ members: [JSONNode.Member],
        in node: JSONNode,
        around: Set<ExactText> = []
    ) -> ValueMatcher? {
        guard depth < Self.maximumDepth else {
            report(node, "expected matchers nested at most \(Self.maximumDepth) deep, found more")
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        guard let (kind, operand) = operand(among: members, in: node, around: around) else { return nil }
        var options: [ExactText: JSONNode] = [:]
        for member in members where kind.options.contains(member.name) && !member.value.isNull {
            options[member.name] = member.value
        }
        return matcher(kind, operand, options)
    }

    /// Returns the first matcher of an object. `absent` counts wherever it is, as in WireMock.
    private mutating func operand(
        among members: [JSONNode.Member],
        in node: JSONNode,
        around: Set<ExactText>
    ) -> (MatcherKind, JSONNode)? {
        var first: (kind: MatcherKind, member: JSONNode.Member)?
        var unknown: [JSONNode.Member] = []
        var others: [JSONNode.Member] = []
        for member in members where !around.contains(member.name) {
            if let kind = MatcherKind(rawValue: member.name) {
                if let earlier = first, kind != .absent {
                    // The last of members with the same name counts.
                    if earlier.kind == kind { first = (kind, member) } else { others.append(member) }
                } else {
                    if let earlier = first { others.append(earlier.member) }
                    first = (kind, member)
                }
            } else if !MatcherKind.allOptions.contains(member.name) {
                unknown.append(member)
            }
        }
        for member in unknown {
            let known = MatcherKind.allCases.map(\.rawValue) + (first?.kind.options ?? [])
            let message = Self.unknown(member.name, "a matcher", known, MatcherKind.refusals)
            // WireMock ignores what is beside a matcher.
            if let first {
                tolerate(at: member.offset, "\(message); it has no effect beside \"\(first.kind.rawValue)\"")
            } else {
                report(at: member.offset, message)
            }
        }
        guard let first else {
            if unknown.isEmpty {
                report(node, "expected a matcher, such as {\"equalTo\": \"a\"}, found none of the known ones")
            }
            return nil
        }
        for member in others {
            note(
                at: member.offset,
                "\"\(member.name)\" has no effect beside \"\(first.kind.rawValue)\"; use \"and\" for both"
            )
        }
        for member in members where MatcherKind.allOptions.contains(member.name) && !around.contains(member.name) {
            if first.kind.options.contains(member.name) || others.contains(where: { $0.name == member.name }) {
                continue
            }
            note(at: member.offset, "\"\(member.name)\" has no effect on \"\(first.kind.rawValue)\"")
        }
        return (first.kind, first.member.value)
    }

    private mutating func matcher(
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

    /// Returns an option that is on or off. WireMock reads any other value as off.
    private mutating func flag(_ name: String, _ options: [ExactText: JSONNode]) -> Bool {
        tolerating("it counts as false") { $0.boolean(options[ExactText(name)], name) ?? false }
    }

    // MARK: Operands

    private mutating func matchers(_ node: JSONNode, _ name: String, isEmptyAllowed: Bool) -> [ValueMatcher]? {
        guard let elements = elements(node, name, of: "matchers") else { return nil }
        if elements.isEmpty, !isEmptyAllowed {
            report(node, "expected at least one matcher in \"\(name)\", found none")
        }
        return elements.compactMap { matcher($0, of: name) }
    }

    /// Reads JSON that is written as a value, or as a string that contains it.
    private mutating func json(_ node: JSONNode, _ name: String) -> JSONTree? {
        guard case .scalar(.string(let text)) = node.value else { return node.tree }
        do throws(JSONError) {
            return try LenientJSON(Array(text.utf8)).root().node.tree
        } catch {
            report(node, "the string for \"\(name)\" is not JSON: at byte \(error.offset) \(error.message)")
            return nil
        }
    }

    /// Reads a path, or an object with an expression and a matcher of what it finds.
    private mutating func expression(_ node: JSONNode, _ name: String) -> (path: String, matcher: ValueMatcher?)? {
        if case .scalar(.string(let path)) = node.value { return (path, nil) }
        guard case .object(let members) = node.value else {
            reject(node, "a string or {\"expression\": …} for \"\(name)\"")
            return nil
        }
        guard let expression = node["expression"] else {
            report(node, "expected \"expression\" in \"\(name)\", found none")
            return nil
        }
        guard let path = string(expression, "expression") else { return nil }
        guard members.contains(where: { $0.name != "expression" }) else { return (path, nil) }
        guard let matcher = matcher(members, in: node, around: ["expression"]) else { return nil }
        return (path, matcher)
    }

    private mutating func namespaces(_ node: JSONNode?) -> [ValueMatcher.XMLNamespace] {
        guard let node, let members = members(node, "an object of URIs by prefix for \"xPathNamespaces\"") else {
            return []
        }
        return members.compactMap { member in
            string(member.value, member.name).map { ValueMatcher.XMLNamespace(prefix: member.name, uri: $0) }
        }
    }

    private mutating func xmlOptions(_ nodes: [ExactText: JSONNode]) -> ValueMatcher.XMLOptions {
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

    private mutating func date(
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
