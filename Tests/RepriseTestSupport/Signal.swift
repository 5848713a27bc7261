// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
public import Testing

/// A signal that one task sets and others wait for.
public final class Signal: Sendable {
    /// The longest time that a test waits.
    public static let longestWait = Duration.seconds(120)

    /// How a wait ended.
    enum End: Sendable {
        case set
        case canceled
        case expired
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
        let expiry: Task<Void, any Error>
    }

    private struct State {
        var hasHappened = false
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
        /// How waits ended, if the signal was not set.
        var ends: [Int: End] = [:]
    }

    private let state = Locked(State())

    /// Creates a signal that is not set.
    public init() {}

    /// Sets the signal and wakes all waiting tasks. Has no effect if it is already set.
    public func set() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { Self.wake(waiter) }
    }

    /// Waits until the signal is set. The test fails if its task is canceled or the limit is reached first.
    public func wait(upTo limit: Duration = longestWait, sourceLocation: SourceLocation = #_sourceLocation) async {
        switch await end(within: limit) {
        case .set: break
        case .canceled:
            Issue.record(
                "expected the signal to be set, found that the task was canceled",
                sourceLocation: sourceLocation
            )
        case .expired:
            Issue.record(
                "expected the signal to be set within \(limit), found that it was not",
                sourceLocation: sourceLocation
            )
        }
    }

    /// Waits until the signal is set, the task is canceled, or the limit is reached.
    func end(within limit: Duration) async -> End {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.hasHappened { return true }
                    if Task.isCancelled {
                        state.ends[id] = .canceled
                        return true
                    }
                    let expiry = Task {
                        try await Task.sleep(for: limit)
                        end(id, .expired)
                    }
                    state.waiters[id] = Waiter(continuation: continuation, expiry: expiry)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            end(id, .canceled)
        }
        return state.withLock { $0.ends.removeValue(forKey: id) } ?? .set
    }

    private func end(_ id: Int, _ end: End) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter != nil { state.ends[id] = end }
            return waiter
        }
        if let waiter { Self.wake(waiter) }
    }

    private static func wake(_ waiter: Waiter) {
        waiter.expiry.cancel()
        waiter.continuation.resume()
    }
}
