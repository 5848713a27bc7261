// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// A value that one thread passes to a waiting task, through a continuation that ThreadSanitizer can follow.
///
/// If a continuation is resumed before its task suspends, Swift's runtime does not report to ThreadSanitizer that one
/// thread ran after the other, so the value looks like a race. The lock makes the order visible.
struct Handover<Value: Sendable>: Sendable {
    private let slot: Locked<Result<Value, any Error>?>
    private let continuation: CheckedContinuation<Void, Never>

    /// Passes a handover to `start` and waits until it is resumed.
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
