// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct RedactionFileTests {
    @Test func rulesOfSeveralFixturesAreUnited() throws {
        let folder = try TemporaryFolder([
            "a/reprise.yaml": "redact: {names: [shoe size]}\nallow: {names: [hat size]}",
            "b/reprise.yaml": "redact: {names: [hat size]}\nallow: {names: [shoe size]}",
            "b/x.get.json": "{}",
        ])
        let paths = ["a", "b", "b/x.get.json", "a/new.cassette.json"].map { "\(folder.path)/\($0)" }
        let redaction = try RedactionFile.redaction(ofFixturesAt: paths)
        #expect(redaction.redacted(url: "/?shoe_size=42&hat_size=7") == "/?shoe_size=[redacted]&hat_size=[redacted]")
        let single = try RedactionFile.redaction(ofFixturesAt: [paths[0], paths[3]])
        #expect(single.redacted(url: "/?shoe_size=42&hat_size=7") == "/?shoe_size=[redacted]&hat_size=7")
    }

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
        ("ignore:\n  - a.test\n  - [b]", ["3:5: expected text, found a list"]),
        ("ignore: ['http://a.test']", ["1:10: expected a host such as api.example.com, found \"http://a.test\""]),
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

    @Test(arguments: ["a", "a/x.cassette.json", "a/b/x.get.json"]) func listsIgnoredHosts(path: String) throws {
        let file = "ignore: [a.test, 10.0.0.0/8]\nallow: {names: [x]}"
        let folder = try TemporaryFolder(["a/reprise.yaml": file, "a/b/x.get.json": "", "Package.swift": ""])
        #expect(try RedactionFile.ignoredHosts(beside: "\(folder.path)/\(path)") == ["a.test", "10.0.0.0/8"])
        #expect(try RedactionFile.ignoredHosts(beside: "\(folder.path)/x.cassette.json") == [])
    }

    /// A larger file is not one that a person wrote.
    @Test(arguments: [(1 << 20, nil), ((1 << 20) + 1, "expected at most 1 MiB, found more")])
    func fileHasAtMostOneMebibyte(count: Int, message: String?) {
        var bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: count)
        bytes.replaceSubrange(0..<6, with: "redat:".utf8)
        let error = #expect(throws: FixtureProblems.self) { try RedactionFile.read(bytes, file: "r.yaml") }
        #expect(error?.problems.map(\.message) == [message ?? "\"redat\": unknown key; did you mean \"redact\"?"])
    }

    /// A variable without a value is as good as none.
    @Test func emptyVariableIsIgnored() throws {
        let text = "redact: {environment: [NONE, EMPTY, {variable: EMPTY, as: a}, BOB]}"
        let environment = ["EMPTY": "", "BOB": "bob-1"]
        let rules = try RedactionFile.read(Array(text.utf8), file: "r.yaml", environment: environment).rules
        #expect(rules == [.text("bob-1")])
    }

    /// The search ends at the root of a project, whose own file counts.
    @Test(
        arguments: [
            ("a/b/c", ".git/HEAD", nil), ("a/b/c", "Package.swift", nil), ("a/b/c", "a/.git/HEAD", nil),
            ("a/b/c", "a/b/c/Package.swift", nil), ("a/b/c", "a/b/c/reprise.yaml", "a/b/c/reprise.yaml"),
            ("a/b/c", "a/b/reprise.yaml", "a/b/reprise.yaml"), ("a/b/c/", "a/reprise.yaml", "a/reprise.yaml"),
            ("a/b/c//", "reprise.yaml", "reprise.yaml"), ("a/b/c", "a/b/c/d/reprise.yaml", nil),
        ] as [(String, String, String?)]
    )
    func nearestFileWithinProjectApplies(path: String, file: String, found: String?) throws {
        let folder = try TemporaryFolder(["Package.swift": "", "a/b/c/x.txt": ""])
        try folder.write([], to: file)
        let expected = found.map { "\(folder.path)/\($0)" }
        #expect(RedactionFile.path(forFolder: "\(folder.path)/\(path)") == expected)
    }

    @Test(arguments: [("a", ""), ("a/b", "a"), ("/a", "/"), ("/a/b", "/a"), ("a/b/", "a/b"), ("", "")])
    func folderIsThePathWithoutItsLastName(path: String, folder: String) {
        #expect(RedactionFile.folder(of: path) == folder)
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
        return try RedactionFile.read(Array(text.utf8), file: "r.yaml", environment: environment).rules
    }
}
