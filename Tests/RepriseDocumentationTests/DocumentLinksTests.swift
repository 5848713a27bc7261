// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The files that the README and other documents name exist. `.ci/pages` checks every link.
@Suite struct DocumentLinksTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The target of each link and image in a Markdown text.
    private static func links(in text: String) -> [String] {
        text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    }

    @Test func readmeLinksToServerArticles() throws {
        let links = Self.links(in: try Self.text("README.md"))
        for article in ["ServeFixtures", "Recording", "BrokenStreams", "Matching", "CommandLine", "Docker"] {
            #expect(links.contains("docs/\(article).md"), "\(article)")
        }
    }

    @Test(arguments: [
        "README.md", "Sources/RepriseServer/RepriseServer.docc/Docker.md",
        "Sources/RepriseServer/RepriseServer.docc/Performance.md",
    ])
    func namedFilesExist(document: String) throws {
        let names = try Self.text(document).matches(of: /(?:docker|Benchmarks|\.github)\/[A-Za-z.\/-]*[A-Za-z]/)
        #expect(!names.isEmpty)
        for name in names.map({ String($0.0) }) {
            let path = Self.root.appending(path: name).path
            #expect(FileManager.default.fileExists(atPath: path), "\(document): \(name)")
        }
    }

    @Test func pictureIsSmallAndSelfContained() throws {
        let picture = try Self.text(".github/terminal.svg")
        #expect(picture.utf8.count < 30_000)
        #expect(picture.contains("prefers-color-scheme: dark"))
        for forbidden in ["<script", "<image", "<foreignObject", "href="] { #expect(!picture.contains(forbidden)) }
    }
}
