// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and waits for the head of its response. The body is read as it is received.
    ///
    /// The status is checked first. If it is an error, at most ``Client/Configuration/errorBodyLimit`` bytes are
    /// read, and the error is the same as for any other call. The timeout applies only until the head is received.
    /// After that, ``idleTimeout(_:)`` limits the time without data. Leaving the loop over the body cancels the
    /// request.
    ///
    /// - Throws: ``ClientError``, or an error of your interceptors or validation. Reading the body also throws
    ///   ``ClientError``.
    public func stream() async throws -> Response {
        try await stream(request())
    }

    func stream(_ request: HTTPRequest) async throws -> Response {
        var attempt = firstAttempt(at: request)
        do {
            return try await attempts(&attempt) { attempt in try await head(&attempt) }
        } catch {
            throw ClientError.outermost(error, request: request)
        }
    }

    private func head(_ attempt: inout Attempt) async throws -> Response {
        let response = try await deliver(attempt, .head)
        attempt.response = response.head
        guard validator.accepts(response.status) else { throw await errorOfStream(response, to: attempt.request) }
        try validator.check(response.head, nil)
        return response
    }
}
