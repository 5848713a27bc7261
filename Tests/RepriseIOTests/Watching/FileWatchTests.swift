// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseIO

/// Changes to real files. Each test waits for the report that its changes cause, and at the end there is no other.
@Suite struct FileWatchTests {
    /// A folder that is watched.
    private final class Watching {
        let folder: TemporaryFolder
        let loop: EventLoop
        private let events: AsyncStream<FileWatch.Event>
        private let continuation: AsyncStream<FileWatch.Event>.Continuation

        /// Watches the folder `root` in a temporary folder with these files, or else `paths`.
        init(
            _ files: [String: String] = ["root/a.txt": "a"],
            _ paths: [String] = ["root"]
        ) async throws {
            folder = try TemporaryFolder(files)
            loop = try EventLoop(name: "watch")
            (events, continuation) = AsyncStream.makeStream()
            let (full, loop, continuation) = (paths.map { [folder] in "\(folder.path)/\($0)" }, loop, continuation)
            let result: Result<Void, FileWatchError> = await withCheckedContinuation { started in
                loop.execute {
                    do throws(FileWatchError) {
                        let isIgnored = { (path: String, _: Bool) in path.contains("/.") }
                        _ = try FileWatch(full, loop: loop, quiet: .milliseconds(50), isIgnored: isIgnored) {
                            continuation.yield($0)
                        }
                        started.resume(returning: .success(()))
                    } catch {
                        started.resume(returning: .failure(error))
                    }
                }
            }
            try result.get()
        }

        func path(_ name: String) -> String { "\(folder.path)/\(name)" }

        /// Changes files and waits for the report. The loop is blocked meanwhile, so that on a slow machine, too, the
        /// changes are close together.
        func edit(_ body: () throws -> Void) async throws {
            let released = DispatchSemaphore(value: 0)
            await withCheckedContinuation { (blocked: CheckedContinuation<Void, Never>) in
                loop.execute {
                    blocked.resume()
                    released.wait()
                }
            }
            let result = Result { try body() }
            released.signal()
            try result.get()
            try await change()
        }

        /// Waits for a report.
        func change() async throws {
            for await event in events {
                guard case .failed(let error) = event else { return }
                throw error
            }
        }

        /// Stops watching. Returns the number of reports that nothing waited for.
        func end() async -> Int {
            await loop.shutDown()
            continuation.finish()
            var count = 0
            for await _ in events { count += 1 }
            return count
        }

        /// Writes beside the file and renames, as most editors do.
        func replace(_ name: String, with text: String) throws {
            try folder.write(Array(text.utf8), to: name + ".new")
            let code = unsafe rename(path(name + ".new"), path(name))
            #expect(code == 0)
        }
    }

    private static let files = FileManager.default

    @Test func reportsWrittenFile() async throws {
        let watching = try await Watching()
        try await watching.edit { try watching.folder.write([0x62], to: "root/a.txt") }
        #expect(await watching.end() == 0)
    }

    /// Vim, IntelliJ, and others write beside the file and rename. The file is another one afterwards.
    @Test(arguments: ["root", "root/a.txt"])
    func reportsFileReplacedByRenamingAgainAndAgain(_ path: String) async throws {
        let watching = try await Watching(["root/a.txt": "a"], [path])
        for text in ["b", "c", "d"] {
            try await watching.edit { try watching.replace("root/a.txt", with: text) }
        }
        try await watching.edit { try watching.folder.write([0x65], to: "root/a.txt") }
        #expect(await watching.end() == 0)
    }

    @Test func reportsNewAndRemovedFiles() async throws {
        let watching = try await Watching()
        try await watching.edit { try watching.folder.write([0x62], to: "root/b.txt") }
        try await watching.edit { try Self.files.removeItem(atPath: watching.path("root/b.txt")) }
        #expect(await watching.end() == 0)
    }

