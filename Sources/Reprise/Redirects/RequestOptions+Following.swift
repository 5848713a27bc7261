// SPDX-License-Identifier: Apache-2.0

extension RequestOptions {
    /// Sends a request to where it points, and then to where the responses point, as far as ``redirects`` allows.
    ///
    /// - Parameters:
    ///   - request: the first request.
    ///   - body: its content.
    ///   - send: sends one request and follows nothing. Its options are these, with what is left of ``timeout``.
    /// - Returns: the first response that is not followed.
    /// - Throws: ``TransportError/Code/tooManyRedirects``; ``TransportError/Code/requestBody`` if a body has to be sent
    ///   again that can be read once; what `send` throws.
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
            // A body that nobody reads would keep the connection that the next request may have to wait for.
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
            \(request.method) \(request.shownURL) was redirected more than \(limit) times; RequestOptions.redirects \
            says how often it may be
            """
        )
    }

    fileprivate init(bodyOfRedirected request: HTTPRequest, status: HTTPResponse.Status) {
        self.init(
            .requestBody,
            """
            \(request.method) \(request.shownURL) was redirected with \(status.code), which repeats the body, and the \
            body can be read once; give one that is replayable
            """
        )
    }
}
