// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

extension Call {
    /// Sends the call with a bearer token from the client's ``Client/Configuration/tokenProvider``.
    ///
    /// If the server responds with 401, the token is refreshed and the request is sent once more. Calls that need a
    /// new token at the same time share one refresh. A second 401 throws ``ClientError/Code/unauthorized``. So does
    /// the first one if no new token is available, or if the body can be sent only once. The token is refreshed in the
    /// second case too. A stream is sent again only before its first byte is delivered.
    ///
    /// The provider is not used if the call or the client sets an Authorization header field. If the client has a base
    /// URL, a token is sent only to its origin and to the ``Client/Configuration/credentialOrigins``.
    ///
    /// - Parameter refreshing: Whether to refresh the token after a 401. If false, the call uses the current token
    ///   and a 401 is final. The default is true.
    public consuming func authorized(refreshing: Bool = true) -> Call {
        authorization = refreshing ? .refreshing : .asIs
        return self
    }

    enum Authorization: Sendable {
        case none
        /// With the current token.
        case asIs
        /// With the current token, and with a new one if the server refuses it.
        case refreshing
    }

    /// Sends a request with a token, and once more with a new token if the server refuses the first.
    func sendAuthorized(_ request: Request, _ next: Next, _ log: CallLog?)
        async throws -> Response
    {
        guard !request.headers.contains(.authorization), try mayCarryToken(to: request.head) else {
            return try await next(request)
        }
        guard let authorizer = client.shared.configuration.authorizer else {
            throw ClientError(
                .noAuthProvider,
                "the call is authorized(), but the client has no token provider; set Configuration.tokenProvider or "
                    + "the Authorization header",
                request: request.head
            )
        }
        let isRefreshing = authorization == .refreshing
        let token = try await authorizer.token(refreshing: isRefreshing) {
            log?.refreshing(request.head, attempt: request.attempt)
        }
        guard let token else {
            throw ClientError(
                .authenticationRequired,
                "the call is authorized(), but the token provider has no token; sign in first",
                request: request.head
            )
        }
        let response = try await next(request.carrying(token.text))
        guard response.status == .unauthorized, isRefreshing else { return response }
        // Read the body to free the connection, because the refresh usually goes to the same server.
        let refusal = await received(response, options: request.options)
        // If the refresh throws, its error is not about the 401 and may be temporary.
        next.delivery.answered?.withLock { $0 = nil }
        let newToken = try await authorizer.replacement(for: token) {
            log?.refreshing(request.head, attempt: request.attempt)
        }
        guard let newToken else { return refusal }
        if request.body?.isReplayable == false { return try await notSentAgain(refusal, to: request) }
        return try await next(request.carrying(newToken))
    }

    /// Returns the refusal of a request whose body can be sent only once if the call accepts a 401, or throws it.
    private func notSentAgain(_ refusal: Response, to request: Request) async throws -> Response {
        guard !validator.accepts(refusal.status) else { return refusal }
        let limit = request.options.timeoutScope == .head ? client.shared.configuration.errorBodyLimit : nil
        let error = await errorResponse(refusal, upTo: limit, to: request.head)
        guard var error = error as? ClientError, error.code == .unauthorized else { throw error }
        error.message +=
            "; the token was refreshed, but the body can be sent only once; make the call again with a new body"
        throw error
    }

    /// Returns the response with its body in memory. For a stream, reads no more of the body than an error can
    /// contain.
    private func received(_ response: Response, options: RequestOptions) async -> Response {
        let configuration = client.shared.configuration
        guard options.timeoutScope == .head else { return await response.received(beyond: configuration.bodyLimit) }
        let limit = configuration.errorBodyLimit
        guard let timeout = options.timeout ?? self.options(.head).timeout else {
            return await response.received(beyond: limit)
        }
        return await TimeLimit(limit: timeout, clock: clock).run { await response.received(beyond: limit) } ?? response
    }
}

extension Call.Request {
    /// Returns the request with a bearer token (RFC 6750 section 2.1).
    fileprivate func carrying(_ token: String) throws -> Call.Request {
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ClientError(
                .invalidParameters,
                "the token contains a character that is not allowed in bearer tokens, such as a space or a line break "
                    + "(RFC 6750 section 2.1)",
                request: head
            )
        }
        var request = self
        request.headers[.authorization] = "Bearer \(token)"
        return request
    }
}
