// SPDX-License-Identifier: Apache-2.0

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
    /// - Throws: ``TemplateFailure`` if a helper rejects its arguments, or a limit is exceeded.
    package func render(_ context: TemplateContext) throws(TemplateFailure) -> [UInt8] {
        var meter = TemplateMeter(steps: context.limits.steps)
        return try render(context, meter: &meter)
    }

    /// Renders the template.
    ///
    /// - Parameter meter: Counts the work. If it is interrupted, the failure has no meaning.
    /// - Throws: ``TemplateFailure`` if a helper rejects its arguments, or a limit is exceeded.
    package func render(_ context: TemplateContext, meter: inout TemplateMeter) throws(TemplateFailure) -> [UInt8] {
        if let unknownHelper { throw TemplateFailure(unknownHelper.message, at: unknownHelper.position) }
        let renderer = TemplateRenderer(self, context, meter)
        defer { meter = renderer.meter }
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 64)
        try renderer.render(nodes, to: &output)
        return output
    }
}
