// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// A response template, compiled when its stub is loaded.
///
/// The language is Handlebars as WireMock's users write it.
package struct Template: Sendable {
    /// The text of the template.
    package let text: String
    /// Problems that do not make the template invalid: tags that cannot work, or do not do what they seem to.
    package let warnings: [TemplateProblem]
    let nodes: [TemplateNode]
    let prepared: PreparedArguments
    /// The unknown helper because of which no rendering can succeed; `nil` if there is none.
    package let unknownHelper: TemplateProblem?

    /// Whether the template has no tags, so that it renders as its text.
    package var isPlain: Bool {
        guard unknownHelper == nil, let first = nodes.first else { return text.isEmpty }
        // Without comments and escaped tags, only text is left too, but it differs from the template.
        guard nodes.count == 1, case .text(let bytes) = first else { return false }
        return bytes.count == text.utf8.count
    }

    /// Compiles a template.
    ///
    /// - Throws: ``TemplateProblem`` at the first invalid tag.
    package init(compiling text: String) throws(TemplateProblem) {
        var parser = TemplateParser(text)
        nodes = try parser.template()
        self.text = text
        prepared = parser.prepared
        warnings = parser.warnings
        unknownHelper = parser.unknownHelper
    }

    /// Renders the template.
    ///
    /// - Parameter budget: The work that the templates of one answer may do together. If it is interrupted, the failure
    ///   has no meaning. By default, the template has a budget of its own.
    /// - Throws: ``TemplateFailure`` if a helper rejects its arguments, or a limit is exceeded.
    package func render(_ context: TemplateContext, budget: WorkBudget? = nil) throws(TemplateFailure) -> [UInt8] {
        if let unknownHelper { throw TemplateFailure(unknownHelper.message, at: unknownHelper.position) }
        let (steps, unitsPerStep) = (context.limits.steps, TemplateContext.unitsPerStep)
        let budget = budget ?? WorkBudget(steps: steps, unitsPerStep: unitsPerStep)
        let renderer = TemplateRenderer(self, context, budget)
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 64)
        try renderer.render(nodes, to: &output)
        return output
    }
}
