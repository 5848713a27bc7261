// SPDX-License-Identifier: Apache-2.0

/// Work that is an object on a loop already, so that no closure has to be made for it; see ``LoopBound/execute()``.
public protocol LoopWork: AnyObject {
    /// Called on the loop's thread.
    func run()
}

/// The work that waits for a loop, and how far the loop's life has come.
///
/// A value without effects: each change returns what the caller has to do. `EventLoop` keeps it under a lock.
struct LoopInbox: Sendable {
    enum Job: Sendable {
        case closure(@Sendable () -> Void)
        case work(LoopBound<any LoopWork>)
        case task(UnownedJob)
    }

    /// running -> ended, once; then ended -> late -> ended for each batch that comes too late.
    private enum Phase {
        /// The loop's thread takes the jobs.
        case running
        /// The loop's thread is over or about to return; nobody takes jobs.
        case ended
        /// A thread of its own takes the jobs that came after the end.
        case late
    }

    enum Duty: Equatable {
        case none
        case wakeLoop
        case startLateThread
    }

    private var jobs: [Job] = []
    private var phase = Phase.running

    /// Adds a job; only the first of a batch asks for something to be done.
    mutating func add(_ job: Job) -> Duty {
        jobs.append(job)
        switch phase {
        case .running:
            return jobs.count == 1 ? .wakeLoop : .none
        case .ended:
            phase = .late
            return .startLateThread
        case .late:
            return .none
        }
    }

    /// Exchanges the waiting jobs for the empty array `batch`, so that both keep their storage.
    mutating func take(into batch: inout [Job]) {
        swap(&jobs, &batch)
    }

    /// Like `take(into:)`, for the last thread: with nothing left to do the phase is `ended`, and false is returned.
    mutating func takeOrEnd(into batch: inout [Job]) -> Bool {
        if jobs.isEmpty {
            phase = .ended
            return false
        }
        swap(&jobs, &batch)
        return true
    }
}
