// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and waits for the head of its response; the body is read while it comes.
    ///
    /// The status is checked first: of an error response, ``Client/Configuration/errorBodyLimit`` bytes at most are
    /// read, and the error is the same as for any other call. The timeout ends with the head. Leaving the body's loop
    /// ends the request.
    ///
    /// - Throws: ``ClientError``, and what interceptors and validation of one's own throw. The body throws
    ///   ``ClientError`` too.
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
