// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// A one-time event that tests can wait for.
public final class Signal: Sendable {
    private let state = Locked(State())

    private struct State {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Creates a signal that is not set.
    public init() {}

    /// Sets the signal and wakes all waiting tasks. Has no effect if it is already set.
    public func set() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the signal is set.
    public func wait() async {
        await withCheckedContinuation { waiter in
            let hasHappened = state.withLock { state in
                if !state.hasHappened { state.waiters.append(waiter) }
                return state.hasHappened
            }
            if hasHappened { waiter.resume() }
        }
    }
}
