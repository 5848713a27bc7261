// SPDX-License-Identifier: Apache-2.0

/// Collects changes that belong together, such as those of a `git checkout`, so that they are reported once. It has no
/// side effects.
///
/// A burst ends when nothing has changed for a while. If changes go on for a long time, they are reported in between.
struct ChangeBurst {
    /// The time without changes that ends a burst.
    let quiet: Duration
    /// The longest time from a change to its report.
    let limit: Duration

    private var first: MonotonicTime?
    private var last = MonotonicTime(nanoseconds: 0)
    private var isCertain = false

    /// What to do once the burst is due.
    enum Action: Equatable {
        /// Report a change.
        case report
        /// Wait, because the burst goes on.
        case wait
        /// Nothing changed.
        case none
    }

    init(quiet: Duration, limit: Duration) {
        self.quiet = quiet
        self.limit = limit
    }

    /// When to compare the files; nil if nothing changed.
    var due: MonotonicTime? {
        first.map { min(last + quiet, $0 + limit) }
    }

    /// - Parameter isCertain: Whether a file certainly changed. If false, the files have to be compared.
    mutating func add(at now: MonotonicTime, isCertain: Bool) {
        first = first ?? now
        last = now
        self.isCertain = self.isCertain || isCertain
    }

    /// - Parameters:
    ///   - hasNewFolders: Whether there are folders that were not watched yet. Files that are created in them now are
    ///     missed unless the burst goes on.
    ///   - hasChanged: Whether the files differ from those at the last report.
    mutating func end(at now: MonotonicTime, hasNewFolders: Bool, hasChanged: Bool) -> Action {
        guard let first else { return .none }
        isCertain = isCertain || hasChanged
        let isOver = now >= first + limit
        if hasNewFolders, !isOver {
            last = now
            return .wait
        }
        let goesOn = now < last + quiet
        let action = isCertain ? Action.report : .none
        // Two changes within one tick of the file system's clock look like one, so the last one is reported as well.
        self.first = goesOn ? now : nil
        isCertain = goesOn
        return action
    }
}
