// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// A FIFO limit on how much runs at the same time.
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

    /// - Parameter slots: how many; at least one.
    init(slots: Int) {
        state = Locked(State(free: max(slots, 1)))
    }

    /// How many could enter at once.
    var freeSlots: Int { state.withLock { $0.free } }

    /// How many wait to.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Runs `work` in a slot, and waits for one first.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled while it waits, and what `work` throws.
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
        // Set and read while the state is locked.
        let ticket = Locked<TicketQueue<CheckedContinuation<Bool, Never>>.Ticket?>(nil)
        let hasSlot = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Bool? = state.withLock { state in
                    // One may have become free meanwhile; a task that is cancelled gives it back.
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

    /// Hands the slot to the task that has waited longest.
    private func leave() {
        let next = state.withLock { state in
            let next = state.queue.next()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume(returning: true)
    }
}
