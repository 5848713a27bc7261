// SPDX-License-Identifier: Apache-2.0

private import RepriseText
internal import RepriseWire

/// Decides which clients may use the admin API, without side effects.
///
/// All of these conditions must hold, because an attacker may be able to satisfy any one of them:
///
/// - The Host names this machine. A web page whose host name resolves to this machine (DNS rebinding) sends its own
///   name.
/// - The request comes from a program, or from a web page of this server. Any other page sends its own origin.
/// - The client has the token or, if there is none, a loopback address. A proxy may have one too, so a request with a
///   field that proxies, stubs, or webhooks add is refused.
/// - If the server can serve pages that others wrote, their scripts have the server's own origin. A browser then needs
///   the token, as `Authorization: Bearer`: it would add a password to the requests of every page by itself.
struct AdminAccess: Sendable {
    private let token: [UInt8]?
    private let hosts: Set<String>
    private let scheme: String
    private let isStrict: Bool

    /// - Parameter isSecure: Whether clients use TLS.
    init(_ admin: MockServer.Admin, isSecure: Bool) {
        token = admin.token.map { Array($0.utf8) }
        isStrict = admin.requiresTokenFromBrowsers
        hosts = Set(admin.hosts.map { HostAndPort.name($0) })
        scheme = isSecure ? "https" : "http"
    }

    /// The sender of a request.
    struct Caller {
        /// The numeric address of the connection's other end, without a port.
        var peer: String
        /// The host and port of the request's target, or else of its Host field; nil if there is neither.
        var host: String?
        var fields: [(name: String, value: String)]
    }

    /// - Parameter servesForeignPages: Whether the server can serve pages that others wrote.
    func refusal(of caller: Caller, servesForeignPages: Bool) -> AdminRefusal? {
        let hosts = [caller.host ?? ""] + caller.values(of: "host")
        if let foreign = hosts.first(where: { !isOurs($0) }) { return .host(foreign) }
        if let field = caller.fields.first(where: { Self.isForwarding($0.name.lowercased()) }) {
            return .forwarded(field.name)
        }
        let ownOrigin = caller.host.map { AdminHost.origin(scheme: scheme, authority: $0) }
        for origin in caller.values(of: "origin") where AdminHost.normalized(origin: origin) != ownOrigin {
            return .origin(origin)
        }
        for site in caller.values(of: "sec-fetch-site") where site != "same-origin" && site != "none" {
            return .crossSite(site)
        }
        let isGuarded = isStrict || servesForeignPages
        guard let token else {
            guard AdminHost.isLoopbackAddress(caller.peer) else { return .peer(caller.peer) }
            return isGuarded && (caller.isBrowser || hidesBrowsers(hosts)) ? .browser : nil
        }
        let credentials = caller.values(of: "authorization")
        if isGuarded, caller.isBrowser, !caller.isTypedAddress,
            !credentials.contains(where: { $0.lowercased().hasPrefix("bearer ") })
        {
            return .browserWithoutToken
        }
        if credentials.isEmpty { return .missingToken }
        guard credentials.count == 1, let given = AdminToken.given(in: credentials[0]),
            AdminToken.isEqual(given, token)
        else { return credentials[0].lowercased().hasPrefix("bearer ") ? .wrongBearerToken : .wrongToken }
        return nil
    }

    private func isOurs(_ authority: String) -> Bool {
        let name = AdminHost.name(ofAuthority: authority)
        return AdminHost.isLoopback(name) || hosts.contains(name)
    }

    /// Whether browsers do not identify themselves to one of these hosts: they send Sec-Fetch fields only over TLS and
    /// to loopback hosts (Fetch Metadata section 2).
    private func hidesBrowsers(_ authorities: [String]) -> Bool {
        scheme == "http" && !authorities.allSatisfy { AdminHost.isLoopback(AdminHost.name(ofAuthority: $0)) }
    }

    /// Whether proxies, stubs, or webhooks add the field with this name in lowercase.
    private static func isForwarding(_ name: String) -> Bool {
        name.hasPrefix("x-forwarded-") || forwardingNames.contains(name)
    }

    private static let forwardingNames: Set = [
        "forwarded", "via", "x-forwarded", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-host",
        "x-original-forwarded-for", "true-client-ip", "cf-connecting-ip", "fastly-client-ip",
        ForwardingHops.name.lowercased(),
    ]
}

extension AdminAccess.Caller {
    /// - Parameters:
    ///   - peer: The numeric address of the connection's other end, without a port.
    ///   - bytes: The request's head, which the ranges in `head` refer to.
    init(peer: String, _ bytes: Span<UInt8>, _ head: RequestHead) {
        self.peer = peer
        host = head.host.map { bytes.text($0) }
        fields = []
        for field in head.fields { fields.append((bytes.text(field.name), bytes.text(field.value))) }
    }

    /// Whether a browser sent the request. Node's `fetch` sends Sec-Fetch-Mode, too, but without the other fields that
    /// accompany it in every browser.
    fileprivate var isBrowser: Bool {
        fields.contains { field in
            let name = field.name.lowercased()
            return name == "origin" || name == "referer" || name.hasPrefix("sec-fetch-") && name != "sec-fetch-mode"
        }
    }

    /// Whether the user typed the address into a browser, which no script can do.
    fileprivate var isTypedAddress: Bool {
        let sites = values(of: "sec-fetch-site")
        return !sites.isEmpty && sites.allSatisfy { $0 == "none" }
    }

    fileprivate func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }
}
