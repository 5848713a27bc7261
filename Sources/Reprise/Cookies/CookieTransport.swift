// SPDX-License-Identifier: Apache-2.0

/// A transport that adds cookies to requests and stores those of responses.
///
/// It follows redirects itself, because each of their responses can set cookies, and each request needs its own.
struct CookieTransport: TimekeepingTransport {
    let base: any Transport
    let jar: CookieJar

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await options.following(request, body: body) { next, body, options throws(TransportError) in
            var options = options
            options.redirects = .refuse
            let response = try await base.send(jar.adding(to: next), body: body, options: options)
            jar.store(response.head, to: next)
            return response
        }
    }

    var enforcesTimeout: Bool { base.enforcesTimeout }

    func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        (base as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
    }
}
