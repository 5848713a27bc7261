// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseStubs
internal import RepriseTemplates
internal import RepriseText

/// A text of a mapping: as it is written, or a template.
enum StubText: Sendable {
    case plain(String)
    case template(Template)

    /// - Parameter part: What the text is, for a problem.
    init(_ text: String, isTemplate: Bool = true, of part: String) throws(StubAnswerError) {
        self = .plain(text)
        guard isTemplate else { return }
        do throws(TemplateProblem) {
            let template = try Template(compiling: text)
            if !template.isPlain { self = .template(template) }
        } catch {
            throw StubAnswerError("the template of \(part) is invalid: \(error)")
        }
    }

    /// The template; `nil` if there is nothing to render.
    var template: Template? { if case .template(let template) = self { template } else { nil } }

    /// The text as written.
    var source: String {
        switch self {
        case .plain(let text): text
        case .template(let template): template.text
        }
    }

    /// Returns the text for an answer.
    ///
    /// - Parameter budget: The work that the templates of the answer may do together; `nil` for a budget of its own.
    func bytes(_ context: TemplateContext, _ budget: WorkBudget? = nil) throws(StubAnswerError) -> [UInt8] {
        switch self {
        case .plain(let text): return Array(text.utf8)
        case .template(let template):
            do throws(TemplateFailure) { return try template.render(context, budget: budget) } catch {
                throw StubAnswerError("\(error)")
            }
        }
    }

    func string(_ context: TemplateContext, _ budget: WorkBudget? = nil) throws(StubAnswerError) -> String {
        if case .plain(let text) = self { return text }
        return String(decoding: try bytes(context, budget), as: UTF8.self)
    }
}

/// Header fields of a mapping whose values may be templates.
struct StubHeaders: Sendable {
    private var fields: [(name: String, value: StubText)] = []

    /// - Parameter part: What the fields are, for a problem.
    init(_ headers: [StubHeader], isTemplate: Bool = true, of part: String = "the") throws(StubAnswerError) {
        for header in headers {
            let value = try StubText(header.value, isTemplate: isTemplate, of: "\(part) header field \(header.name)")
            fields.append((header.name, value))
        }
    }

    /// The values that are rendered.
    var templates: [Template] { fields.compactMap(\.value.template) }

    /// Returns the lines of an answer.
    func lines(_ context: TemplateContext, _ budget: WorkBudget? = nil) throws(StubAnswerError) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        for (name, value) in fields {
            lines.append(try HeaderLine(stub: StubHeader(name, try value.string(context, budget))))
        }
        return lines
    }
}
