// SPDX-License-Identifier: Apache-2.0

/// A transport that adds cookies to requests and stores those of responses.
///
/// It follows redirects itself, because each of their responses can set cookies, and each request needs its own.
struct CookieTransport: RelayingTransport {
    let base: any Transport
    let jar: CookieJar

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await options.following(request, body: body) { next, body, options throws(TransportError) in
            var hop = options
            hop.redirects = .dontFollow
            let response = try await base.send(jar.adding(to: next), body: body, options: hop)
            jar.store(response.head, to: next)
            return options.redirects == .dontFollow
                ? response : await response.drainedIfRedirect(within: options.timeout)
        }
    }
}

extension Response {
    /// Reads the body of a redirect, so that its connection can be used again, and a recording has all of it.
    fileprivate func drainedIfRedirect(within limit: Duration?) async -> Response {
        guard [301, 302, 303, 307, 308].contains(status.code), headers[.location] != nil, !body.isInMemory else {
            return self
        }
        // Draining the body of a redirect must not use up the time of the call.
        let limit = min(limit ?? Self.longestDrain, Self.longestDrain)
        return await TimeLimit(limit: limit, clock: nil).run { await received(beyond: Self.longestRedirect) } ?? self
    }

    private static let longestRedirect = 64 << 10
    private static let longestDrain = Duration.seconds(2)
}
