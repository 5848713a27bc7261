// SPDX-License-Identifier: Apache-2.0

/// Reports changes to files and to everything below folders, with inotify on Linux and kqueue elsewhere. Loop thread
/// only. The loop keeps an open watch alive.
///
/// Changes in quick succession are reported once. Files may be replaced, folders may come and go, and the paths need
/// not exist. Network file systems often report only the changes that this machine made.
public final class FileWatch: LoopResource {
    /// What a watch reports.
    public enum Event: Sendable {
        /// Files were created, changed, or removed. What exists now can be read.
        case changed
        /// A file or folder cannot be watched anymore. Changes to the others are still reported.
        case failed(FileWatchError)
    }

    var slot = 0
    private let loop: EventLoop
    private let paths: [String]
    private let isIgnored: (_ path: String, _ isFolder: Bool) -> Bool
    private var handler: ((Event) -> Void)?
    private var notifier: FileNotifier?
    private var burst: ChangeBurst
    private var isScheduled = false
    private var digest: UInt64 = 0
    private var failure: FileWatchError?

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - paths: Files and folders, which need not exist.
    ///   - quiet: The time without changes after which earlier changes are reported. If changes go on for 20 times as
    ///     long, they are reported in between.
    ///   - isIgnored: Whether to ignore the file or folder at a path. Not called for those in `paths`.
    ///   - handler: Called on the loop's thread.
    /// - Throws: ``FileWatchError`` if something cannot be watched.
    public init(
        _ paths: [String],
        loop: EventLoop,
        quiet: Duration = .milliseconds(100),
        isIgnored: @escaping (_ path: String, _ isFolder: Bool) -> Bool = { _, _ in false },
        handler: @escaping (Event) -> Void
    ) throws(FileWatchError) {
        do throws(SystemError) { try loop.requireCurrent("watch") } catch {
            throw FileWatchError(cause: error, path: nil)
        }
        self.loop = loop
        self.paths = paths.map { FolderSurvey.absolute($0) }
        self.isIgnored = isIgnored
        self.handler = handler
        burst = ChangeBurst(quiet: quiet, limit: quiet * 20)
        loop.add(self)
        do throws(FileWatchError) {
            notifier = try FileNotifier(loop: loop, isIgnored: isIgnored) { [unowned self] in touched(isCertain: $0) }
            // Folders may be created between reading a folder and watching it.
            while try survey() {}
        } catch {
            close()
            throw error
        }
    }

    /// Stops watching.
    public func close() {
        guard handler != nil else { return }
        handler = nil
        notifier?.close()
        notifier = nil
        loop.remove(self)
    }

    /// Reads the folders, and watches what they contain now. Returns whether there are new folders.
    private func survey() throws(FileWatchError) -> Bool {
        let survey = FolderSurvey(paths, includesFiles: FileNotifier.watchesFiles, isIgnored: isIgnored)
        digest = survey.digest
        guard let (hasNew, error) = notifier?.watch(survey.places) else { return false }
        if let error { throw error }
        return hasNew
    }

    private func touched(isCertain: Bool) {
        burst.add(at: loop.now(), isCertain: isCertain)
        scheduleSurvey()
    }

    private func scheduleSurvey() {
        guard !isScheduled, let due = burst.due else { return }
        isScheduled = true
        loop.schedule(self, at: due)
    }
}

extension FileWatch: TimerTarget {
    /// Looks at the files if nothing has changed for a while.
    public func timerFired(_ token: TimerToken) {
        isScheduled = false
        guard handler != nil, let due = burst.due else { return }
        if due > loop.now() { return scheduleSurvey() }
        let before = digest
        var hasNewFolders = false
        var error: FileWatchError?
        do throws(FileWatchError) { hasNewFolders = try survey() } catch let failed { error = failed }
        let action = burst.end(at: loop.now(), hasNewFolders: hasNewFolders, hasChanged: digest != before)
        scheduleSurvey()
        // The handler may close the watch.
        let handler = handler
        if let error, error != failure { handler?(.failed(error)) }
        failure = error
        if action == .report { handler?(.changed) }
    }
}
