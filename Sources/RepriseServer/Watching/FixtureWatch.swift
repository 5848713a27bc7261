// SPDX-License-Identifier: Apache-2.0

package import RepriseFixtures
package import RepriseIO
package import RepriseText

/// Watches the files of fixtures on its own thread.
///
/// Begin watching before loading the fixtures, so that no change is missed.
package final class FixtureWatch: Sendable {
    /// An element for each change of the files. Changes that arrive while one is being handled are combined into one
    /// element.
    package let changes: AsyncStream<Void>

    private let continuation: AsyncStream<Void>.Continuation
    private let loop: EventLoop
    private let bodyFiles = Locked(BodyFiles())

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - paths: The folders and files that fixtures are loaded from.
    ///   - failed: Called if some files can no longer be watched.
    /// - Throws: ``FileWatchError`` if a path cannot be watched.
    package init(
        _ paths: [String],
        failed: @escaping @Sendable (FileWatchError) -> Void
    ) async throws(FileWatchError) {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        self.continuation = continuation
        let loop: EventLoop
        do throws(SystemError) { loop = try EventLoop(name: "watch") } catch {
            throw FileWatchError(cause: error, path: nil)
        }
        self.loop = loop
        let (watched, bodyFiles) = (WatchedFiles.paths(for: paths), bodyFiles)
        let isIgnored = { @Sendable (path: String, isFolder: Bool) in
            bodyFiles.withLock { $0.isIgnored(path, isFolder: isFolder) }
        }
        let started: Result<Void, FileWatchError> = await withCheckedContinuation { started in
            loop.execute {
                do throws(FileWatchError) {
                    _ = try FileWatch(watched, loop: loop, isIgnored: isIgnored) { event in
                        switch event {
                        case .changed: continuation.yield()
                        case .failed(let error): failed(error)
                        }
                    }
                    started.resume(returning: .success(()))
                } catch {
                    started.resume(returning: .failure(error))
                }
            }
        }
        if case .failure(let error) = started {
            await loop.shutDown()
            throw error
        }
    }

    /// Call this before fixtures are loaded again. A body file that they name and that changes meanwhile is reported when
    /// its name is known.
    package func beginLoading() {
        bodyFiles.withLock { $0.ignored = $0.ignored ?? [] }
    }

    /// Watches the body files of fixtures that were loaded, and no others.
    package func watchBodies(of set: FixtureSet) {
        watch { $0.names = set.bodyFiles }
    }

    /// Also watches the body files of fixtures that could not be loaded.
    package func watchBodies(ofFixturesIn problems: FixtureProblems) {
        watch { $0.names?.formUnion(problems.bodyFiles) }
    }

    private func watch(_ change: (inout BodyFiles) -> Void) {
        let hasChanged = bodyFiles.withLock { files in
            change(&files)
            let ignored = files.ignored ?? []
            files.ignored = nil
            return ignored.contains { !files.isIgnored($0, isFolder: false) }
        }
        if hasChanged { continuation.yield() }
    }

    /// The body files that fixtures name.
    private struct BodyFiles {
        /// Nil if none were loaded yet.
        var names: Set<String>?
        /// While fixtures are loaded, the files that changed and that no fixture named so far.
        var ignored: Set<String>?

        mutating func isIgnored(_ path: String, isFolder: Bool) -> Bool {
            let isIgnored = WatchedFiles.isIgnored(path, isFolder: isFolder, bodyFiles: names)
            if isIgnored, !isFolder { ignored?.insert(path) }
            return isIgnored
        }
    }

    /// Stops watching, and ends ``changes``.
    package func stop() async {
        continuation.finish()
        await loop.shutDown()
    }
}
