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

    /// Returns an option that is on or off. WireMock reads any other value as off.
    mutating func flag(_ name: String, _ options: [ExactText: JSONNode]) -> Bool {
        tolerating("it counts as false") { $0.boolean(options[ExactText(name)], name) ?? false }
    }

    // MARK: Operands

    mutating func matchers(_ node: JSONNode, _ name: String, isEmptyAllowed: Bool) -> [ValueMatcher]? {
        guard let elements = elements(node, name, of: "matchers") else { return nil }
        if elements.isEmpty, !isEmptyAllowed {
            report(node, "expected at least one matcher in \"\(name)\", found none")
        }
        return elements.compactMap { matcher($0, of: name) }
    }

    /// Reads JSON that is written as a value, or as a string that contains it.
    mutating func json(_ node: JSONNode, _ name: String) -> JSONTree? {
        guard case .scalar(.string(let text)) = node.value else { return node.tree }
        do throws(JSONError) {
            return try LenientJSON(Array(text.utf8)).root().node.tree
        } catch {
            report(node, "the string for \"\(name)\" is not JSON: at byte \(error.offset) \(error.message)")
            return nil
        }
    }

    /// Reads a path, or an object with an expression and a matcher of what it finds.
    mutating func expression(_ node: JSONNode, _ name: String) -> (path: String, matcher: ValueMatcher?)? {
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
}
