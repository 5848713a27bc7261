// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseFixtures
internal import RepriseStubAnswers
internal import RepriseText

extension ReplayingTransport {
    /// Forwards a request to the server that a stub names, with ``Configuration/proxy``.
    func forward(
        _ request: HTTPRequest,
        _ turn: ReplayCatalog.ProxyTurn,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        let target: StubProxy.Target
        do { target = try turn.target.get() } catch {
            throw TransportError(.invalidRequest, "\(turn.stub.source): \(error)")
        }
        guard let transport = configuration.proxy else { throw TransportError(noTransportFor: turn, target) }
        let timer = timing.timer(for: turn.fixture, isFirst: false, options: options)
        if let timer, turn.delay > .zero { try await timer.pass(turn.delay, isBody: false) }
        timer?.end()
        guard let request = request.forwarded(to: target) else {
            throw TransportError(invalidProxyOf: turn, target)
        }
        var hop = options
        hop.redirects = .dontFollow
        var response = try await transport.send(request, body: body, options: hop)
        for line in target.addedToResponse where !line.isFraming {
            if let field = HTTPField(line: line.bytes) { response.headers.append(field) }
        }
        return await response.drained(ifFollowed: options)
    }
}

extension HeaderLine {
    /// Whether the field frames a message, so that a stub neither adds nor removes it.
    fileprivate var isFraming: Bool { Self.framing.contains { hasName($0) } }

    fileprivate static let framing = ["content-length", "transfer-encoding", "connection", "expect", "upgrade", "te"]
}

extension HTTPRequest {
    /// Returns the request as a stub forwards it to another server; nil if the server's URL is invalid.
    fileprivate func forwarded(to target: StubProxy.Target) -> HTTPRequest? {
        guard let mark = target.url.firstRange(of: "://") else { return nil }
        let rest = target.url[mark.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let (authority, base) = (rest[..<slash], rest[slash...])
        guard !authority.isEmpty, !authority.contains("{") else { return nil }
        var path = path ?? "/"
        if let prefix = target.pathPrefixToRemove, path.hasPrefix(prefix) { path.removeFirst(prefix.count) }
        if !path.hasPrefix("/") { path = "/" + path }
        var request = self
        request.scheme = target.url[..<mark.lowerBound].lowercased()
        request.authority = String(authority)
        request.path = (base.hasSuffix("/") ? base.dropLast() : base) + path
        let added = target.addedToRequest.filter { !$0.isFraming }
        for name in target.removedFromRequest + added.map(\.name) where !HeaderLine.framing.contains(name.lowercased())
        {
            if let name = HTTPField.Name(name) { request.headerFields[name] = nil }
        }
        for line in added {
            if let field = HTTPField(line: line.bytes) { request.headerFields.append(field) }
        }
        return request
    }
}

extension TransportError {
    /// Creates the error for a stub that forwards a request although the configuration has no transport for it.
    fileprivate init(noTransportFor turn: ReplayCatalog.ProxyTurn, _ target: StubProxy.Target) {
        self.init(
            .noFixture,
            """
            \(turn.stub.source): expected a transport for the stub's proxyBaseUrl \(target.url), found none; set \
            ReplayingTransport.Configuration.proxy
            """
        )
    }

    /// Creates the error for a stub that names no server.
    fileprivate init(invalidProxyOf turn: ReplayCatalog.ProxyTurn, _ target: StubProxy.Target) {
        self.init(
            .invalidRequest,
            """
            \(turn.stub.source): expected a URL such as http://127.0.0.1:8080 in proxyBaseUrl, found '\(target.url)'; \
            correct it
            """
        )
    }
}
