// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the documentation states about the package's platforms, products, and dependencies.
@Suite struct PackageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test func documentsSupportedPlatforms() throws {
        let platforms = "[.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)]"
        #expect(try text("Package.swift").contains("platforms: \(platforms)"))
        let page = try text("Sources/Reprise/Reprise.docc/Transports.md")
        #expect(page.contains("macOS 13, iOS 16, tvOS 16, watchOS 9, visionOS 1 and Linux"))
    }

    @Test func dependsOnSwiftNIOOnlyWithTrait() throws {
        let manifest = try text("Package.swift")
        #expect(manifest.contains(#"name: "AsyncHTTPClient","#))
        #expect(manifest.contains(#".default(enabledTraits: ["CommandLine"]),"#))
        let heavy = manifest.split(separator: "\n").filter { line in
            ["async-http-client", "swift-nio", "swift-nio-http2", "swift-nio-ssl"]
                .contains { line.contains("package: \"\($0)\"") }
        }
        #expect(!heavy.isEmpty)
        for line in heavy { #expect(line.contains("condition: .asyncHTTPClient"), "\(line)") }
    }

    /// A package that disables the default traits resolves neither.
    @Test func dependsOnArgumentParserAndYamsOnlyWithTrait() throws {
        let products = try text("Package.swift").split(separator: "\n").filter { $0.contains(".product(") }
        for package in ["swift-argument-parser", "Yams"] {
            let lines = products.filter { $0.contains("package: \"\(package)\"") }
            #expect(lines.count == 1)
            for line in lines { #expect(line.contains("condition: .commandLine"), "\(line)") }
        }
    }

    @Test func readmeListsPlatforms() throws {
        let readme = try text("README.md")
        for platform in ["Linux, x86-64", "macOS 13", "iOS 16", "tvOS 16, watchOS 9, visionOS 1"] {
            #expect(readme.contains("| \(platform)"), "\(platform)")
        }
    }

    @Test func readmeListsProducts() throws {
        let readme = try text("README.md")
        let products = try text("Package.swift").matches(of: /\.(?:library|executable)\(name: "([A-Za-z]+)"/)
        #expect(products.count > 5)
        for product in products { #expect(readme.contains("`\(product.1)`"), "\(product.1)") }
    }

    /// The version in the README is the latest one in the changelog.
    @Test func readmeInstallsLatestRelease() throws {
        let readme = try text("README.md")
        let installed = try #require(readme.firstMatch(of: /from: "([0-9.]+)"/)).1
        let latest = try #require(try text("CHANGELOG.md").firstMatch(of: /\n## ([0-9.]+)/)).1
        #expect(installed == latest)
    }

    /// The two setup commands differ only in what they run. CI runs the second one unchanged.
    @Test func readmeSetsUpWithOneCommand() throws {
        let readme = try text("README.md")
        let commands = readme.matches(of: /```sh\n(.*?)\n```/.dotMatchesNewlines()).map { String($0.1) }
        let packages = "apt-get install -y libevent-dev libssl-dev zlib1g-dev pkg-config"
        let setup = "$(command -v sudo) sh -c 'apt-get update && \(packages)' && "
        #expect(commands == [setup + "swift run mockserver Fixtures/", setup + "swift test"])
        let homebrew = "`brew install libevent openssl@3 pkgconf && swift"
        #expect(readme.contains("\(homebrew) run mockserver Fixtures/`") && readme.contains("\(homebrew) test`"))
    }

    /// CI runs the README's command for recording, which replays the existing cassette.
    @Test func ciRunsRecordCommandOfReadme() throws {
        let command = "REPRISE_MODE=once swift test --filter loadsABook"
        #expect(try text("README.md").contains("`\(command)`"))
        #expect(try text(".ci/run").contains(command))
    }

    @Test func readmeExamplesAreShort() throws {
        let blocks = try text("README.md").matches(of: /\n```(console|swift)\n(.*?)\n```/.dotMatchesNewlines())
        #expect(blocks.map { String($0.1) } == ["console", "console", "console", "swift"])
        for block in blocks { #expect(block.2.split(separator: "\n").count <= 8, "\(block.2)") }
    }
}
