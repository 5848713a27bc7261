// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The feature table contains all numbers and names existing tests.
@Suite struct FeatureTableTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) -> String {
        (try? String(contentsOf: package.appending(path: path), encoding: .utf8)) ?? ""
    }

    private static let lines = text("Sources/Reprise/Reprise.docc/Features.md").split(separator: "\n")

    /// The cells of the tables' rows: number, feature, API, tests.
    private static let rows: [[String]] = lines.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| # |") }.map { line in
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The names of all tests with their suites, and of the cases that run with each transport.
    private static let (tests, cases): (Set<String>, Set<String>) = {
        var (tests, cases) = (Set<String>(), Set<String>())
        let files = FileManager.default.enumerator(atPath: package.appending(path: "Tests").path)
        for file in (files?.allObjects as? [String] ?? []).filter({ $0.hasSuffix(".swift") }) {
            var (suite, isTest) = ("", false)
            for line in text("Tests/\(file)").split(separator: "\n") {
                let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "@" }
                if let name = words.last(where: { $0.hasSuffix("Tests") || $0.hasSuffix("Examples") }),
                    words.contains(where: declarations.contains)
                {
                    suite = String(name)
                }
                if words.contains("@Test") { isTest = true }
                if isTest, let function = words.firstIndex(of: "func"), function + 1 < words.count {
                    tests.insert("\(suite).\(words[function + 1])")
                    isTest = false
                }
                if words.first == "ConformanceCase" {
                    cases.formUnion(line.split(separator: "\"").dropFirst().prefix(1).map(String.init))
                }
            }
        }
        return (tests, cases)
    }()

    private static let declarations: Set<Substring> = ["struct", "class", "enum", "actor", "extension"]

    @Test func hasEachNumberOnce() {
        let items = Self.lines.filter { $0.hasPrefix("- ") }
        let missing = items.compactMap { Int($0.dropFirst(2).prefix { $0.isNumber }) }
        #expect(missing == [37, 51, 59])
        let numbers = Self.rows.compactMap { Int($0[0]) }
        #expect((numbers + missing).sorted() == Array(1...60))
        #expect(Self.rows.first?[0] == "1")
    }

    @Test func everyRowHasFourCellsAndATest() {
        #expect(Self.rows.count > 60)
        for row in Self.rows {
            #expect(row.count == 4, "\(row)")
            #expect(row.last?.contains("`") == true, "\(row)")
        }
    }

    @Test func namesExistingTests() {
        let named = Self.rows.flatMap { row in
            (row.last ?? "").matches(of: /`([^`]+)`/).map { String($0.1) }
        }
        #expect(named.count > 60)
        #expect(Self.tests.contains("FeatureTableTests.namesExistingTests"))
        #expect(named.filter { !Self.tests.contains($0) } == [])
    }

    @Test func namesExistingCases() {
        let named = Self.rows.flatMap { row in
            (row.last ?? "").matches(of: /"([^"]+)"/).map { String($0.1) }
        }
        #expect(!named.isEmpty)
        #expect(named.filter { !Self.cases.contains($0) } == [])
    }
}
