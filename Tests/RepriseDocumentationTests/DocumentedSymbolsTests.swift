// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The symbols that articles name exist.
@Suite struct DocumentedSymbolsTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Reprise")

    private static func text(ofFilesEnding ending: String) -> String {
        let files = FileManager.default.enumerator(atPath: sources.path)?.allObjects as? [String] ?? []
        return files.filter { $0.hasSuffix(ending) }.sorted()
            .compactMap { try? String(contentsOf: sources.appending(path: $0), encoding: .utf8) }
            .joined(separator: "\n")
    }

    @Test func methodLinksHaveAllLabels() {
        let code = Self.text(ofFilesEnding: ".swift")
        let methods = Set(
            code.matches(of: /(?:func |public )(\w+)(?:<[^(]*>)?\(((?:[^()]|\([^()]*\))*)/).map { match in
                let labels = match.2.matches(of: /(?:^|,)\s*(\w+)(?: \w+)?:/).map { "\($0.1):" }
                return "\(match.1)(\(labels.joined()))"
            }
        )
        let links = Self.text(ofFilesEnding: ".md").matches(of: /``\w+\/(\w+\([\w:]*\))``/).map { String($0.1) }
        #expect(links.contains("stream()"))
        #expect(links.filter { !methods.contains($0) } == [])
    }

    @Test func errorTableListsEveryClientErrorCode() {
        let codes = Self.text(ofFilesEnding: "/ClientError.swift").matches(of: /static let (\w+) = Self/).map(\.1)
        let page = Self.text(ofFilesEnding: "/Errors.md")
        #expect(codes.count > 10)
        #expect(codes.filter { !page.contains("| `\($0)` |") } == [])
    }
}
