// SPDX-License-Identifier: Apache-2.0

/// How an origin is reached: directly or through a proxy. Requests with the same route share connections.
enum Route: Hashable, Sendable {
    case direct(Origin)
    /// A proxy that forwards requests to any `http` origin.
    case forward(Proxy)
    /// A tunnel through a proxy, with TLS in it if the origin is secure.
    case tunnel(Proxy, Origin)

    init(to origin: Origin, via proxies: Proxies) throws(ConnectionError) {
        guard let proxy = try proxies.proxy(for: origin) else {
            self = .direct(origin)
            return
        }
        if origin.isSecure { self = try Self.tunnel(to: origin, through: proxy) } else { self = .forward(proxy) }
    }

    /// Creates the route of a connection that carries anything, with TLS if `secured`.
    init(connectingTo origin: Origin, secured: Bool, via proxies: Proxies) throws(ConnectionError) {
        var end = origin
        end.isSecure = secured
        self = .direct(end)
        if let proxy = try proxies.proxy(for: origin) { self = try Self.tunnel(to: end, through: proxy) }
    }

    private static func tunnel(to origin: Origin, through proxy: Proxy) throws(ConnectionError) -> Route {
        guard !proxy.origin.isSecure else {
            throw ConnectionError(
                .proxy(status: nil),
                "the proxy \(proxy.origin) for \(origin) uses TLS, which is not supported for tunnels; "
                    + "use its http:// address"
            )
        }
        return .tunnel(proxy, origin)
    }

    /// The proxy that requires requests in absolute-form.
    var forwardingProxy: Proxy? {
        if case .forward(let proxy) = self { proxy } else { nil }
    }

    /// The host and port of the TCP connection.
    var peer: Origin {
        switch self {
        case .direct(let origin): origin
        case .forward(let proxy), .tunnel(let proxy, _): proxy.origin
        }
    }

    /// The origin or proxy at the other end of TLS, or nil without TLS.
    var secureOrigin: Origin? {
        switch self {
        case .direct(let origin), .tunnel(_, let origin): origin.isSecure ? origin : nil
        case .forward(let proxy): proxy.origin.isSecure ? proxy.origin : nil
        }
    }
}

extension Route: CustomStringConvertible {
    /// The route in messages: `https://example.com`, or the origin and its proxy.
    var description: String {
        switch self {
        case .direct(let origin): "\(origin)"
        case .forward(let proxy): "the proxy \(proxy.origin)"
        case .tunnel(let proxy, let origin): "\(origin) through the proxy \(proxy.origin)"
        }
    }
}
