// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// Wakes tasks when requests are added to a journal.
final class RequestSignal: Sendable {
    private let state = Locked(State())

    private struct State {
        var count = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextTask = 0
    }

    /// The number of times that the signal was given so far. Read it before reading the journal, and then wait for a
    /// higher count.
    var count: Int { state.withLock(\.count) }

    func give() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits until the signal was given more often than `count`, or until the task is canceled.
    func wait(beyond count: Int) async {
        let task = state.withLock { state in
            state.nextTask += 1
            return state.nextTask
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.count > count || Task.isCancelled { return true }
                    state.waiting[task] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: task) }?.resume()
        }
    }
}
