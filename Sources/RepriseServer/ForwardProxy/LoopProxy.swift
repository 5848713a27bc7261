// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// One loop's part of the forward proxy: which requests go where, and the connections to other servers. Used only on
/// the loop's thread.
final class LoopProxy {
    let settings: ProxySettings
    /// The address that the server listens on.
    private let host: String
    /// The connections to the hosts of requests that nothing answers, whose exchanges may be recorded.
    private let origins: UpstreamLinks
    /// The connections to hosts whose requests are passed on.
    private let passed: UpstreamLinks

    init(_ settings: ProxySettings, host: String, loop: EventLoop) {
        self.settings = settings
        self.host = host
        let destinations = settings.connections.destinations
        func links(_ origins: MockServer.ForwardProxy.Origins) -> UpstreamLinks {
            UpstreamLinks(loop: loop) {
                $0.destinations = destinations
                $0.isOwn = { settings.isOwn($0, host: host) }
                // Recordings must not contain the credentials that machines in a cloud get from link-local addresses.
                if origins.recorder != nil { $0.allowedAddresses = .notLinkLocal }
            } make: { (url) throws(UpstreamError) in
                var upstream = try MockServer.Upstream(
                    url,
                    recorder: origins.recorder,
                    keepsEncoding: origins.keepsEncoding,
                    trust: origins.trust
                )
                upstream.identity = origins.identity
                upstream.proxies = origins.proxies.excepting(destinations.keys)
                return upstream
            }
        }
        var passing = settings.origins ?? settings.passing
        origins = links(passing)
        (passing.recorder, passing.keepsEncoding) = (nil, true)
        // The certificate is for the hosts that are recorded.
        if settings.origins != nil { passing.identity = nil }
        passed = links(passing)
    }

    /// What the proxy does with a request.
    enum Decision {
        /// It is a request to this server itself, with another head if one is given.
        case own(ProxiedHead?)
        /// It is a request through the proxy, or the request for a tunnel.
        case proxied(ProxiedHead)
        case refused(ServerResponse, ProxiedHead?)

        /// Whether a request was sent to the proxy and is not refused.
        var usesProxy: Bool {
            switch self {
            case .own(let head): head != nil
            case .proxied: true
            case .refused: false
            }
        }
    }

    /// Decides about a request whose head is complete.
    ///
    /// - Parameters:
    ///   - tunnel: The origin that all requests on the connection go to; nil outside of tunnels.
    ///   - peer: The address of the client.
    func decision(_ bytes: Span<UInt8>, _ head: RequestHead, in tunnel: Origin?, from peer: String) -> Decision {
        do throws(ParsingError) {
            if let tunnel { return try decision(bytes, head, in: tunnel) }
            guard let authority = head.authority.map({ bytes.text($0) }) else { return .own(nil) }
            let plain = try ProxiedHead(bytes, head, to: nil)
            let scheme =
                head.form == .authority
                ? "https" : bytes.text(head.target).prefix { $0 != ":" }.lowercased()
            guard let origin = Origin.named(scheme: scheme, authority: authority),
                LeafCertificates.canCertify(origin.host)
            else {
                return .refused(.invalidOrigin(authority), plain)
            }
            if isOwn(origin) {
                return head.form == .absolute && !origin.isSecure ? .own(plain) : .refused(.ownOrigin(origin), plain)
            }
            if let refusal = refusal(bytes, head, from: peer) { return .refused(refusal, plain) }
            if settings.isInOwnNetwork, isOwn(settings.connections.destination(of: origin)) {
                return .refused(.ownOrigin(origin), plain)
            }
            return .proxied(head.form == .authority ? plain : try ProxiedHead(bytes, head, to: origin))
        } catch {
            return .refused(.refusal(error), nil)
        }
    }

    /// Decides about a request in a tunnel. It must be for the tunnel's origin, because with another host, it would be
    /// unclear which of the two is meant.
    private func decision(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        in tunnel: Origin
    ) throws(ParsingError) -> Decision {
        let proxied = try ProxiedHead(bytes, head, to: tunnel)
        let named: Origin?
        switch head.form {
        case .authority: return .refused(.nestedTunnel, proxied)
        case .absolute:
            let scheme = bytes.text(head.target).prefix { $0 != ":" }
            named = head.authority.flatMap { Origin.named(scheme: String(scheme), authority: bytes.text($0)) }
        case .origin, .asterisk:
            guard let host = head.host, !host.isEmpty else { return .proxied(proxied) }
            named = Origin.named(scheme: tunnel.isSecure ? "https" : "http", authority: bytes.text(host))
        }
        guard let named, named == tunnel else {
            return .refused(.misdirected(to: head.host.map { bytes.text($0) } ?? "", in: tunnel), proxied)
        }
        return .proxied(proxied)
    }

    /// Returns the answer to a client that may not use the proxy.
    private func refusal(_ bytes: Span<UInt8>, _ head: RequestHead, from peer: String) -> ServerResponse? {
        if AdminHost.isLoopbackAddress(peer) { return nil }
        guard let credentials = settings.credentials else { return .foreignProxyClient(peer) }
        if let sent = sentCredentials(bytes, head), AdminToken.isEqual(sent, credentials) { return nil }
        return .proxyAuthorizationRequired
    }

