// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RepriseTesting

@Suite struct CassettePlaceTests {
    private static let variable = ["REPRISE_FIXTURES": "/elsewhere"]

    @Test func isNextToSourceFileByDefault() {
        #expect(CassettePlace.folder(nil, nextTo: "/app/Tests/A.swift", in: [:]) == "/app/Tests/Fixtures")
        #expect(CassettePlace.folder(nil, nextTo: "/app/A.swift", in: ["REPRISE_FIXTURES": ""]) == "/app/Fixtures")
    }

    @Test func usesFolderFromEnvironmentVariable() {
        #expect(CassettePlace.folder(nil, nextTo: "/app/A.swift", in: Self.variable) == "/elsewhere")
    }

    @Test func prefersFolderOfTest() {
        let bundle = URL(filePath: "/bundle/Fixtures")
        #expect(CassettePlace.folder(bundle, nextTo: "/app/A.swift", in: Self.variable) == "/bundle/Fixtures")
    }

    @Test(arguments: [
        ("users", "/f/users.cassette.json"), ("admin/users", "/f/admin/users.cassette.json"),
        ("users.cassette.json", "/f/users.cassette.json"), ("browser.har", "/f/browser.har"),
        ("/tmp/users", "/tmp/users.cassette.json"), ("v1.2", "/f/v1.2.cassette.json"),
    ])
    func addsCassetteExtensionIfMissing(name: String, expected: String) {
        #expect(CassettePlace.path(of: name, in: "/f", mode: .replay) == expected)
    }

    @Test func prefersStubFolderInStubMode() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "stubs/users.get.json")
        let root = folder.url.path
        #expect(CassettePlace.path(of: "stubs", in: root, mode: .stub) == "\(root)/stubs")
        #expect(CassettePlace.path(of: "stubs", in: root, mode: .replay) == "\(root)/stubs.cassette.json")
        #expect(CassettePlace.path(of: "users", in: root, mode: .stub) == "\(root)/users.cassette.json")
    }
}
