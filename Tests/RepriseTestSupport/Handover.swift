// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// What a task waits for and another thread gives: a continuation that ThreadSanitizer can follow.
///
/// Where a continuation is resumed before its task sleeps, Swift's runtime does not tell ThreadSanitizer that one thread
/// came behind the other, and what was handed over looks like a race. The lock tells it.
struct Handover<Value: Sendable>: Sendable {
    private let slot: Locked<Result<Value, any Error>?>
    private let continuation: CheckedContinuation<Void, Never>

    /// Waits for what the one is given that `start` gets.
    static func wait(for start: (Handover) -> Void) async throws -> Value {
        let slot = Locked<Result<Value, any Error>?>(nil)
        await withCheckedContinuation { start(Handover(slot: slot, continuation: $0)) }
        guard let result = slot.withLock({ $0 }) else { preconditionFailure("resumed without a result") }
        return try result.get()
    }

    func resume(with result: Result<Value, any Error>) {
        slot.withLock { $0 = result }
        continuation.resume()
    }

    func resume(returning value: Value) {
        resume(with: .success(value))
    }

    func resume(throwing error: any Error) {
        resume(with: .failure(error))
    }
}
