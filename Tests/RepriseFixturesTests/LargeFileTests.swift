// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseTestSupport
import RepriseText
import Testing

@Suite struct LargeFileTests {
    /// A sparse file of 64 GiB, which cannot be read into memory.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("a.har", "", "1:1: expected a value, found the byte 0x00"),
            ("a.cassette.json", "{", "1:2: expected a key or '}', found the byte 0x00"),
            ("a.stub.json", "\n{ \"request\": ", "2:14: expected a value, found the byte 0x00"),
            ("har.zip", "PK\u{3}\u{4}", "expected"),
        ]
    )
    func doesNotReadLargeFileWithInvalidStart(name: String, start: String, problem: String) throws {
        let folder = try TemporaryFolder([name: start])
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        try file.truncate(atOffset: 64 << 30)
        try file.close()
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        #expect(error.description.contains(problem), "\(error)")
    }
}
