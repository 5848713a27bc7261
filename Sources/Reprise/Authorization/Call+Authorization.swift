// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call with a bearer token of the client's ``Client/Configuration/tokenProvider``.
    ///
    /// A 401 has the token refreshed, once for all calls that wait for it, and the request sent once more; another 401
    /// is ``ClientError/Code/unauthorized``, and so is the first one where there is no new token or the body can be sent
    /// only once. A stream is sent again before its first byte is handed out.
    ///
    /// An Authorization that the call or the client sets by hand wins: the provider is not asked. Another origin than
    /// the base URL's gets no token, unless it is among the ``Client/Configuration/credentialOrigins``.
    ///
    /// - Parameter refreshing: false to take the token that there is, and a 401 for an answer.
    public consuming func authorized(refreshing: Bool = true) -> Call {
        authorization = refreshing ? .refreshing : .asIs
        return self
    }

    /// Whether a call gets a token.
    enum Authorization: Sendable {
        case none
        /// The one that there is.
        case asIs
        /// And a new one if that is refused.
        case refreshing
    }

    /// Sends a request with a token, and once more with a new one if it is refused.
    func sendAuthorized(_ request: Request, _ next: Next, _ log: CallLog?)
        async throws -> Response
    {
        guard !request.head.headerFields.contains(.authorization), try mayCarryToken(to: request.head) else {
            return try await next(request)
        }
        guard let authorizer = client.shared.configuration.authorizer else {
            throw ClientError(
                .noAuthProvider,
                "the call is authorized(), and the client has no tokens: set Configuration.tokenProvider, or the header "
                    + "Authorization",
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
                "the call is authorized(), and its token provider has no token: sign in first",
                request: request.head
            )
        }
        let response = try await next(request.carrying(token.text))
        guard response.status == .unauthorized, isRefreshing, request.body?.isReplayable ?? true else {
            return response
        }
        // The connection is free for the refresh: the server that makes tokens is the same one as a rule.
        let refusal = await received(response, options: request.options)
        // What the refresh throws is about the refresh, and may pass.
        next.delivery.answered?.note(nil)
        let newToken = try await authorizer.replacement(for: token) {
            log?.refreshing(request.head, attempt: request.attempt)
        }
        guard let newToken else { return refusal }
        return try await next(request.carrying(newToken))
    }

    /// A response with its body in memory: of a stream, no more than an error needs.
    private func received(_ response: Response, options: RequestOptions) async -> Response {
        guard options.timeoutScope == .head else { return await response.received() }
        let limit = client.shared.configuration.errorBodyLimit
        guard let timeout = options.timeout else { return await response.received(beyond: limit) }
        return await TimeLimit(limit: timeout, clock: clock).run { await response.received(beyond: limit) } ?? response
    }
}

extension Call.Request {
    /// The request with a bearer token (RFC 6750 section 2.1).
    fileprivate func carrying(_ token: String) throws -> Call.Request {
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ClientError(
                .invalidParameters,
                "the token has a character that no bearer token can have, such as a space or a line break (RFC 6750 "
                    + "section 2.1)",
                request: head
            )
        }
        var request = self
        request.head.headerFields[.authorization] = "Bearer \(token)"
        return request
    }
}
