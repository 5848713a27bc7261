// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct RedactionFileTests {
    @Test func readsAllKindsOfRules() throws {
        let rules = try read(
            """
            # Own rules.
            redact:
              names:
                - ssn
                - name: customer number
                  in: [query, json]
                  as: customer
                - {name: x, in: header}
              paths:
                - a.b
                - path: items[*].note
                  as: note
              patterns: 'acme_[a-z]{8}'
              environment:
                - ALICE
                - variable: BOB
                  as: bob
                - UNSET
            allow:
              names: [session token]
              values:
                - AKIAIOSFODNN7EXAMPLE
            """
        )
        #expect(
            rules == [
                .name("ssn"), .name("customer number", in: [.query, .json], as: "customer"), .name("x", in: .header),
                .path("a.b"), .path("items[*].note", as: "note"), .pattern("acme_[a-z]{8}"), .text("alice-1"),
                .text("bob-1", as: "bob"), .allowName("session token"), .allowText("AKIAIOSFODNN7EXAMPLE"),
            ]
        )
    }

    @Test(arguments: ["", "# nothing\n", "redact:\nallow:\n", "redact: {names: []}\n", "{}"])
    func acceptsFileWithoutRules(text: String) throws {
        #expect(try read(text).isEmpty)
    }

    @Test(arguments: [
        ("redcat:\n  names: [a]", ["1:1: \"redcat\": unknown key; did you mean \"redact\"?"]),
        (
            "redact:\n  name: [a]\n  zzzzzzzz: 1",
            [
                "2:3: \"name\": unknown key; did you mean \"names\"?",
                "3:3: \"zzzzzzzz\": unknown key; expected one of \"names\", \"paths\", \"patterns\", \"environment\"",
            ]
        ),
        (
            "redact:\n  names:\n    - name: a\n      in: [jsno]",
            ["4:12: \"jsno\": unknown field; did you mean \"json\"?"]
        ),
        ("redact:\n  names:\n    - as: a", ["3:7: expected \"name\", found none"]),
        ("redact:\n  paths:\n    - [a]", ["3:7: expected text, found a list"]),
        ("redact: [a]", ["1:9: expected \"names\", \"paths\", \"patterns\", \"environment\", found a list"]),
        (
            "redact:\n  patterns: [ab]",
            [
                "2:14: expected a pattern whose first three characters are fixed, found \"ab\" (at character 1 of the pattern)"
            ]
        ),
        ("redact:\n  environment: [SHORT]", ["2:17: expected a variable whose value has at least three bytes"]),
        ("a: [", ["1:1"]), ("a: b\na: c", [""]), ("\tx", ["1:1: expected YAML"]),
    ])
    func reportsProblemsWithPositions(text: String, expected: [String]) {
        let error = #expect(throws: FixtureProblems.self) { try read(text) }
        let found = error?.problems.map(\.description) ?? []
        #expect(found.count == expected.count)
        for (one, other) in zip(found, expected) where other != "1:1" && other != "" {
            #expect(one.hasPrefix("r.yaml:\(other)"), "\(one)")
        }
    }

    @Test func isFoundNextToCassette() throws {
        let folder = try TemporaryFolder([
            "a/reprise.yaml": "redact: {names: [ssn]}", "b/x.cassette.json": "", "c/reprise.yaml": "redat:",
        ])
        let request = RecordedRequest(method: "GET", url: "/?ssn=1&zip=2")
        let first = try RedactionFile.redaction(besideCassette: "\(folder.path)/a/x.cassette.json")
        #expect(first.redacted(request).url == "/?ssn=[redacted]&zip=2")
        let second = try RedactionFile.redaction(
            besideCassette: "\(folder.path)/b/x.cassette.json",
            rules: [.name("zip")]
        )
        #expect(second.redacted(request).url == "/?ssn=1&zip=[redacted]")
        let error = #expect(throws: FixtureProblems.self) { try RedactionFile.redaction(inFolder: "\(folder.path)/c/") }
        #expect(error?.problems.first?.file == "\(folder.path)/c/reprise.yaml")
    }

    /// A path with "." or ".." is resolved first, so that the rules of a folder that it leaves do not apply.
    @Test(arguments: ["a/b/..", "a/b/../c", "a/./b/..", "a/b/../c/."], [false, true])
    func dotsNameOtherFolder(path: String, isRelative: Bool) throws {
        let folder = try TemporaryFolder(["reprise.yaml": "", "a/b/reprise.yaml": "", "a/c/x.txt": ""])
        var root = folder.path
        if isRelative {
            let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
            root = String(repeating: "../", count: depth) + root.dropFirst()
        }
        #expect(RedactionFile.path(forFolder: "\(root)/\(path)") == "\(folder.path)/reprise.yaml")
    }

    private func read(_ text: String) throws -> [Redaction.Rule] {
        let environment = ["ALICE": "alice-1", "BOB": "bob-1", "SHORT": "x"]
        return try RedactionFile.read(Array(text.utf8), file: "r.yaml", environment: environment)
    }
}
