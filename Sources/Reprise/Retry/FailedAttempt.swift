// SPDX-License-Identifier: Apache-2.0

/// A failed attempt at a call, as a ``RetryPolicy`` sees it.
public struct FailedAttempt: Sendable {
    /// The number of the attempt, starting at 1.
    public let number: Int
    /// The error, which the call throws if there is no further attempt.
    public let error: any Error
    /// The request that was sent, or nil if it is unknown.
    public let request: HTTPRequest?
    /// The head of the response, even if ``error`` is your own error, created from that response. Nil if there was no
    /// response.
    public let response: HTTPResponse?

    /// The wait that the server requests with Retry-After (RFC 9110 section 10.2.3), not limited by the policy, or
    /// nil if it requests none.
    public var retryAfter: Duration? { response?.retryAfter }

    /// Whether retrying is pointless, because the task was canceled, the server requires authentication, or the
    /// error is marked as ``NeverRetried``.
    var isFinal: Bool {
        if error is any NeverRetried || error is CancellationError || response?.status == .unauthorized { return true }
        guard let error = error as? ClientError else { return (error as? TransportError)?.code == .cancelled }
        switch error.code {
        case .cancelled, .unauthorized, .authenticationRequired, .noAuthProvider: return true
        default: return error.underlying is any NeverRetried
        }
    }

    var isConnectivity: Bool {
        (error as? ClientError)?.isConnectivity ?? (error as? TransportError)?.isConnectivity ?? false
    }
}

extension FailedAttempt {
    /// Creates a failed attempt from an error, with the request and response that the error contains.
    init(number: Int, error: any Error) {
        let known = error as? ClientError
        self.init(number: number, error: error, request: known?.request, response: known?.response?.head)
    }
}