    @Test func reportsCheckoutOfManyFilesOnce() async throws {
        let watching = try await Watching()
        try await watching.edit {
            for number in 0..<100 {
                try watching.folder.write([0x62], to: "root/folder-\(number % 10)/deeper/file-\(number).txt")
            }
        }
        try await watching.edit {
            try Self.files.removeItem(atPath: watching.path("root/folder-3/deeper/file-3.txt"))
        }
        #expect(await watching.end() == 0)
    }

    @Test func watchesNewFoldersAndForgetsRemovedOnes() async throws {
        let watching = try await Watching()
        try await watching.edit { try watching.folder.write([0x62], to: "root/x/y/z/b.txt") }
        try await watching.edit { try watching.folder.write([0x63], to: "root/x/y/z/b.txt") }
        try await watching.edit {
            try Self.files.moveItem(atPath: watching.path("root/x/y"), toPath: watching.path("outside"))
        }
        try watching.folder.write([0x64], to: "outside/z/b.txt")
        try await watching.edit { try watching.folder.write([0x64], to: "root/a.txt") }
        #expect(await watching.end() == 0)
    }

    @Test func followsFolderThatVanishesAndComesBack() async throws {
        let watching = try await Watching()
        for _ in 0..<2 {
            try await watching.edit { try Self.files.removeItem(atPath: watching.path("root")) }
            try await watching.edit { try watching.folder.write([0x62], to: "root/sub/b.txt") }
            try await watching.edit { try watching.folder.write([0x63], to: "root/sub/b.txt") }
        }
        #expect(await watching.end() == 0)
    }

    @Test func followsFolderSwappedForAnother() async throws {
        let watching = try await Watching(["root/a.txt": "a", "other/a.txt": "b"])
        try await watching.edit {
            try Self.files.moveItem(atPath: watching.path("root"), toPath: watching.path("old"))
            try Self.files.moveItem(atPath: watching.path("other"), toPath: watching.path("root"))
        }
        try watching.folder.write([0x64], to: "old/a.txt")
        try await watching.edit { try watching.folder.write([0x63], to: "root/a.txt") }
        #expect(await watching.end() == 0)
    }

    /// The folders above are missing too, and one of them is moved.
    @Test func followsFolderWhoseParentsComeAndGo() async throws {
        let watching = try await Watching([:], ["one/two/root"])
        try await watching.edit { try watching.folder.write([0x61], to: "one/two/root/a.txt") }
        try await watching.edit {
            try Self.files.moveItem(atPath: watching.path("one"), toPath: watching.path("moved"))
        }
        try await watching.edit {
            try Self.files.moveItem(atPath: watching.path("moved"), toPath: watching.path("one"))
        }
        try await watching.edit { try watching.folder.write([0x62], to: "one/two/root/a.txt") }
        #expect(await watching.end() == 0)
    }

    @Test func followsLinksToFilesElsewhere() async throws {
        let watching = try await Watching(["root/b.txt": "b", "data/a.txt": "a"])
        try await watching.edit { try watching.folder.link("root/a.txt", to: "../data/a.txt") }
        try await watching.edit { try watching.folder.write([0x63], to: "data/a.txt") }
        try await watching.edit { try watching.replace("data/a.txt", with: "d") }
        try await watching.edit { try watching.folder.write([0x65], to: "data/a.txt") }
        #expect(await watching.end() == 0)
    }

    /// Kubernetes mounts a ConfigMap as links into a hidden folder, and swaps the link to that folder.
    @Test func followsSwappedLinkToHiddenFolder() async throws {
        let watching = try await Watching(["root/.1/a.txt": "a", "root/.2/a.txt": "b"])
        try await watching.edit {
            try watching.folder.link("root/.data", to: ".1")
            try watching.folder.link("root/a.txt", to: ".data/a.txt")
        }
        try await watching.edit {
            try watching.folder.link("root/.new", to: ".2")
            let code = unsafe rename(watching.path("root/.new"), watching.path("root/.data"))
            #expect(code == 0)
            try Self.files.removeItem(atPath: watching.path("root/.1"))
        }
        try await watching.edit { try watching.folder.write([0x63], to: "root/.2/a.txt") }
        #expect(await watching.end() == 0)
    }

