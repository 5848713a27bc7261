// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Conversations with real APIs: no secret reaches the disk, innocent values do, and clients with other secrets find
/// their recordings.
///
/// With `REPRISE_CORPUS_REPORT=file`, the whole report is written to the file. `REPRISE_CORPUS_CASE=text` runs only the
/// cases whose family, class, or name contains the text.
@Suite(.serialized) struct CorpusTests {
    private static let families: [CorpusFamily] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")
        do {
            return try CorpusFamily.all(in: folder)
        } catch {
            fatalError("expected the corpus in \(folder.path), found: \(error)")
        }
    }()

    private static let classes = Set(families.flatMap { $0.cases.map(\.class) }).sorted()

    /// The report of all cases, made once.
    private static let report = Task {
        var report = CorpusReport()
        let environment = ProcessInfo.processInfo.environment
        let selection = environment["REPRISE_CORPUS_CASE"]
        for family in families {
            for example in family.cases {
                let names = [family.family, example.class, example.name]
                if let selection, !names.contains(where: { $0.contains(selection) }) { continue }
                report.add(try await CorpusRun.run(example, in: family.family), of: example)
            }
        }
        if let file = environment["REPRISE_CORPUS_REPORT"] {
            try report.text.write(toFile: file, atomically: true, encoding: .utf8)
        }
        return report
    }

    @Test func corpusIsLargeEnough() {
        let cases = Self.families.flatMap(\.cases)
        #expect(cases.reduce(0) { $0 + ($1.secrets?.count ?? 0) } >= 220)
        #expect(cases.reduce(0) { $0 + ($1.innocent?.count ?? 0) } >= 220)
        #expect(cases.count { $0.users == true } >= 15)
        #expect(Set(cases.map(\.name)).count == cases.count)
    }

    @Test(.timeLimit(.minutes(5)), arguments: classes)
    func keepsSecretsOffTheDiskAndReplays(class name: String) async throws {
        let findings = try await Self.report.value.findings.filter { $0.class == name }
        #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
    }
}
