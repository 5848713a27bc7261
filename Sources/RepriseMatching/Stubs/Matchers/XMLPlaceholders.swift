// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseQueries
import RepriseStubs
import RepriseText

/// The placeholders in expected XML, such as `${xmlunit.ignore}`, by the text that holds each.
struct XMLPlaceholders: Sendable {
    /// A text that accepts other texts too.
    enum Placeholder: Sendable {
        /// Any text, or none.
        case ignore
        case isNumber
        case isDateTime
        /// A part of the text matches.
        case matchesRegex(TextPattern)

        func accepts(_ text: String, budget: WorkBudget) -> Bool {
            switch self {
            case .ignore: true
            case .isNumber: Double(text.trimmedXML).map { $0.isFinite } ?? false
            case .isDateTime: DateText.read(text.trimmedXML) != nil
            case .matchesRegex(let pattern): pattern.matches(Array(text.utf8)[...], budget: budget)
            }
        }
    }

    private var placeholders: [ExactText: Placeholder] = [:]

    subscript(text: String) -> Placeholder? { placeholders[text] }

    /// Finds the placeholders of a document.
    init(
        _ options: ValueMatcher.XMLOptions,
        in tree: XMLTree,
        at pointer: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        let opening = JavaPatternText.escaped(options.placeholderOpening ?? "\\$\\{")
        let closing = JavaPatternText.escaped(options.placeholderClosing ?? "\\}")
        let form = "\\A\\s*(?:\(opening))\\s*xmlunit\\.([A-Za-z]+)\\s*(?:\\((.*)\\))?\\s*(?:\(closing))\\s*\\z"
        guard let expression = try? FoundationPattern(form, dotMatchesLineEnds: true) else {
            throw pointer.member("placeholderOpeningDelimiterRegex").problem(
                "expected regular expressions of what opens and closes a placeholder, found \"\(opening)\" and "
                    + "\"\(closing)\"; correct their syntax"
            )
        }
        for node in tree.nodes {
            for text in [node.text.trimmedXML] + node.attributes.map(\.value.trimmedXML) where text.contains("xmlunit.")
            {
                if let placeholder = try Self.placeholder(text, expression, at: pointer, &findings) {
                    placeholders[text] = placeholder
                }
            }
        }
    }

    private static func placeholder(
        _ text: String,
        _ expression: FoundationPattern,
        at pointer: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) -> Placeholder? {
        guard let groups = expression.groups(in: text, limit: 1, budget: WorkBudget()).first else { return nil }
        switch groups[1] {
        case "ignore": return .ignore
        case "isNumber": return .isNumber
        case "isDateTime": return .isDateTime
        case "matchesRegex":
            let place = pointer.member("equalToXml")
            return .matchesRegex(try TextPattern(TextPattern.finding(groups[2]), at: place, &findings))
        default: return nil
        }
    }
}
