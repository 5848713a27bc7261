// SPDX-License-Identifier: Apache-2.0

/// The proxies that requests go through.
///
/// Requests to `http` origins are sent to the proxy in absolute-form. Requests to `https` origins go through a tunnel
/// that the proxy opens (RFC 9110 section 9.3.6).
public struct Proxies: Sendable, Hashable {
    /// No proxies: every request goes directly to its origin.
    public static let none = Proxies()

    private var http = Setting.direct
    private var https = Setting.direct
    private var exceptions: [ProxyException] = []
    /// The hosts to reach without a proxy, without their subdomains.
    private var hosts: Set<String> = []

    private enum Setting: Hashable {
        case direct
        case proxy(Proxy)
        /// The setting is invalid. Bypassing the proxy could expose requests to others, so they fail.
        case unusable(variable: String, Proxy.Malformed)
    }

    /// Creates a set of proxies.
    ///
    /// - Parameters:
    ///   - http: The proxy for `http` origins, or nil for none.
    ///   - https: The proxy for `https` origins, or nil for none.
    ///   - exceptions: The hosts to reach without a proxy, each in the format of `no_proxy`. Invalid entries are
    ///     ignored.
    public init(http: Proxy? = nil, https: Proxy? = nil, exceptions: [String] = []) {
        self.http = http.map { .proxy($0) } ?? .direct
        self.https = https.map { .proxy($0) } ?? .direct
        self.exceptions = exceptions.compactMap { ProxyException($0) }
    }

    /// Creates the proxies that environment variables specify.
    ///
    /// The variables are `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. If a lowercase name is not set, the
    /// uppercase name is used. `HTTP_PROXY` is ignored if `REQUEST_METHOD` is set, because in a CGI program it
    /// contains a header field from the client.
    ///
    /// `no_proxy` is a list, separated by commas or whitespace, of `*`, domains (including their subdomains),
    /// addresses and networks (`10.0.0.0/8`). Domains and addresses may have a port. If a proxy setting is invalid,
    /// every request that would use the proxy fails.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - exceptions: More entries of `no_proxy`.
    public init(environment: [String: String], exceptions others: [String] = []) {
        let isCGI = environment["REQUEST_METHOD"] != nil
        http = Self.setting(["http_proxy"] + (isCGI ? [] : ["HTTP_PROXY"]) + ["all_proxy", "ALL_PROXY"], environment)
        https = Self.setting(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], environment)
        exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
            .split { $0 == "," || $0.isWhitespace }
            .compactMap { ProxyException($0) }
        exceptions += others.compactMap { ProxyException($0) }
    }

    private static func setting(_ names: [String], _ environment: [String: String]) -> Setting {
        for name in names {
            // An empty value is how a shell disables a proxy for one command.
            guard let value = environment[name] else { continue }
            if value.isEmpty { return .direct }
            do throws(Proxy.Malformed) {
                return .proxy(try Proxy(url: value))
            } catch {
                return .unusable(variable: name, error)
            }
        }
        return .direct
    }

    /// Returns these proxies, except for these hosts, given in lowercase. Their subdomains still use the proxies.
    package func excepting(_ hosts: some Sequence<String>) -> Proxies {
        var proxies = self
        proxies.hosts.formUnion(hosts)
        return proxies
    }

    /// Removes the proxies whose origins satisfy a condition. Returns whether there were any.
    package mutating func remove(where isRemoved: (Origin) -> Bool) -> Bool {
        let former = self
        if case .proxy(let proxy) = http, isRemoved(proxy.origin) { http = .direct }
        if case .proxy(let proxy) = https, isRemoved(proxy.origin) { https = .direct }
        return self != former
    }

    /// Checks that requests to `origin` can be sent.
    ///
    /// - Throws: ``ConnectionError/Kind/proxy(status:)`` if the proxy for `origin` cannot be used.
    package func check(for origin: Origin) throws(ConnectionError) { _ = try Route(to: origin, via: self) }

    /// Returns the proxy for requests to `origin`, or nil for none.
    ///
    /// - Throws: ``ConnectionError/Kind/proxy(status:)`` if the proxy setting is invalid.
    func proxy(for origin: Origin) throws(ConnectionError) -> Proxy? {
        switch origin.isSecure ? https : http {
        case .direct: return nil
        case .proxy(let proxy): return isExcepted(origin) ? nil : proxy
        case .unusable(let variable, let error):
            if isExcepted(origin) { return nil }
            throw ConnectionError(
                .proxy(status: nil),
                "the proxy for \(origin) in the environment variable \(variable) cannot be used: \(error); "
                    + "correct it, or name \(origin.host) in no_proxy"
            )
        }
    }

    private func isExcepted(_ origin: Origin) -> Bool {
        hosts.contains(origin.host) || exceptions.contains { $0.includes(origin) }
    }
}
