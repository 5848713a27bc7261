// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Returns the error for a response whose status is not accepted: the server's own error if it can be decoded,
    /// otherwise one with the content.
    ///
    /// The status takes precedence. If the content is incomplete, the error still reports the status and has the
    /// content received until then.
    ///
    /// - Parameters:
    ///   - response: The response, whose body has not been read yet.
    ///   - limit: The maximum number of bytes of content, or nil for that of a whole response.
    ///   - request: The request that it answers.
    @concurrent
    func errorResponse(_ response: Response, upTo limit: Int?, to request: HTTPRequest) async -> any Error {
        var bytes: [UInt8] = []
        do {
            try await response.body.collect(upTo: limit ?? client.shared.configuration.bodyLimit, into: &bytes)
            let buffered = buffered(response, bytes)
            if let error = serverError(in: buffered) { return error }
            return refusal(ClientError(status: buffered, request: request))
        } catch let error as Body.TooLarge {
            let buffered = buffered(response, [])
            guard limit != nil else { return ClientError(tooLarge: buffered, error, request: request) }
            return ClientError(.errorBodyTooLarge, tooLarge: buffered, error, request: request)
        } catch {
            return refusal(ClientError(status: buffered(response, bytes), cutOffBy: error, request: request))
        }
    }

    /// Returns the error, with the code `unauthorized` if a call with a token received a 401.
    private func refusal(_ error: ClientError) -> ClientError {
        guard error.code == .status, error.response?.status == .unauthorized, authorization != .none else {
            return error
        }
        var error = error
        error.code = .unauthorized
        return error
    }

    /// Returns the error for a stream whose status is not accepted. Its content is read within the call's timeout, up
    /// to the client's limit for error bodies.
    @concurrent
    func errorOfStream(_ response: Response, to request: HTTPRequest) async -> any Error {
        let bytes = client.shared.configuration.errorBodyLimit
        guard let limit = options(.head).timeout else {
            return await errorResponse(response, upTo: bytes, to: request)
        }
        // The transport enforced the timeout only until the head was received.
        return await TimeLimit(limit: limit, clock: clock).run {
            await errorResponse(response, upTo: bytes, to: request)
        }
            ?? ClientError(
                .timeout,
                "answered \(response.status.text), but the content of the error was not complete within \(limit)",
                request: request,
                response: buffered(response, [])
            )
    }
}

extension ClientError {
    fileprivate init(status response: BufferedResponse, request: HTTPRequest) {
        self.init(.status, "answered \(response)", request: request, response: response)
    }

    /// Creates the error for a status that is not accepted and whose content is incomplete.
    ///
    /// `response` has the content received until then. Timeouts and cancellations keep their codes.
    fileprivate init(status response: BufferedResponse, cutOffBy error: any Error, request: HTTPRequest) {
        self.init(error, request: request)
        self.response = response
        guard code != .timeout, code != .cancelled else { return }
        underlying = underlying ?? error
        message = "answered \(response), but the content is incomplete: \(message)"
        code = .status
    }

    /// Creates the error for content that is larger than a limit of the client's configuration.
    init(
        _ code: Code = .bodyTooLarge,
        tooLarge response: BufferedResponse,
        _ error: Body.TooLarge,
        request: HTTPRequest? = nil
    ) {
        let remedy =
            code == .bodyTooLarge
            ? "increase bodyLimit, or read it with stream() or download(to:)" : "increase errorBodyLimit to read it"
        self.init(
            code,
            "answered \(response.status.text) with more than \(error.limit) bytes of content; \(remedy)",
            request: request,
            response: response,
            underlying: error
        )
    }
}
