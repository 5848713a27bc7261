// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseTesting

@Suite struct CassetteNameTests {
    @Test(arguments: [
        (["Users", "loads()"], "App/Users/loads"), (["loads()"], "App/loads"),
        (["Outer", "Inner", "loads(page:size:)"], "App/Outer/Inner/loads-page-size"),
        (["Users", "loads(_:)"], "App/Users/loads-_"), (["Bücher", "lädt()"], "App/Bücher/lädt"),
    ])
    func combinesModuleSuitesAndFunction(components: [String], expected: String) {
        #expect(CassetteName.automatic(module: "App", components) == expected)
    }

    @Test(arguments: [
        "`GET /users is fast`()", "`..`()", "`../../etc/passwd`()", "`a\\b:c*d?e\"f<g>h|i`()", "`\u{0}\n`()", "",
        String(repeating: "long", count: 100) + "()", String(repeating: "ä", count: 200) + "()",
    ])
    func isSafeAsFileName(part: String) {
        let name = CassetteName.fileName(part)
        #expect(!name.isEmpty && name.utf8.count <= 96)
        #expect(name.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) })
    }

    @Test(arguments: [
        ("`a b`()", "`a-b`()"), ("`a b`()", "`a/b`()"), ("a(b:)", "`a b`()"), ("f(a:)", "f(b:)"), ("f()", "f(_:)"),
        (String(repeating: "x", count: 120) + "a()", String(repeating: "x", count: 120) + "b()"),
    ])
    func differsForDifferentTests(one: String, other: String) {
        #expect(CassetteName.fileName(one) != CassetteName.fileName(other))
    }

    @Test func isStableAcrossRuns() {
        #expect(CassetteName.fileName("`a b`()") == "a-b-21072105")
    }
}
