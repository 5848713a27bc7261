// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseStubAnswers
import RepriseStubs
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

    private static let filler = String(repeating: "x", count: 1 << 20)

    /// The first mebibyte, which is checked first, ends after a comment, in one, or in a string.
    @Test(arguments: [
        "// a comment\n{'request': {'url': '/a'}, /* another */ 'response': {'body': '\(filler)'}}",
        "{\"request\": {\"url\": \"/a\"}, /* \(filler) */ \"response\": {}}",
        "{\"request\": {\"url\": \"/a\"}, // \(filler)\n \"response\": {}}",
        "{\"request\": {\"url\": \"/a\"}} and then \(filler)",
    ])
    func readsLargeStubMappingInWireMocksSyntax(mapping: String) throws {
        let folder = try TemporaryFolder(["mappings/a.json": mapping])
        #expect(try FixtureLoader.load([folder.path]).stubs.map(\.mapping.request.url) == [.equalTo("/a")])
    }

    @Test func mistakeInLargeStubMappingHasItsPosition() throws {
        let folder = try TemporaryFolder(["mappings/a.json": "// \(Self.filler)\n{'request': {'url': '/a'}, 'x': 1}"])
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        #expect(error.description.contains("a.json:2:28: expected a field of"), "\(error)")
    }
}
