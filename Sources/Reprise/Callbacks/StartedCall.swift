// SPDX-License-Identifier: Apache-2.0

/// A call that runs for someone who does not wait for it.
///
/// Letting go of it changes nothing.
public struct StartedCall: Sendable {
    private let task: Task<Void, Never>

    init(_ work: @escaping @Sendable () async -> Void) {
        task = Task { await work() }
    }

    /// Ends the call, if it has not ended yet; its closure is told of ``ClientError/Code/cancelled``.
    public func cancel() {
        task.cancel()
    }
}
