// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseFixtures
@testable import RepriseText

/// Files that are not served as their authors expect.
@Suite struct FixtureNameTests {
    @Test func namesBrokenLinksAndUndecodableNames() throws {
        let folder = try TemporaryFolder(["a.get.txt": "a"])
        try folder.link("v2", to: "v1")
        let notes = try FixtureLoader.load([folder.path]).notes
        #expect(notes.map(\.message) == ["not read, because it is a link to 'v1', where nothing exists"])
        #if os(Linux)
            // Other systems do not allow such a name.
            var path: [UInt8] = Array("\(folder.path)/".utf8)
            path += [0xE9] + Array(".get.txt".utf8) + [0]
            let descriptor = unsafe path.withUnsafeBytes { bytes in
                unsafe open(bytes.assumingMemoryBound(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600)
            }
            close(descriptor)
            let name = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
            #expect("\(name)".contains("expected a file name in UTF-8, found other bytes; rename the file"))
        #endif
    }

    @Test func suggestsMethodForFileWithoutOne() throws {
        let folder = try TemporaryFolder(["users.json": "{}", "README.md": ""])
        for path in [folder.path, folder.path + "/users.json"] {
            let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([path]) }
            #expect("\(error)".contains("put a method into its name, as in 'users.get.json'"))
        }
    }
}
