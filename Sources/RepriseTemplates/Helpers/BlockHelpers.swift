// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The helpers of Handlebars.
enum BlockHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "if": TemplateHelper { (call, output) throws(TemplateFailure) in try choose(call, !isEmpty(call), &output) },
        "unless": TemplateHelper { (call, output) throws(TemplateFailure) in try choose(call, isEmpty(call), &output) },
        "with": TemplateHelper(run: with),
        "each": TemplateHelper(run: each),
        "lookup": .value(lookup),
        "log": .value { (_) throws(TemplateFailure) in .null },
        "assign": .value(assign),
    ]

    private static func isEmpty(_ call: HelperInvocation) -> Bool { call.subject.isEmpty }

    private static func choose(
        _ call: HelperInvocation,
        _ condition: Bool,
        _ output: inout [UInt8]
    ) throws(TemplateFailure) -> TemplateValue {
        if condition { try call.renderContent(to: &output) } else { try call.renderInverse(to: &output) }
        return .null
    }

    @Sendable private static func with(
        _ call: HelperInvocation,
        _ output: inout [UInt8]
    ) throws(TemplateFailure) -> TemplateValue {
        let value = call.subject
        guard !value.isEmpty else {
            try call.renderInverse(to: &output)
            return .null
        }
        let names = call.call.block?.parameters ?? []
        try call.renderContent(
            in: TemplateRenderer.Scope(value: value, names: names, values: names.isEmpty ? [] : [value]),
            to: &output
        )
        return .null
    }

    @Sendable private static func each(
        _ call: HelperInvocation,
        _ output: inout [UInt8]
    ) throws(TemplateFailure) -> TemplateValue {
        let names = call.call.block?.parameters ?? []
        let entries: [(key: TemplateValue, value: TemplateValue)]
        if let elements = call.subject.elements {
            entries = elements.enumerated().map { (.integer($0.offset), $0.element) }
        } else if let members = call.renderer.members(of: call.subject) {
            entries = members.map { (.string($0.name), $0.value) }
        } else {
            entries = []
        }
        if entries.isEmpty { try call.renderInverse(to: &output) }
        for (index, entry) in entries.enumerated() {
            let scope = TemplateRenderer.Scope(
                value: entry.value,
                names: names,
                values: names.isEmpty ? [] : [entry.value, entry.key],
                iteration: TemplateRenderer.Iteration(key: entry.key, index: index, isLast: index == entries.count - 1)
            )
            try call.renderContent(in: scope, to: &output)
        }
        return .null
    }

    /// Returns a member of the subject. As in Handlebars.java, if there is none, the name is looked up in the enclosing
    /// scopes, and if it is not there either, the result is the subject itself.
    @Sendable private static func lookup(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard call.arguments.count > 1, !call.subject.isNull else { return call.subject }
        let name = try call.text(call.parameter(0))
        let value = call.renderer.property(name, of: call.subject)
        guard value.isNull else { return value }
        let path = TemplatePath(head: .name, parents: 0, segments: [name], text: name)
        let outer = call.renderer.value(at: path)
        return outer.isNull ? call.subject : outer
    }

    /// Stores the content of the block under a name.
    @Sendable private static func assign(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard case .string(let name) = call.subject else {
            throw call.failure(expected: "the name of a variable", found: call.subject, "quote the name")
        }
        call.renderer.variables[name] = .string(try call.contentText() ?? "")
        return .null
    }
}
