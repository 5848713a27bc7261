// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A call of a helper with the values of its arguments.
struct HelperInvocation {
    let renderer: TemplateRenderer
    let call: TemplateCall
    let arguments: [TemplateValue]

    /// The first argument; without arguments, the value of the scope.
    var subject: TemplateValue { arguments.first ?? renderer.scopes[renderer.scopes.count - 1].value }

    /// The arguments after the first.
    var parameters: ArraySlice<TemplateValue> { arguments.dropFirst() }

    /// Returns an argument after the first.
    func parameter(_ index: Int) -> TemplateValue {
        index + 1 < arguments.count ? arguments[index + 1] : .null
    }

    var isBlock: Bool { call.block != nil }

    /// Returns the value of an option, or `nil` if it is absent or null.
    func option(_ name: String) throws(TemplateFailure) -> TemplateValue? {
        guard !call.options.isEmpty, let option = call.options.first(where: { $0.name == name }) else { return nil }
        let value = try renderer.value(of: option.value)
        renderer.spend(value.units)
        return value.isNull ? nil : value
    }

    /// Whether the option is true, or the text `true`.
    func flag(_ name: String, default standard: Bool = false) throws(TemplateFailure) -> Bool {
        switch try option(name) {
        case nil: standard
        case .bool(let value): value
        case let value?: try renderer.text(of: value).lowercased() == "true"
        }
    }

    /// Renders the content of the block in the scope of the tag.
    func renderContent(to output: inout [UInt8]) throws(TemplateFailure) {
        if let block = call.block { try renderer.render(block.content, to: &output) }
    }

    /// Renders the content of the block in a scope of its own.
    func renderContent(in scope: TemplateRenderer.Scope, to output: inout [UInt8]) throws(TemplateFailure) {
        if let block = call.block { try renderer.render(block, in: scope, to: &output) }
    }

    /// Renders what is after `{{else}}`.
    func renderInverse(to output: inout [UInt8]) throws(TemplateFailure) {
        if let block = call.block { try renderer.render(block.inverse, to: &output) }
    }

    /// Returns the rendered content of the block, or `nil` if the tag is not a block.
    func contentText() throws(TemplateFailure) -> String? {
        guard isBlock else { return nil }
        var bytes: [UInt8] = []
        try renderContent(to: &bytes)
        renderer.spend(bytes.count / 2)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the rendered content of the block, or the text of the subject.
    func contentOrSubjectText() throws(TemplateFailure) -> String {
        if let content = try contentText() { return content }
        return try subjectText()
    }

    /// Returns the text of an option, or `nil` if it is absent.
    func optionText(_ name: String) throws(TemplateFailure) -> String? {
        guard let value = try option(name) else { return nil }
        return try text(value)
    }

    /// Returns the option, or `standard` if it is absent.
    func option(_ name: String, or standard: TemplateValue) throws(TemplateFailure) -> TemplateValue {
        guard let value = try option(name) else { return standard }
        return value
    }

    func text(_ value: TemplateValue) throws(TemplateFailure) -> String { try renderer.text(of: value) }

    /// Returns the texts of values with a separator between them, between the options `prefix` and `suffix`.
    func joined(
        _ values: [TemplateValue],
        _ separator: String,
        _ text: (TemplateValue, Int) throws(TemplateFailure) -> String
    ) throws(TemplateFailure) -> TemplateValue {
        var texts: [String] = []
        var size = 0
        for (index, value) in values.enumerated() {
            texts.append(try text(value, index))
            size += texts[index].utf8.count + separator.utf8.count
            try renderer.checkSize(size)
        }
        let joined = texts.joined(separator: separator)
        return .string((try optionText("prefix") ?? "") + joined + (try optionText("suffix") ?? ""))
    }

    /// Returns the text of the subject, which must not be null.
    func subjectText() throws(TemplateFailure) -> String {
        guard !subject.isNull else {
            throw TemplateFailure("expected a value, found nothing; check the name of the argument")
        }
        return try renderer.text(of: subject)
    }

    /// Returns a failure for an argument.
    func failure(expected: String, found value: TemplateValue, _ advice: String) -> TemplateFailure {
        let found =
            (try? renderer.text(of: value)).map { value.isNull ? "nothing" : "'\($0.prefix(60))'" } ?? "a large value"
        return TemplateFailure("expected \(expected), found \(found); \(advice)")
    }

    /// Renders a branch of a block, or returns the value of the option `yes` or `no`.
    func choose(_ condition: Bool, _ output: inout [UInt8]) throws(TemplateFailure) -> TemplateValue {
        guard isBlock else { return try option(condition ? "yes" : "no") ?? .bool(condition) }
        if condition { try renderContent(to: &output) } else { try renderInverse(to: &output) }
        return .null
    }
}
