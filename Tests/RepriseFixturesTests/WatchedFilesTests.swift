// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseTestSupport
import Testing

@testable import RepriseFixtures

@Suite struct WatchedFilesTests {
    /// A path below the folder, and what is watched besides it.
    @Test(arguments: [
        ("a.cassette.json", ["a.cassette.bodies"]), ("b.get.txt", ["b.get.txt.headers"]),
        ("b.get.txt.headers", ["b.get.txt"]), ("mappings", ["__files"]), ("", []), ("other", []), ("c.har", []),
        ("mappings/d.json", ["__files"]), ("missing.cassette.json", ["missing.cassette.bodies"]), ("notes.txt", []),
    ])
    func watchesWhatBelongsToFile(name: String, others: [String]) throws {
        let folder = try TemporaryFolder([
            "a.cassette.json": "", "b.get.txt": "", "b.get.txt.headers": "", "mappings/d.json": "", "other/x.txt": "",
            "c.har": "", "notes.txt": "",
        ])
        let root = FixtureFileReader.realPath(of: folder.path)
        let path = name.isEmpty ? root : "\(root)/\(name)"
        #expect(WatchedFiles.paths(for: [path]) == [path] + others.map { "\(root)/\($0)" })
    }

    @Test(arguments: [
        ("/f/.hidden", false, true), ("/f/.hidden", true, true), ("/f/.a.cassette.json", false, false),
        ("/f/.#a.json", false, true),
        ("/f/a.json~", false, true), ("/f/a.cassette.json.recording-log", false, true), ("/f/a.part", false, true),
        ("/f/#a.json#", false, true), ("/f/#a.get.txt", false, false), ("/f/a.get.#", false, false),
        ("/f/a.cassette.json", false, false), ("/f/a.get.txt", false, false), ("/f/server.log", false, true),
        ("/f/logs", true, false), ("/f/__files/a.txt", false, false), ("/f/__files/b/a.txt", false, false),
        ("/f/a.cassette.bodies/a.txt", false, false), ("/f/A.BODIES/a.txt", false, false),
        ("/f/bodies/a.txt", false, true),
        ("/", true, false),
    ])
    func ignoresFilesThatAreNoFixtures(path: String, isFolder: Bool, isIgnored: Bool) {
        #expect(WatchedFiles.isIgnored(path, isFolder: isFolder) == isIgnored)
    }

    @Test func watchesBodiesThatFixturesName() throws {
        let folder = try TemporaryFolder(["a.txt": "", "b.txt": ""])
        let root = FixtureFileReader.realPath(of: folder.path)
        for (name, isIgnored) in [("a.txt", false), ("b.txt", true)] {
            #expect(
                WatchedFiles.isIgnored("\(root)/\(name)", isFolder: false, bodyFiles: ["\(root)/a.txt"]) == isIgnored
            )
        }
    }
}
