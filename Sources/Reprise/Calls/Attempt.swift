// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// One try of a call. The request is sent once, or twice if its token has to be refreshed.
struct Attempt: Sendable {
    let request: HTTPRequest
    /// The number of the attempt, starting at 1.
    var number = 1
    /// The head of the response, even if the attempt failed afterward.
    var response: HTTPResponse?
    /// The most recent head, in case an interceptor throws after it was received. Nil if it is not needed.
    let answered: Locked<HTTPResponse?>?
    /// The log of the call, or nil if it is not logged.
    let log: CallLog?

    init(request: HTTPRequest, log: CallLog?, answered: Locked<HTTPResponse?>? = nil) {
        self.request = request
        self.log = log
        self.answered = answered
    }

    /// Records that the response was accepted but no value could be created from it.
    ///
    /// - Returns: The error that the call throws.
    func valueFailed(with error: any Error) -> any Error {
        var error = error
        if var own = error as? ClientError, own.request == nil {
            own.request = request
            error = own
        }
        log?.failed(request, attempt: number, with: error)
        return error
    }

    func failed(with error: any Error) -> FailedAttempt {
        let response = response ?? (error as? ClientError)?.response?.head ?? answered?.withLock { $0 }
        return FailedAttempt(number: number, error: error, request: request, response: response)
    }
}
