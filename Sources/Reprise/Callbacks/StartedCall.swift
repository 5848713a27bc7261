// SPDX-License-Identifier: Apache-2.0

/// A handle to a call in progress that delivers its result to a closure.
///
/// Releasing the handle does not cancel the call.
public struct StartedCall: Sendable {
    private let task: Task<Void, Never>

    init(_ work: @escaping @Sendable () async -> Void) {
        task = Task { await work() }
    }

    /// Cancels the call if it has not ended yet. Its closure receives ``ClientError/Code/cancelled``.
    public func cancel() {
        task.cancel()
    }
}
