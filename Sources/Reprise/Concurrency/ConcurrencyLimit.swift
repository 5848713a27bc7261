// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// Lets so many at a time in, who comes first first.
final class ConcurrencyLimit: Sendable {
    private let line: Locked<WaitingLine<CheckedContinuation<Void, Never>>>

    /// - Parameter slots: how many; at least one.
    init(slots: Int) {
        line = Locked(WaitingLine(slots: slots))
    }

    /// How many could enter at once.
    var freeSlots: Int { line.withLock { $0.freeSlots } }

    /// How many wait to.
    var waiting: Int { line.withLock { $0.waiting } }

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
        if line.withLock({ $0.take() }) { return }
        let id = line.withLock { $0.newID() }
        let isIn = Locked(true)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = line.withLock { line in
                    // One may have become free meanwhile; who is cancelled gives it back.
                    if line.take() { return true }
                    guard !Task.isCancelled else {
                        isIn.withLock { $0 = false }
                        return true
                    }
                    line.wait(id, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            guard let continuation = line.withLock({ $0.leave(id) }) else { return }
            isIn.withLock { $0 = false }
            continuation.resume()
        }
        if !isIn.withLock({ $0 }) { throw CancellationError() }
    }

    /// Hands the slot to who has waited longest.
    private func leave() {
        line.withLock { $0.give() }?.resume()
    }
}
