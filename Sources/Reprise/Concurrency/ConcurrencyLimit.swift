// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// A FIFO limit on the number of simultaneous operations.
final class ConcurrencyLimit: Sendable {
    private struct State {
        var free: Int
        /// Empty while a slot is free.
        var queue = TicketQueue<CheckedContinuation<Bool, Never>>()

        mutating func take() -> Bool {
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    private let state: Locked<State>

    /// Creates a limit.
    ///
    /// - Parameter slots: The number of slots. Values below 1 are treated as 1.
    init(slots: Int) {
        state = Locked(State(free: max(slots, 1)))
    }

    var freeSlots: Int { state.withLock { $0.free } }

    var waiting: Int { state.withLock { $0.queue.count } }

    /// Waits for a slot and runs `work` in it.
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled while waiting, or the error of `work`.
    func run<Value>(
        _ work: () async throws -> Value
    ) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async throws {
        try Task.checkCancellation()
        if state.withLock({ $0.take() }) { return }
        // Only accessed while the state is locked.
        let ticket = Locked<TicketQueue<CheckedContinuation<Bool, Never>>.Ticket?>(nil)
        let hasSlot = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Bool? = state.withLock { state in
                    // A slot may have become free in the meantime. A canceled task takes it as well, and releases it
                    // after `work`.
                    if state.take() { return true }
                    guard !Task.isCancelled else { return false }
                    let place = state.queue.join(continuation)
                    ticket.withLock { $0 = place }
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                ticket.withLock { $0 }.flatMap { state.queue.leave($0) }
            }
            waiter?.resume(returning: false)
        }
        if !hasSlot { throw CancellationError() }
    }

    /// Passes the slot to the task that has waited longest, or frees it.
    private func leave() {
        let next = state.withLock { state in
            let next = state.queue.next()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume(returning: true)
    }
}
