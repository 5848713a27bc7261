// SPDX-License-Identifier: Apache-2.0

import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct PathTemplateMatcherTests {
    private func values(_ template: String, _ path: String) throws -> [String]? {
        guard case .template(let matcher) = try CompiledStubRequest(StubRequest(url: .pathTemplate(template))).url
        else {
            return nil
        }
        return matcher.parameters(of: Array(path.utf8)[...])?.entries.map { String(decoding: $0.value, as: UTF8.self) }
    }

    @Test(arguments: [
        ("/a/{x}.{y}.json", "/a/1.2.3.json", ["1.2", "3"]), ("/a/{x}.{y}.json", "/a/1.json", nil),
        ("/{x}{y}", "/abc", ["ab", "c"]), ("/{x}{y}{z}", "/ab", nil), ("/**/{x}/b", "/a/a/1/b", ["1"]),
        ("/**/{x}-{y}/b", "/a-1/a/2-3-4/b", ["2-3", "4"]), ("/**/{x}-{y}/b/**", "/a/1-2/b/3/b", ["1", "2"]),
        ("/**/{x}-{y}/c", "/a-1/b-2/b", nil), ("/{x}/**", "/1/", ["1"]), ("/{x", "/{x", []), ("/{}", "/{}", []),
        ("/{{{", "/{{{", []),
    ])
    func parameterTakesAsMuchAsItCan(template: String, path: String, expected: [String]?) throws {
        #expect(try values(template, path) == expected)
    }

    @Test(
        arguments: [
            ("/a*", "/a*", []), ("/a*", "/ab", nil), ("/a*b", "/a*b", []), ("/a*b", "/acb", nil),
            ("/***", "/ab*", []), ("/***", "/ab", nil), ("**", "", []), ("/{a}}", "/1}", ["1"]),
            ("/{a}{", "/1{", ["1"]),
            ("/{a}/{", "/1/{", ["1"]), ("/{a}", "/", nil), ("/{a}", "/1/2", nil), ("/a/{b}", "/a/b/", nil),
            ("", "", []),
            ("/ab", "/a", nil), ("/{x}}{y}", "/1}2", ["1", "2"]),
        ] as [(String, String, [String]?)]
    )
    func oneStarAndOneBraceAreText(template: String, path: String, expected: [String]?) throws {
        #expect(try values(template, path) == expected)
    }

    /// The names are without the marks that WireMock permits in them.
    @Test(arguments: [("/{.a}", ["a"]), ("/{;b*}", ["b"]), ("/{a}/{b}", ["a", "b"]), ("/{a}{", ["a"])])
    func namesOfParameters(template: String, names: [String]) throws {
        guard case .template(let matcher) = try CompiledStubRequest(StubRequest(url: .pathTemplate(template))).url
        else {
            Issue.record("expected a template")
            return
        }
        #expect(matcher.parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } } == names)
    }

    /// What a template takes, by trying every way to divide a short path.
    @Test func memoryOfFailuresChangesNothing() throws {
        let templates = ["/{x}a{y}", "/**a**b", "/{x}/{y}a**", "/**{x}a{y}", "{x}{y}b", "/**/{x}a/**"]
        let alphabet = Array("/ab")
        for template in templates {
            let pattern = template.replacing(#/\{.\}/#) { _ in "([^/]+)" }.replacing("**", with: "(?:.*)")
            let expression = try Regex("^\(pattern)$").dotMatchesNewlines()
            for number in 0..<729 {
                let path = "/" + (0..<6).map { String(alphabet[number / [1, 3, 9, 27, 81, 243][$0] % 3]) }.joined()
                let match = path.wholeMatch(of: expression)
                let expected = match?.output.dropFirst().map { String($0.substring ?? "") }
                #expect(try values(template, path) == expected, "\(template) \(path)")
            }
        }
    }

    @Test(arguments: [("/**a**a**b", "a"), ("/{x}.{y}.{z}.json", "a."), ("/**/{x}/{y}a/b", "a/")])
    func longPathTakesTimeInProportionToItsLength(template: String, piece: String) throws {
        let path = "/" + String(repeating: piece, count: 200_000)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try values(template, path) == nil)
        let time = clock.now - start
        // Trying every start with every end would take hours.
        #expect(time < .seconds(60))
    }

    /// Each parameter has a slash before it.
    @Test func templateHasAtMost200Parts() throws {
        let template = String(repeating: "/{a}", count: 100)
        #expect(try values(template, String(repeating: "/1", count: 100))?.count == 100)
        let problem = #expect(throws: StubMatcherProblem.self) { try values(template + "/b", "/") }
        #expect(problem?.message.contains("expected at most 200 parts in a path template, found 201") == true)
    }
}
