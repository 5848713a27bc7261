// SPDX-License-Identifier: Apache-2.0

/// Work that is already an object on a loop, so that submitting it needs no closure; see ``LoopBound/execute()``.
public protocol LoopWork: AnyObject {
    /// Called on the loop's thread.
    func run()
}

/// The work waiting for a loop, and the phase of the loop's life.
///
/// This value has no side effects: each change returns what the caller has to do. `EventLoop` keeps it under a lock.
struct LoopInbox: Sendable {
    enum Job: Sendable {
        case closure(@Sendable () -> Void)
        case work(LoopBound<any LoopWork>)
        case task(UnownedJob)
    }

    /// running -> ended, once. After that, ended -> late -> ended for each batch that is submitted.
    private enum Phase {
        /// The loop's thread takes the jobs.
        case running
        /// The loop's thread has ended or is about to return. No thread takes the jobs.
        case ended
        /// A separate thread takes the jobs that were submitted after the end.
        case late
    }

    enum Duty: Equatable {
        case none
        case wakeLoop
        case startLateThread
    }

    private var jobs: [Job] = []
    private var phase = Phase.running

    /// Adds a job. Only the first job of a batch requires an action.
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

    /// Swaps the waiting jobs with the empty array `batch`, so that both arrays keep their storage.
    mutating func take(into batch: inout [Job]) {
        swap(&jobs, &batch)
    }

    /// Like `take(into:)`, for the late thread. Returns false and sets the phase to `ended` if no jobs are left.
    mutating func takeOrEnd(into batch: inout [Job]) -> Bool {
        if jobs.isEmpty {
            phase = .ended
            return false
        }
        swap(&jobs, &batch)
        return true
    }
}
