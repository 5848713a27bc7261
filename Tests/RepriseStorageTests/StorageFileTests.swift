// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseStorage
import Testing

@Suite struct StorageFileTests {
    private let folder = try! Folder()

    @Test func appendsToExistingFile() throws {
        for text in ["one", "two"] {
            try StorageFile(folder.path("a"), for: .appending).append(text)
        }
        let file = try StorageFile(folder.path("a"), for: .reading)
        #expect(try file.read(at: 0, count: 100) == Array("onetwo".utf8))
        #expect(try file.read(at: 2, count: 3) == Array("etw".utf8))
        #expect(try file.read(at: 6, count: 3) == [])
    }

    @Test func replacingDropsOldContent() throws {
        try StorageFile(folder.path("a"), for: .appending).append("old text")
        let file = try StorageFile(folder.path("a"), for: .replacing)
        try file.append("new")
        #expect(try file.size == 3)
        try file.truncate(to: 1)
        #expect(try file.read(at: 0, count: 9) == Array("n".utf8))
        try file.synchronize()
    }

    @Test func locksForOneOwnerAtATime() throws {
        var first: StorageFile? = try StorageFile(folder.path("a"), for: .appending)
        let second = try StorageFile(folder.path("a"), for: .appending)
        #expect(try first?.lock() == true)
        #expect(try second.lock() == false)
        first = nil
        #expect(try second.lock())
    }

    @Test func isInPlaceUntilRemoved() throws {
        let file = try StorageFile(folder.path("a"), for: .appending)
        #expect(file.isInPlace)
        try FilePlace(folder.path("a")).removeFile()
        #expect(!file.isInPlace)
        _ = try StorageFile(folder.path("a"), for: .appending)
        #expect(!file.isInPlace)
    }

    @Test func everyChangeChangesStamp() throws {
        let place = FilePlace(folder.path("a"))
        let file = try StorageFile(place.path, for: .appending)
        try file.append("old")
        var stamp = try file.stamp
        #expect(stamp.size == 3)
        #expect(try place.stamp() == stamp)
        func expectNewStamp() throws {
            #expect(try place.stamp() != stamp)
            stamp = try place.stamp()
        }
        try file.append("er")
        try expectNewStamp()
        try file.truncate(to: 3)
        try expectNewStamp()
        let long = Date(timeIntervalSince1970: 1_000_000)
        try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: place.path)
        try expectNewStamp()
        try StorageFile(folder.path("b"), for: .appending).append("new")
        try FilePlace(folder.path("b")).move(to: place)
        try expectNewStamp()
        try place.removeFile()
        let error = #expect(throws: FileError.self) { try place.stamp() }
        #expect(error?.isMissing == true)
    }

    @Test func rejectsFoldersDevicesAndMissingFiles() throws {
        let error = try #require(throws: FileError.self) { try StorageFile(folder.path, for: .reading) }
        #expect(error.isOfWrongKind)
        #expect(error.description == "open \(folder.path): is a directory")
        let missing = try #require(throws: FileError.self) { try StorageFile(folder.path("b"), for: .reading) }
        #expect(missing.isMissing)
        #expect(missing.description == "open \(folder.path("b")): no such file or directory")
        #expect(throws: FileError.self) { try StorageFile("/dev/null", for: .appending) }
    }

    @Test func takesPermissionsOfOtherFile() throws {
        try StorageFile(folder.path("a"), for: .appending).append("x")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("a"))
        try StorageFile(folder.path("b"), for: .replacing).takePermissions(of: folder.path("a"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("b"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        try StorageFile(folder.path("b"), for: .replacing).takePermissions(of: folder.path("none"))
    }
}

@Suite struct FilePlaceTests {
    private let folder = try! Folder()

    @Test(arguments: [("a/b", "a"), ("/a", "/"), ("a", "."), ("/", "/"), ("a/b/", "a")])
    func returnsParentFolder(path: String, parent: String) {
        #expect(FilePlace(path).folder == FilePlace(parent))
    }

    @Test func createsAllFoldersOfPath() throws {
        let place = FilePlace(folder.path("one/two/three"))
        #expect(!place.isFolder)
        try place.makeFolder()
        try place.makeFolder()
        #expect(place.isFolder)
        try place.folder.removeEmptyFolder()
        #expect(place.isFolder)
        try place.removeEmptyFolder()
        #expect(!place.exists)
        try place.removeEmptyFolder()
        try place.folder.synchronizeFolder()
    }

    @Test func makeFolderRejectsFileInPath() throws {
        try StorageFile(folder.path("a"), for: .appending).append("x")
        let error = try #require(throws: FileError.self) { try FilePlace(folder.path("a/b")).makeFolder() }
        #expect(error.isOfWrongKind)
        #expect(throws: FileError.self) { try FilePlace(folder.path("a")).makeFolder() }
    }

    @Test func movesOverExistingFile() throws {
        try StorageFile(folder.path("a"), for: .appending).append("new")
        try StorageFile(folder.path("b"), for: .appending).append("old")
        try FilePlace(folder.path("a")).move(to: FilePlace(folder.path("b")))
        #expect(!FilePlace(folder.path("a")).exists)
        #expect(try StorageFile(folder.path("b"), for: .reading).read(at: 0, count: 9) == Array("new".utf8))
        #expect(try FilePlace(folder.path("b")).removeFile())
        #expect(try !FilePlace(folder.path("b")).removeFile())
    }

    @Test func privateFileIsAccessibleOnlyToOwner() throws {
        try FilePlace(folder.path("key")).createPrivate(Array("secret".utf8))
        #expect(try StorageFile.content(of: folder.path("key")) == Array("secret".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("key"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: ["ca-key.pem", "CA-KEY.pem", "ca-\u{212A}ey.pem"])
    func keyIsKnownByName(name: String) throws {
        try FilePlace(folder.path(name)).write([1])
        #expect(KeyFile.isKey(at: folder.path(name)) && KeyFile.isKey(at: name))
        #expect(!KeyFile.isKey(at: folder.path("my-\(name)")))
    }

    @Test func readKeyIsKnownByEveryName() throws {
        let (key, other) = (folder.path("key"), folder.path("other"))
        try FilePlace(key).createPrivate([1, 2])
        #expect(!KeyFile.isKey(at: key))
        let file = try KeyFile(key)
        #expect(file.content == [1, 2] && file.isPrivate)
        try FileManager.default.linkItem(atPath: key, toPath: other)
        #expect(KeyFile.isKey(at: key) && KeyFile.isKey(at: other))
        try FilePlace(key).removeFile()
        #expect(!KeyFile.isKey(at: key) && KeyFile.isKey(at: other))
    }

    @Test func newFileIsNotWrittenThroughLink() throws {
        try FilePlace(folder.path("own")).write([1])
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "own")
        #expect(throws: FileError.self) { try StorageFile(folder.path("link"), for: .creating) }
        #expect(try StorageFile.content(of: folder.path("own")) == [1])
    }

    @Test func privateFileDoesNotReplaceExistingFile() throws {
        try FilePlace(folder.path("key")).createPrivate([1])
        #expect(throws: FileError.self) { try FilePlace(folder.path("key")).createPrivate([2]) }
        #expect(try StorageFile.content(of: folder.path("key")) == [1])
    }
}

extension StorageFile {
    fileprivate func append(_ text: String) throws {
        let bytes = Array(text.utf8)[...]
        try append(bytes.span)
    }
}

/// A folder for one test, removed when the object is released.
private final class Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("reprise-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String { "\(path)/\(name)" }
}
