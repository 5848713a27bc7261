// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseQueries
import Testing

@Suite struct JavaPatternTextTests {
    /// Expressions that Java accepts, and the same for Foundation.
    @Test(arguments: [
        ("}", "\\}"), ("\\{a}", "\\{a\\}"), ("[^}]+}", "[^\\}]+\\}"), ("a{1,2}}", "a{1,2}\\}"),
        ("\\p{L}}", "\\p{L}\\}"),
        ("\\}", "\\}"), ("\\Qa}\\E}", "\\Qa}\\E\\}"), ("\\Qa}", "\\Qa}"), ("\\x{41}}", "\\x{41}\\}"), ("a{2}", "a{2}"),
        ("\\", "\\"), ("", ""), ("(a)\\2", "(a)(?!)"), ("(a)\\1", "(a)\\1"), ("(?:a)\\1", "(?:a)(?!)"),
        ("(?<x>a)\\1\\2", "(?<x>a)\\1(?!)"), ("(?<=a)\\1", "(?<=a)(?!)"), ("[(]\\1", "[(](?!)"), ("a\\10", "a(?!)0"),
        ("\\(\\1", "\\((?!)"), ("\\Q(\\1\\E", "\\Q(\\1\\E"), ("\\1(a)", "\\1(a)"), ("\\\\1", "\\\\1"),
    ])
    func spellsWhatOnlyJavaAccepts(source: String, escaped: String) {
        #expect(JavaPatternText.escaped(source) == escaped)
        if !source.isEmpty, source != "\\" { #expect(throws: Never.self) { try NSRegularExpression(pattern: escaped) } }
    }

    @Test(arguments: [
        ("", "x"), ("a.b", "axb"), ("\\^$.|?*+()[]{}", "\\^$x|?*+()[]{}"), ("a.\u{301}*", "ax\u{301}*"), ("a(b", "ab"),
    ])
    func literalMatchesOnlyItsText(text: String, other: String) throws {
        let pattern = try NSRegularExpression(pattern: "^\(JavaPatternText.literal(text))$")
        let matches = [text, other].map { pattern.firstMatch(in: $0, range: NSRange($0.startIndex..., in: $0)) != nil }
        #expect(matches == [true, false])
    }

    @Test(arguments: [("(a)\\2", true), ("(a)\\1", false), ("\\0101", false), ("[\\1]", false), ("}", false)])
    func knowsReferencesToMissingGroups(source: String, isMissing: Bool) {
        #expect(JavaPatternText.refersToMissingGroup(source) == isMissing)
    }
}
