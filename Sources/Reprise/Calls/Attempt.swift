// SPDX-License-Identifier: Apache-2.0

/// One try at a call: the request goes out once, or twice where a token has to be refreshed.
struct Attempt: Sendable {
    let request: HTTPRequest
    /// From 1 on.
    var number = 1
    /// What was answered, whatever became of it.
    var response: HTTPResponse?
    /// What was answered before an interceptor threw; nil if nobody wants to know.
    let answered: AnsweredHead?
    /// The log of the call that it belongs to; nil if nothing is to be said.
    let log: CallLog?

    init(request: HTTPRequest, log: CallLog?, answered: AnsweredHead? = nil) {
        self.request = request
        self.log = log
        self.answered = answered
    }

    /// The response was as it should be, but no value can be made of it.
    ///
    /// - Returns: what the call throws.
    func failed(toMakeAValue error: any Error) -> any Error {
        var error = error
        if var own = error as? ClientError, own.request == nil {
            own.request = request
            error = own
        }
        log?.failed(request, attempt: number, with: error)
        return error
    }

    func failed(with error: any Error) -> FailedAttempt {
        let response = response ?? (error as? ClientError)?.response?.head ?? answered?.head
        return FailedAttempt(number: number, error: error, request: request, response: response)
    }
}
