// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// What the last request of an attempt was answered, for a retry that gets to see only what an interceptor made of it.
final class AnsweredHead: Sendable {
    private let state = Locked<HTTPResponse?>(nil)

    /// Nil if there was no answer.
    var head: HTTPResponse? { state.withLock { $0 } }

    /// There was another answer, or there is none any more.
    func note(_ head: HTTPResponse?) {
        state.withLock { $0 = head }
    }
}
