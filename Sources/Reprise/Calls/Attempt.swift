// SPDX-License-Identifier: Apache-2.0

/// One try at a call: the request goes out once, or twice where a token has to be refreshed.
struct Attempt: Sendable {
    let request: HTTPRequest
    /// From 1 on.
    var number = 1
    /// What was answered, whatever became of it.
    var response: HTTPResponse?
    /// The log of the call that it belongs to; nil if nothing is to be said.
    let log: CallLog?

    init(request: HTTPRequest, log: CallLog?) {
        self.request = request
        self.log = log
    }

    func failed(with error: any Error) -> FailedAttempt {
        FailedAttempt(number: number, error: error, request: request, response: response)
    }
}
