// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the documents say of the package's platforms, and of what is outside of its core.
@Suite struct PackageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test func supportsThesePlatforms() throws {
        let platforms = "[.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)]"
        #expect(try text("Package.swift").contains("platforms: \(platforms)"))
        let page = try text("Sources/Reprise/Reprise.docc/Transports.md")
        #expect(page.contains("macOS 13, iOS 16, tvOS 16, watchOS 9, visionOS 1 and Linux"))
    }

    @Test func hasNothingOfSwiftNIOWithoutItsTrait() throws {
        let manifest = try text("Package.swift")
        #expect(manifest.contains(#"name: "AsyncHTTPClient","#))
        #expect(!manifest.contains(".default("))
        let heavy = manifest.split(separator: "\n").filter { line in
            ["async-http-client", "swift-nio", "swift-nio-http2", "swift-nio-ssl"]
                .contains { line.contains("package: \"\($0)\"") }
        }
        #expect(!heavy.isEmpty)
        for line in heavy { #expect(line.contains("condition: .asyncHTTPClient"), "\(line)") }
    }
}
