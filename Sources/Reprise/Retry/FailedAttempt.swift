// SPDX-License-Identifier: Apache-2.0

/// An attempt at a call that failed, as a ``RetryPolicy`` sees it.
public struct FailedAttempt: Sendable {
    /// Which attempt it was, from 1 on.
    public let number: Int
    /// What it failed with: what the call will throw if it is not tried again.
    public let error: any Error
    /// What was sent; nil if nothing is known of it.
    public let request: HTTPRequest?
    /// The head of what was answered, also if ``error`` is one of your own that was made of it; nil if nothing was.
    public let response: HTTPResponse?

    /// How long the server asks to wait, in Retry-After (RFC 9110 section 10.2.3), as it says it; nil if it does not.
    public var retryAfter: Duration? { response?.retryAfter }

    /// Whether another attempt is out of the question: the task was cancelled, the server wants to know who asks, or the
    /// error says so itself.
    var isFinal: Bool {
        if error is any NeverRetried || error is CancellationError || response?.status == .unauthorized { return true }
        guard let error = error as? ClientError else { return (error as? TransportError)?.code == .cancelled }
        switch error.code {
        case .cancelled, .unauthorized, .authenticationRequired, .noAuthProvider: return true
        default: return error.underlying is any NeverRetried
        }
    }

    /// Whether the way to the server is what failed.
    var isConnectivity: Bool {
        (error as? ClientError)?.isConnectivity ?? (error as? TransportError)?.isConnectivity ?? false
    }
}

extension FailedAttempt {
    /// An attempt of which only the error is known, and what that tells.
    init(number: Int, error: any Error) {
        let known = error as? ClientError
        self.init(number: number, error: error, request: known?.request, response: known?.response?.head)
    }
}