    /// Returns the Base64 text of Basic credentials for the proxy (RFC 7617).
    private func sentCredentials(_ bytes: Span<UInt8>, _ head: RequestHead) -> [UInt8]? {
        let value = head.firstField(named: "proxy-authorization", in: bytes).map { bytes.text($0) }
        guard let given = value.flatMap({ AdminToken.parts(of: $0) }), given.scheme == "basic" else { return nil }
        return given.rest
    }

    /// Returns the session of the user that a client names; nil if the proxy has credentials, because clients then send
    /// those.
    func user(of bytes: Span<UInt8>, _ head: RequestHead) -> SessionID? {
        guard settings.credentials == nil else { return nil }
        return sentCredentials(bytes, head).flatMap { SessionID(user: $0[...]) }
    }

    // MARK: Origins

    /// Whether requests to an origin certainly reach this server.
    private func isOwn(_ origin: Origin) -> Bool {
        settings.isOwn(port: Int(origin.port)) && origin.reaches(host: host, port: Int(origin.port))
    }

    // MARK: Sources

    /// Returns the source that answers a request regardless of fixtures: for a tunnel, and for a host whose requests
    /// are ignored or passed on.
    func source(for request: IncomingRequest) -> (any ResponseSource)? {
        guard let origin = request.proxiedOrigin else { return nil }
        if settings.ignores(origin) { return RefusedRequest.ignored }
        if settings.passes(origin) {
            do throws(UpstreamError) {
                return try forwarding(request, to: origin, over: passed)
            } catch {
                return RefusedRequest.notPassed(error)
            }
        }
        return request.head.form == .authority ? InterceptedTunnel(to: origin, through: self) : nil
    }

    /// Returns the source that sends a request to its origin, because nothing else answers it.
    func originSource(for request: IncomingRequest) throws(UpstreamError) -> any ResponseSource {
        guard let origin = request.proxiedOrigin else { throw UpstreamError("The request names no origin.") }
        return try forwarding(request, to: origin, over: origins)
    }

    private func forwarding(
        _ request: IncomingRequest,
        to origin: Origin,
        over links: UpstreamLinks
    ) throws(UpstreamError) -> any ResponseSource {
        let link = try links.link(to: "\(origin)")
        let isRaw = request.head.form == .authority
        let isPassed = links === passed
        return isRaw || request.head.asksForWebSocket(request.bytes)
            ? PassedTunnel(to: origin, over: link, isRaw: isRaw, isPassed: isPassed)
            : Forwarding(to: link, isPassed: isPassed)
    }
}

extension IncomingRequest {
    /// The origin of a request through the proxy, or of the tunnel that is asked for.
    var proxiedOrigin: Origin? {
        guard let authority = head.authority, let scheme = head.form == .authority ? "https" : schemeText else {
            return nil
        }
        return Origin.named(scheme: scheme, authority: bytes.text(authority))
    }

    private var schemeText: String? { head.scheme.map { bytes.text($0) } }
}

extension Origin {
    /// Returns the origin of a URL, without the dot that ends a complete name.
    fileprivate static func named(scheme: String, authority: String) -> Origin? {
        var origin = Origin(scheme: scheme, authority: authority)
        if let host = origin?.host { origin?.host = HostAndPort.name(host) }
        return origin
    }
}

extension ServerResponse {
    fileprivate static func invalidOrigin(_ authority: String) -> ServerResponse {
        refusal(
            status: 400,
            because: """
                the proxy expected an http or https URL, or CONNECT, with the name or address of a host, found \
                '\(DisplayText.escaped(authority, limit: 80))'
                """
        )
    }

    fileprivate static func ownOrigin(_ origin: Origin) -> ServerResponse {
        refusal(
            status: 403,
            because: "the proxy does not connect to itself, at \(origin); send the request directly, without the proxy"
        )
    }

    fileprivate static let nestedTunnel = refusal(
        status: 400,
        because: "expected a request within the tunnel, found CONNECT again"
    )

    fileprivate static func misdirected(to host: String, in tunnel: Origin) -> ServerResponse {
        refusal(
            status: 421,
            because: """
                expected a request to \(tunnel), because CONNECT named it, found the host \
                '\(DisplayText.escaped(host, limit: 80))'
                """
        )
    }

    fileprivate static func foreignProxyClient(_ peer: String) -> ServerResponse {
        refusal(
            status: 403,
            because: """
                the proxy expected a client on this machine, found \(DisplayText.escaped(peer)); start the server with \
                --proxy-user NAME:PASSWORD, and put them into the proxy's URL
                """
        )
    }

    fileprivate static let proxyAuthorizationRequired = {
        var response = refusal(
            status: 407,
            because: "the proxy expected its user name and password; put them into the proxy's URL"
        )
        response.headers = [HeaderLine(name: "Proxy-Authenticate", value: "Basic realm=\"mockserver\"")]
        return response
    }()
}
