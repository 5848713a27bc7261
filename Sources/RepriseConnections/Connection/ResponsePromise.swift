// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The outcome of an exchange, on its way from the loop to the task that waits for it.
///
/// The outcome is kept under a lock, and the continuation only wakes the task. ThreadSanitizer reports a false race
/// for a value passed through a continuation that is resumed before its task suspends.
final class ResponsePromise: Sendable {
    typealias Outcome = Result<ClientExchange.Delivery, ConnectionError>
    typealias Waiter = CheckedContinuation<Void, Never>

    private let state = Locked<(waiter: Waiter?, outcome: Outcome?)>((nil, nil))

    /// Sets the continuation to wake when the outcome is available. Call this once, before the outcome can be set.
    func wake(_ waiter: Waiter) {
        state.withLock { $0.waiter = waiter }
    }

    /// Sets the outcome. Call this once.
    func fulfill(_ outcome: Outcome) {
        let waiter = state.withLock { state in
            state.outcome = outcome
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns the outcome. Call this after being woken.
    func take() -> Outcome {
        guard let outcome = state.withLock({ $0.outcome }) else { preconditionFailure("no outcome has been set") }
        return outcome
    }
}
