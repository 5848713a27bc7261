// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RepriseStorage

@Suite struct ContainedFolderTests {
    private let root: URL
    private let folder: ContainedFolder

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("reprise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        folder = ContainedFolder(root.appendingPathComponent("files").path)
    }

    private func remove() { try? FileManager.default.removeItem(at: root) }

    @Test func writtenFileIsReadListedAndRemoved() throws {
        defer { remove() }
        #expect(try folder.read(["a"]) == nil)
        #expect(try folder.list() == [])
        try folder.write([1, 2], to: ["x", "b"], over: .missing)
        try folder.write([3], to: ["a"], over: .missing)
        #expect(try folder.read(["x", "b"]) == [1, 2])
        #expect(try folder.list() == ["a", "x/b"])
        #expect(try folder.remove(["x", "b"], if: .content(count: 2) { $0 == [1, 2] }))
        #expect(try !folder.remove(["x", "b"], if: .anything))
        #expect(try folder.list() == ["a"])
    }

    @Test(arguments: ["a", "é", "中", "🙂"])
    func longestNameIsWritten(_ character: String) throws {
        defer { remove() }
        let name = String(repeating: character, count: 255 / character.utf8.count)
        try folder.write([1], to: [name], over: .missing)
        #expect(try folder.list() == [name])
    }

    @Test func fileIsReplacedOnlyIfItIsAsExpected() throws {
        defer { remove() }
        try folder.write([1], to: ["a"], over: .missing)
        #expect(throws: ContainedFolder.Failure.changed) { try folder.write([2], to: ["a"], over: .missing) }
        #expect(throws: ContainedFolder.Failure.changed) {
            try folder.write([2], to: ["a"], over: .content(count: 1) { $0 == [9] })
        }
        #expect(throws: ContainedFolder.Failure.changed) {
            try folder.remove(["a"], if: .content(count: 1) { $0 == [9] })
        }
        #expect(try folder.read(["a"]) == [1])
        try folder.write([2], to: ["a"], over: .content(count: 1) { $0 == [1] })
        #expect(try folder.read(["a"]) == [2])
        // Nothing is left beside the file.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
    }

    @Test(arguments: [[], [""], ["."], [".."], ["..", "x"], ["a", "..", "..", "x"], ["a/b"], ["a\0b"]])
    func pathThatLeadsElsewhereIsInvalid(parts: [String]) throws {
        defer { remove() }
        #expect(throws: ContainedFolder.Failure.invalidPath) { try folder.read(parts) }
        #expect(throws: ContainedFolder.Failure.invalidPath) { try folder.write([1], to: parts, over: .anything) }
        #expect(throws: ContainedFolder.Failure.invalidPath) { try folder.remove(parts, if: .anything) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == [])
    }

    @Test func linkIsNeverFollowed() throws {
        defer { remove() }
        try folder.write([1], to: ["a"], over: .missing)
        let outside = root.appendingPathComponent("outside")
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        try Data([7]).write(to: outside.appendingPathComponent("x"))
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: outside.path)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/file",
            withDestinationPath: "\(outside.path)/x"
        )
        for parts in [["link", "x"], ["link", "new"], ["file"]] {
            #expect(throws: ContainedFolder.Failure.link) { try folder.read(parts) }
            #expect(throws: ContainedFolder.Failure.link) { try folder.write([1], to: parts, over: .anything) }
            #expect(throws: ContainedFolder.Failure.link) { try folder.remove(parts, if: .anything) }
        }
        #expect(try folder.list() == ["a"])
        #expect(try Data(contentsOf: outside.appendingPathComponent("x")) == Data([7]))
    }

    /// A file of another size has other content, however large it is.
    @Test func fileOfAnotherSizeIsNotRead() throws {
        defer { remove() }
        try folder.write([1, 2], to: ["a"], over: .missing)
        let expected = ContainedFolder.Expected.content(count: 1) { _ in
            Issue.record("the file was read")
            return true
        }
        #expect(throws: ContainedFolder.Failure.changed) { try folder.write([3], to: ["a"], over: expected) }
        #expect(throws: ContainedFolder.Failure.changed) { try folder.remove(["a"], if: expected) }
        #expect(try folder.read(["a"]) == [1, 2])
        #expect(try folder.contains(["a"]) && !folder.contains(["b"]))
    }

    @Test func largeFileAndFolderAreNotRead() throws {
        defer { remove() }
        try folder.write([1, 2, 3], to: ["x", "a"], over: .missing)
        #expect(throws: ContainedFolder.Failure.self) { try folder.read(["x", "a"], limit: 2) }
        #expect(throws: ContainedFolder.Failure.self) { try folder.read(["x"]) }
    }
}
