// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseText
import Testing

@Suite struct JavaPatternTextTests {
    /// Expressions that Java accepts, and the same for Foundation.
    @Test(arguments: [
        ("}", "\\}"), ("\\{a}", "\\{a\\}"), ("[^}]+}", "[^\\}]+\\}"), ("a{1,2}}", "a{1,2}\\}"),
        ("\\p{L}}", "\\p{L}\\}"),
        ("\\}", "\\}"), ("\\Qa}\\E}", "\\Qa}\\E\\}"), ("\\Qa}", "\\Qa}"), ("\\x{41}}", "\\x{41}\\}"), ("a{2}", "a{2}"),
        ("\\", "\\"), ("", ""),
    ])
    func escapesBracesThatCloseNothing(source: String, escaped: String) {
        #expect(JavaPatternText.escaped(source) == escaped)
        if !source.isEmpty, source != "\\" { #expect(throws: Never.self) { try NSRegularExpression(pattern: escaped) } }
    }
}
