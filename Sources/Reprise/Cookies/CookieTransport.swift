// SPDX-License-Identifier: Apache-2.0

/// A store of cookies that servers set and that are sent back to them.
package protocol CookieStorage: Sendable {
    /// Returns the request with the cookies for its URL.
    func adding(to request: HTTPRequest) -> HTTPRequest

    /// Stores the cookies of a response.
    func store(_ response: HTTPResponse, to request: HTTPRequest)
}

extension CookieJar: CookieStorage {}

/// A transport that adds cookies to requests and stores those of responses.
///
/// It follows redirects itself, because each of their responses can set cookies, and each request needs its own.
package struct CookieTransport: RelayingTransport {
    package let base: any Transport
    let jar: any CookieStorage

    package init(base: any Transport, jar: any CookieStorage) {
        self.base = base
        self.jar = jar
    }

    package func send(
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
