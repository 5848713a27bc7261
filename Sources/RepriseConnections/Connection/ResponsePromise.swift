// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// What an exchange comes to, on its way from the loop to the task that waits for it.
///
/// It lies under a lock, and the task is only woken: what a continuation hands over looks like a race to ThreadSanitizer
/// where it is resumed before its task sleeps.
final class ResponsePromise: Sendable {
    typealias Outcome = Result<ClientExchange.Delivery, ConnectionError>
    typealias Waiter = CheckedContinuation<Void, Never>

    private let state = Locked<(waiter: Waiter?, outcome: Outcome?)>((nil, nil))

    /// Wakes `waiter` when the outcome is there. Once, before anyone can give one.
    func wake(_ waiter: Waiter) {
        state.withLock { $0.waiter = waiter }
    }

    /// The exchange came to `outcome`. Once.
    func give(_ outcome: Outcome) {
        let waiter = state.withLock { state in
            state.outcome = outcome
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// The outcome, by whom it woke.
    func take() -> Outcome {
        guard let outcome = state.withLock({ $0.outcome }) else { preconditionFailure("it wakes with an outcome") }
        return outcome
    }
}
