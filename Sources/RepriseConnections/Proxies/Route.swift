// SPDX-License-Identifier: Apache-2.0

/// The way to an origin; requests that have it in common share connections.
enum Route: Hashable, Sendable {
    case direct(Origin)
    /// A proxy that forwards requests, for any origin that is not secure.
    case forward(Proxy)
    /// A tunnel through a proxy.
    case tunnel(Proxy, Origin)

    init(to origin: Origin, via proxies: Proxies) throws(ConnectionError) {
        guard let proxy = try proxies.proxy(for: origin) else {
            self = .direct(origin)
            return
        }
        self = origin.isSecure ? .tunnel(proxy, origin) : .forward(proxy)
        if origin.isSecure, proxy.origin.isSecure {
            throw ConnectionError(
                .proxy(status: nil),
                "the proxy \(proxy.origin) for \(origin) is one over TLS, through which https is not supported; "
                    + "use its http:// address"
            )
        }
    }

    /// The proxy that wants requests in absolute-form.
    var forwardingProxy: Proxy? {
        if case .forward(let proxy) = self { proxy } else { nil }
    }

    /// Whom the TCP connection goes to.
    var peer: Origin {
        switch self {
        case .direct(let origin): origin
        case .forward(let proxy), .tunnel(let proxy, _): proxy.origin
        }
    }

    /// Who speaks TLS at the other end, if anybody does.
    var secureOrigin: Origin? {
        switch self {
        case .direct(let origin): origin.isSecure ? origin : nil
        case .forward(let proxy): proxy.origin.isSecure ? proxy.origin : nil
        case .tunnel(_, let origin): origin
        }
    }
}

extension Route: CustomStringConvertible {
    /// For messages: `https://example.com`, or that and the proxy before it.
    var description: String {
        switch self {
        case .direct(let origin): "\(origin)"
        case .forward(let proxy): "the proxy \(proxy.origin)"
        case .tunnel(let proxy, let origin): "\(origin) by the proxy \(proxy.origin)"
        }
    }
}
