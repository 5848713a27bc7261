// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// The error of a response whose status is not accepted, with its content: the server's own, if it is understood.
    ///
    /// The status is what counts: a content that breaks off does not hide it, and as much as came is kept.
    ///
    /// - Parameters:
    ///   - response: the response, of whose body nothing was read yet.
    ///   - limit: how many bytes of content there may be; nil for any number.
    ///   - request: what it answers.
    @concurrent
    func errorResponse(_ response: Response, upTo limit: Int?, to request: HTTPRequest) async -> any Error {
        var bytes: [UInt8] = []
        do {
            try await response.body.collect(upTo: limit, into: &bytes)
            let buffered = buffered(response, bytes)
            if let error = serverError(in: buffered) { return error }
            return refusal(ClientError(status: buffered, request: request))
        } catch let error as Body.TooLarge {
            return ClientError(tooLarge: buffered(response, []), error, request: request)
        } catch {
            return refusal(ClientError(status: buffered(response, bytes), cutOffBy: error, request: request))
        }
    }

    /// The error of a status; of a 401, and of a call with a token, it has a name of its own.
    private func refusal(_ error: ClientError) -> ClientError {
        guard error.code == .status, error.response?.status == .unauthorized, authorization != .none else {
            return error
        }
        var error = error
        error.code = .unauthorized
        return error
    }

    /// The same for a response that is a stream: within the call's time, and the client's limit of bytes.
    @concurrent
    func errorOfStream(_ response: Response, to request: HTTPRequest) async -> any Error {
        let bytes = client.shared.configuration.errorBodyLimit
        guard let limit = options(.head).timeout else {
            return await errorResponse(response, upTo: bytes, to: request)
        }
        // The transport looked after the time until the head was there.
        return await TimeLimit(limit: limit, clock: clock).run {
            await errorResponse(response, upTo: bytes, to: request)
        }
            ?? ClientError(
                .timeout,
                "answered \(response.status.text), and the content that says why was not complete within \(limit)",
                request: request,
                response: buffered(response, [])
            )
    }
}

extension ClientError {
    /// The response's status is not among those that are taken.
    fileprivate init(status response: BufferedResponse, request: HTTPRequest) {
        self.init(.status, "answered \(response)", request: request, response: response)
    }

    /// Nor is it, and its content failed; `response` has as much as came. A timeout and a cancellation stay what they
    /// are.
    fileprivate init(status response: BufferedResponse, cutOffBy error: any Error, request: HTTPRequest) {
        self.init(error, request: request)
        self.response = response
        guard code != .timeout, code != .cancelled else { return }
        underlying = underlying ?? error
        message = "answered \(response), and the content broke off: \(message)"
        code = .status
    }

    fileprivate init(tooLarge response: BufferedResponse, _ error: Body.TooLarge, request: HTTPRequest) {
        self.init(
            .errorBodyTooLarge,
            "answered \(response.status.text) with more than \(error.limit) bytes of content: raise errorBodyLimit to "
                + "see it",
            request: request,
            response: response,
            underlying: error
        )
    }
}
