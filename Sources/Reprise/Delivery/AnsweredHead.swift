// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// The head of the latest response of an attempt, for a retry policy that otherwise sees only the result of an
/// interceptor.
final class AnsweredHead: Sendable {
    private let state = Locked<HTTPResponse?>(nil)

    /// The head, or nil if there is no response.
    var head: HTTPResponse? { state.withLock { $0 } }

    /// Records the head of a new response, or nil to discard the previous one.
    func note(_ head: HTTPResponse?) {
        state.withLock { $0 = head }
    }
}
