// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Regular expressions and searches.
enum PatternHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "matches": TemplateHelper { (call, output) throws(TemplateFailure) in try show(matches(call), call, &output) },
        "contains": TemplateHelper { (call, output) throws(TemplateFailure) in try show(contains(call), call, &output)
        },
        "regexExtract": .value(regexExtract),
    ]

    /// Renders the block if the condition holds. As in WireMock, `{{else}}` is ignored.
    private static func show(
        _ condition: Bool,
        _ call: HelperInvocation,
        _ output: inout [UInt8]
    ) throws(TemplateFailure) -> TemplateValue {
        guard call.isBlock else { return .bool(condition) }
        if condition { try call.renderContent(to: &output) }
        return .null
    }

    private static func matches(_ call: HelperInvocation) throws(TemplateFailure) -> Bool {
        guard call.arguments.count > 1 else {
            throw .printed("You must specify the string to be matched and the regular expression")
        }
        let text = try call.subjectText()
        guard case .string(let pattern) = call.parameter(0) else { throw invalid(call.parameter(0), call) }
        guard let matches = try call.renderer.matches(pattern, text) else { throw invalid(.string(pattern), call) }
        return matches
    }

    private static func invalid(_ value: TemplateValue, _ call: HelperInvocation) -> TemplateFailure {
        call.failure(expected: "a regular expression", found: value, "check the parentheses and escapes")
    }

    private static func contains(_ call: HelperInvocation) throws(TemplateFailure) -> Bool {
        guard call.arguments.count > 1 else {
            throw .printed("You must specify the string or array to be matched and the regular expression")
        }
        let part = call.parameter(0)
        guard !call.subject.isNull, !part.isNull else { return false }
        if let elements = call.subject.elements {
            for element in elements where try call.renderer.isEqual(element, part) { return true }
            return false
        }
        if let members = call.renderer.members(of: call.subject) {
            let name = try call.text(part)
            return members.contains { $0.name == name }
        }
        guard case .string(let text) = part else {
            throw call.failure(expected: "a string to look for", found: part, "quote it")
        }
        return try call.text(call.subject).contains(text)
    }

    /// Returns the first match; with the name of a variable, stores the groups of all matches there.
    @Sendable private static func regexExtract(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let text = try call.subjectText()
        guard call.arguments.count > 1 else {
            throw TemplateFailure("expected a regular expression, found no second argument; add it")
        }
        let pattern = try call.text(call.parameter(0))
        guard let compiled = call.renderer.pattern(pattern) else {
            return .string("[ERROR: Invalid regex string \(pattern)]")
        }
        guard call.arguments.count > 2 else {
            if let match = try call.renderer.groups(of: compiled, in: text, limit: 1).first { return .string(match[0]) }
            return try call.option("default", or: .string("[ERROR: Nothing matched \(pattern)]"))
        }
        let groups = try call.renderer.groups(of: compiled, in: text).flatMap { $0.dropFirst() }
        guard !groups.isEmpty else {
            return try call.option("default", or: .string("[ERROR: Nothing matched \(pattern)]"))
        }
        call.renderer.variables[try call.text(call.parameter(1))] = .values(groups)
        return .null
    }
}
