// SPDX-License-Identifier: Apache-2.0

extension RequestOptions {
    /// Sends a request and follows redirects as far as ``redirects`` allows.
    ///
    /// - Parameters:
    ///   - request: The first request.
    ///   - body: The content of the first request.
    ///   - send: Sends a single request without following redirects. It receives these options, with the remaining
    ///     ``timeout``.
    /// - Returns: The first response that is not followed.
    /// - Throws: ``TransportError/Code/tooManyRedirects``, ``TransportError/Code/requestBody`` if a body must be sent
    ///   again but can be read only once, or any error that `send` throws.
    package func following(
        _ request: HTTPRequest,
        body: Body?,
        send: (HTTPRequest, Body?, RequestOptions) async throws(TransportError) -> Response
    ) async throws(TransportError) -> Response {
        let start = ContinuousClock.now
        var response = try await send(request, body, self)
        guard case .follow(let limit) = redirects else { return response }
        var (next, body, options) = (request, body, self)
        var count = 0
        while let redirection = try Redirection(response.head, to: next) {
            count += 1
            guard count <= limit else { throw TransportError(tooManyRedirects: limit, from: request) }
            if !redirection.keepsBody { body = nil }
            if let body, !body.isReplayable { throw TransportError(bodyOfRedirected: next, status: response.status) }
            next = redirection.request
            // An unread body would occupy the connection that the next request may be waiting for.
            response.body = .empty
            options.timeout = timeout.map { $0 - start.duration(to: .now) }
            response = try await send(next, body, options)
            response.url = next.urlText
        }
        return response
    }
}

extension TransportError {
    fileprivate init(tooManyRedirects limit: Int, from request: HTTPRequest) {
        self.init(
            .tooManyRedirects,
            """
            \(request.method) \(request.shownURL) was redirected more than \(limit) times; raise the limit in \
            RequestOptions.redirects to follow more
            """
        )
    }

    fileprivate init(bodyOfRedirected request: HTTPRequest, status: HTTPResponse.Status) {
        self.init(
            .requestBody,
            """
            \(request.method) \(request.shownURL) was redirected with \(status.code), which repeats the body, but the \
            body can be read only once; use a replayable body
            """
        )
    }
}
