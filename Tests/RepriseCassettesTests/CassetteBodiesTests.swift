// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import RepriseCassettes
@testable import RepriseText

@Suite struct CassetteBodiesTests {
    /// Runs `body` with a folder for a cassette's bodies, and removes the folder afterward.
    private func withFolder(_ body: (_ cassette: String, _ bodies: URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bodies-\(UUID().uuidString)")
        let bodies = folder.appendingPathComponent("chat.cassette.bodies")
        try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("chat.cassette.json").path, bodies)
    }

    @Test func namesFolderAfterCassette() {
        #expect(CassetteBodies.folder(forCassette: "a/chat.cassette.json") == "a/chat.cassette.bodies")
        #expect(CassetteBodies.folder(forCassette: "chat") == "chat.bodies")
    }

    @Test func readsSmallFilesAndRefersToLargeFiles() throws {
        try withFolder { cassette, folder in
            let limit = CassetteBodies.inMemoryLimit
            try Data(repeating: 7, count: limit).write(to: folder.appendingPathComponent("small.bin"))
            try Data(repeating: 7, count: limit + 1).write(to: folder.appendingPathComponent("large.bin"))
            let bodies = CassetteBodies.beside(cassette: cassette)
            #expect(try bodies.body(named: "small.bin") == .bytes([UInt8](repeating: 7, count: limit)))
            let path = folder.appendingPathComponent("large.bin").path
            let file = FileSource(path: path, name: "large.bin", size: limit + 1)
            #expect(try bodies.body(named: "large.bin") == .file(file))
        }
    }

    @Test(arguments: ["", ".", "..", "../x", "a/../x", "/etc/passwd", "a//b", "a/", "./a", "a\0b"])
    func rejectsNamesOutsideFolder(name: String) {
        let bodies = CassetteBodies { _ in .success(.bytes([])) }
        #expect(throws: CassetteBodies.Problem.self) { try bodies.body(named: name) }
    }

    @Test func rejectsNonfilesAndLinksOutOfFolder() throws {
        try withFolder { cassette, folder in
            let manager = FileManager.default
            let outside = folder.deletingLastPathComponent().appendingPathComponent("secret")
            try Data([1]).write(to: outside)
            try Data([1]).write(to: folder.appendingPathComponent("inside"))
            try manager.createSymbolicLink(
                atPath: folder.appendingPathComponent("out").path,
                withDestinationPath: "../secret"
            )
            try manager.createSymbolicLink(
                atPath: folder.appendingPathComponent("in").path,
                withDestinationPath: "inside"
            )
            try manager.createSymbolicLink(atPath: folder.appendingPathComponent("up").path, withDestinationPath: "..")
            try manager.createDirectory(
                at: folder.appendingPathComponent("folder"),
                withIntermediateDirectories: false
            )
            let bodies = CassetteBodies.beside(cassette: cassette)
            #expect(try bodies.body(named: "in") == .bytes([1]))
            for name in ["out", "up/secret", "folder", "none"] {
                #expect(throws: CassetteBodies.Problem.self, "\(name)") { try bodies.body(named: name) }
            }
        }
    }

    @Test func rejectsFolderLinkedElsewhere() throws {
        try withFolder { cassette, folder in
            let manager = FileManager.default
            let elsewhere = folder.deletingLastPathComponent().appendingPathComponent("elsewhere")
            try manager.createDirectory(at: elsewhere, withIntermediateDirectories: false)
            try Data([1]).write(to: elsewhere.appendingPathComponent("secret"))
            try manager.removeItem(at: folder)
            try manager.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
            #expect(throws: CassetteBodies.Problem.self) {
                try CassetteBodies.beside(cassette: cassette).body(named: "secret")
            }
        }
    }
}