    /// The link in the watched folder stays as it is, and another one that it leads through is swapped.
    @Test(arguments: ["hop/a.txt", "hop"])
    func followsEveryLinkOfChain(_ swapped: String) async throws {
        let watching = try await Watching(["root/b.txt": "b", "store/1/a.txt": "1", "store/2/a.txt": "2"])
        let rest = swapped == "hop" ? "" : "/a.txt"
        try Self.files.createDirectory(atPath: watching.path("links"), withIntermediateDirectories: true)
        if swapped != "hop" {
            try Self.files.createDirectory(atPath: watching.path("hop"), withIntermediateDirectories: true)
        }
        try watching.folder.link(swapped, to: watching.path("store/1\(rest)"))
        try watching.folder.link("links/a.txt", to: "../hop/a.txt")
        try await watching.edit { try watching.folder.link("root/a.txt", to: "../links/a.txt") }
        for number in [2, 1] {
            try await watching.edit {
                try watching.folder.link("new", to: watching.path("store/\(number)\(rest)"))
                let code = unsafe rename(watching.path("new"), watching.path(swapped))
                #expect(code == 0)
            }
            try await watching.edit { try watching.replace("store/\(number)/a.txt", with: "new") }
        }
        #expect(await watching.end() == 0)
    }

    @Test func reportsTargetOfDanglingLink() async throws {
        let watching = try await Watching()
        try await watching.edit { try watching.folder.link("root/b.txt", to: "../later/b.txt") }
        try await watching.edit { try watching.folder.write([0x62], to: "later/b.txt") }
        try await watching.edit { try watching.folder.write([0x63], to: "later/b.txt") }
        #expect(await watching.end() == 0)
    }

    @Test func readsFoldersThatLinkToEachOtherOnce() async throws {
        let watching = try await Watching()
        try await watching.edit { try watching.folder.link("root/loop", to: ".") }
        try await watching.edit { try watching.folder.write([0x62], to: "root/a.txt") }
        #expect(await watching.end() == 0)
    }

    @Test func ignoresNamesAndSiblings() async throws {
        let watching = try await Watching()
        try watching.folder.write([0x62], to: "root/.hidden")
        try watching.folder.write([0x62], to: "root/.git/index")
        try watching.folder.write([0x62], to: "sibling.txt")
        try await watching.edit { try watching.folder.write([0x62], to: "root/a.txt") }
        try watching.folder.write([0x63], to: "root/.git/index")
        #expect(await watching.end() == 0)
    }

    #if os(Linux)
        /// The system drops notifications if the loop does not read them.
        @Test func reportsChangeAfterOverflow() async throws {
            let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            let limit = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            try #require(limit <= 1 << 17)
            let watching = try await Watching()
            try await watching.edit {
                // Creating, closing, and removing a file are at least two notifications.
                for _ in 0...(limit / 2) {
                    #expect(Self.files.createFile(atPath: watching.path("root/b.txt"), contents: nil))
                    try Self.files.removeItem(atPath: watching.path("root/b.txt"))
                }
                try watching.folder.write([0x63], to: "root/sub/c.txt")
            }
            try await watching.edit { try watching.folder.write([0x64], to: "root/sub/c.txt") }
            #expect(await watching.end() == 0)
        }

        @Test func limitsAreExplained() {
            let watches = FileWatchError(cause: SystemError(code: ENOSPC, call: "inotify_add_watch"), path: "/x/y")
            #expect(watches.description.hasPrefix("cannot watch /x/y: expected room for another watched folder"))
            #expect(watches.description.contains("fs.inotify.max_user_watches"))
            let instances = FileWatchError(cause: SystemError(code: EMFILE, call: "inotify_init1"), path: nil)
            #expect(instances.description.contains("fs.inotify.max_user_instances"))
            let other = FileWatchError(cause: SystemError(code: EACCES, call: "inotify_add_watch"), path: "/x")
            #expect(other.description == "cannot watch /x: inotify_add_watch: permission denied")
        }
    #endif
}
