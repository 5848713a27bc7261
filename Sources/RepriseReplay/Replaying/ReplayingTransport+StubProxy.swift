// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseFixtures
internal import RepriseStubs

extension ReplayingTransport {
    /// Forwards a request to the server that a stub names, with ``Configuration/proxy``.
    func forward(
        _ request: HTTPRequest,
        _ turn: ReplayCatalog.ProxyTurn,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        guard let transport = configuration.proxy else { throw TransportError(noTransportFor: turn) }
        let timer = timing.timer(for: turn.fixture, isFirst: false, options: options)
        if let timer, turn.delay > .zero { try await timer.pass(turn.delay, isBody: false) }
        timer?.end()
        guard let request = request.forwarded(by: turn.proxy.proxy) else {
            throw TransportError(invalidProxyOf: turn)
        }
        var hop = options
        hop.redirects = .dontFollow
        return try await transport.send(request, body: body, options: hop).drained(ifFollowed: options)
    }
}

extension HTTPRequest {
    /// Returns the request as a stub forwards it to another server; nil if the server's URL is invalid.
    fileprivate func forwarded(by proxy: StubResponse.Proxy) -> HTTPRequest? {
        guard let mark = proxy.baseURL.firstRange(of: "://") else { return nil }
        let rest = proxy.baseURL[mark.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let (authority, base) = (rest[..<slash], rest[slash...])
        guard !authority.isEmpty, !authority.contains("{") else { return nil }
        var target = path ?? "/"
        if let prefix = proxy.pathPrefixToRemove, target.hasPrefix(prefix) { target.removeFirst(prefix.count) }
        if !target.hasPrefix("/") { target = "/" + target }
        var request = self
        request.scheme = proxy.baseURL[..<mark.lowerBound].lowercased()
        request.authority = String(authority)
        request.path = (base.hasSuffix("/") ? base.dropLast() : base) + target
        for name in proxy.removedHeaders.compactMap({ HTTPField.Name($0) }) { request.headerFields[name] = nil }
        for header in proxy.addedHeaders {
            guard let name = HTTPField.Name(header.name) else { continue }
            request.headerFields[name] = header.value
        }
        return request
    }
}

extension TransportError {
    /// Creates the error for a stub that forwards a request although the configuration has no transport for it.
    fileprivate init(noTransportFor turn: ReplayCatalog.ProxyTurn) {
        self.init(
            .noFixture,
            """
            \(turn.stub.source): expected a transport for the stub's proxyBaseUrl \(turn.proxy.proxy.baseURL), found \
            none; set ReplayingTransport.Configuration.proxy
            """
        )
    }

    /// Creates the error for a stub that names no server.
    fileprivate init(invalidProxyOf turn: ReplayCatalog.ProxyTurn) {
        self.init(
            .invalidRequest,
            """
            \(turn.stub.source): expected a URL such as http://127.0.0.1:8080 in proxyBaseUrl, found \
            '\(turn.proxy.proxy.baseURL)'; correct it
            """
        )
    }
}
