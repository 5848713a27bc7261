// SPDX-License-Identifier: Apache-2.0

/// Which requests go through which proxy.
///
/// Requests to `http` origins are given to their proxy in absolute-form, those to `https` origins go through a tunnel
/// that it opens (RFC 9110 section 9.3.6).
public struct Proxies: Sendable, Hashable {
    /// No proxy: every request goes to its origin.
    public static let none = Proxies()

    private var http = Setting.direct
    private var https = Setting.direct
    private var exceptions: [ProxyException] = []

    private enum Setting: Hashable {
        case direct
        case proxy(Proxy)
        /// What was set is not usable; going without the proxy could show requests to those who must not see them.
        case unusable(variable: String, Proxy.Malformed)
    }

    /// Proxies given one by one.
    ///
    /// - Parameters:
    ///   - http: the proxy of `http` origins, if any.
    ///   - https: the proxy of `https` origins, if any.
    ///   - exceptions: hosts that are reached without, each written as in `no_proxy`; what cannot be read is passed
    ///     over.
    public init(http: Proxy? = nil, https: Proxy? = nil, exceptions: [String] = []) {
        self.http = http.map { .proxy($0) } ?? .direct
        self.https = https.map { .proxy($0) } ?? .direct
        self.exceptions = exceptions.compactMap { ProxyException($0) }
    }

    /// What the variables of an environment say.
    ///
    /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; in capitals where the small ones are not there. But
    /// `HTTP_PROXY` means nothing where `REQUEST_METHOD` is set: in a CGI program it is a header of the client's.
    ///
    /// `no_proxy` is a list, divided by commas or white space, of `*`, domains (with all below them), addresses and
    /// networks (`10.0.0.0/8`); domains and addresses may have a port. A proxy that cannot be used fails each request
    /// that would go through it.
    public init(environment: [String: String]) {
        let isCGI = environment["REQUEST_METHOD"] != nil
        http = Self.setting(["http_proxy"] + (isCGI ? [] : ["HTTP_PROXY"]) + ["all_proxy", "ALL_PROXY"], environment)
        https = Self.setting(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], environment)
        exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
            .split { $0 == "," || $0.isWhitespace }
            .compactMap { ProxyException($0) }
    }

    private static func setting(_ names: [String], _ environment: [String: String]) -> Setting {
        for name in names {
            // Empty is how a shell unsets a proxy for one command.
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

    /// The proxy for requests to `origin`; nil for none.
    ///
    /// - Throws: ``ConnectionError/Kind/proxy(status:)`` if one is set that cannot be used.
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
        exceptions.contains { $0.includes(origin) }
    }
}
