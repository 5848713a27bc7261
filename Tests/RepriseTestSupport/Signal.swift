// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// Something that happens once, and that tests wait for.
public final class Signal: Sendable {
    private let state = Locked(State())

    private struct State {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// It has not happened yet.
    public init() {}

    /// It has happened; nothing if it had before.
    public func set() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns as soon as it has happened.
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
