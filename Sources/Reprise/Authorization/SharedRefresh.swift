// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// A refresh of a token, whose result is shared by all waiting tasks.
///
/// It runs in its own task, so a waiting task that is canceled does not affect the others.
final class SharedRefresh: Sendable {
    private struct State {
        var result: Result<String?, any Error>?
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// Resumes all waiting tasks.
    func end(with result: Result<String?, any Error>) {
        let waiting = state.withLock { state in
            state.result = result
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for the result.
    ///
    /// - Throws: The error of the refresh, or `CancellationError` as soon as this task is canceled.
    func value() async throws -> String? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.result != nil || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
        guard let result = state.withLock({ $0.result }) else { preconditionFailure("woken without a result") }
        return try result.get()
    }
}
