// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Every block of Swift in the documentation occurs unchanged in Examples/ or in the example package, so it compiles.
@Suite struct DocumentedCodeTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func files(in folder: String, ending: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: package.appending(path: folder).path)
        return (found?.allObjects as? [String] ?? []).filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }

    private static let blocks: [CodeBlock] = {
        let documents =
            ["Reprise", "RepriseReplay", "RepriseTesting"].flatMap { target in
                files(in: "Sources/\(target)/\(target).docc", ending: ".md")
                    + files(in: "Sources/\(target)", ending: ".swift")
            } + files(in: "Sources/RepriseServer/RepriseServer.docc", ending: ".md") + ["README.md"]
        return documents.flatMap { document in
            let text = try? String(contentsOf: package.appending(path: document), encoding: .utf8)
            return CodeBlock.all(in: text ?? "", of: document)
        }
    }()

    private static let folders = [
        "Tests/RepriseDocumentationTests/Examples", "Tests/Consumer/Sources", "Tests/Consumer/Tests",
    ]

    private static let sources: [[Substring]] = folders.flatMap { files(in: $0, ending: ".swift") }.map(lines)

    private static func lines(of file: String) -> [Substring] {
        let text = try? String(contentsOf: package.appending(path: file), encoding: .utf8)
        return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test func findsBlocksAndSources() {
        #expect(Self.blocks.count > 3)
        #expect(Self.sources.count > 0)
    }

    /// The article about the app states its size.
    @Test func exampleAppHasFewerThan150Lines() {
        let files = Self.files(in: "Tests/Consumer/Sources/Travelog", ending: ".swift")
        #expect(files.count > 1)
        #expect(files.map { Self.lines(of: $0).count - 1 }.reduce(0, +) < 150)
    }

    @Test(arguments: blocks)
    func blockIsCompiled(_ block: CodeBlock) {
        #expect(
            Self.sources.contains { block.occurs(in: $0) },
            "\(block) is in no file of \(Self.folders.joined(separator: ", ")):\n\(block.lines.joined(separator: "\n"))"
        )
    }
}
