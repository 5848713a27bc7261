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
        do {
            let response = try await deliver(request, .head)
            guard validator.accepts(response.status) else { throw await statusError(response, request: request) }
            try validator.check(response.head, nil)
            return response
        } catch {
            throw ClientError.outermost(error, request: request)
        }
    }

    /// The error of a response whose status is not accepted, with as much of its content as there may be.
    private func statusError(_ response: Response, request: HTTPRequest) async -> any Error {
        guard let limit = options(.head).timeout else { return await drain(response, request: request) }
        // The transport looked after the time until the head was there.
        return await TimeLimit(limit: limit, clock: clock).run { await drain(response, request: request) }
            ?? ClientError(
                .timeout,
                "answered \(response.status.text), and the content that says why was not complete within \(limit)",
                request: request
            )
    }

    private func drain(_ response: Response, request: HTTPRequest) async -> any Error {
        let limit = client.shared.configuration.errorBodyLimit
        do {
            return try await ClientError(status: buffer(response, upTo: limit), request: request)
        } catch let error as Body.TooLarge {
            return ClientError(
                .errorBodyTooLarge,
                "answered \(response.status.text) with more than \(limit) bytes of content: raise errorBodyLimit to see it",
                request: request,
                response: BufferedResponse(response.head, rawHead: response.rawHead, url: response.url),
                underlying: error
            )
        } catch {
            return error
        }
    }
}
