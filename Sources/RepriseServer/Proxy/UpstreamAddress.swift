// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
private import RepriseText

/// The upstream's address in all the forms in which it is used.
struct UpstreamAddress: Sendable, Hashable {
    /// The origin that connections are made to.
    let origin: Origin
    /// `host` or `host:port`, the value of `Host`.
    let authority: String
    /// The path to insert before request paths: empty, or a path without a trailing slash.
    let prefix: String
    /// `https://host:port`.
    let base: String
    /// The base and the prefix.
    let url: String
    /// The value of `Authorization` from the URL's user information, for requests that have no such field (RFC 7617).
    let authorization: String?

    init(_ url: String) throws(UpstreamError) {
        let expected = "expected the upstream server's URL, such as https://staging.example.com"
        guard let colon = url.firstRange(of: "://"), !url.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw UpstreamError("\(expected), found '\(Self.withoutUser(url))'")
        }
        let rest = url[colon.upperBound...]
        let target = rest.prefix { $0 != "/" }
        let authority = target.lastIndex(of: "@").map { target[target.index(after: $0)...] } ?? target
        let path = rest[authority.endIndex...]
        guard let origin = Origin(scheme: String(url[..<colon.lowerBound]), authority: String(authority)),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw UpstreamError("\(expected), found '\(Self.withoutUser(url))'") }
        do throws(Proxy.Malformed) {
            authorization = try target.lastIndex(of: "@").map { at throws(Proxy.Malformed) in
                try Proxy.basic(target[..<at])
            }
        } catch {
            throw UpstreamError("\(expected); \(error)")
        }
        self.origin = origin
        self.authority = String(authority)
        prefix = String(path.reversed().drop { $0 == "/" }.reversed())
        base = (origin.isSecure ? "https://" : "http://") + authority
        self.url = base + prefix
    }

    /// The URL for a message, without the user name and password.
    private static func withoutUser(_ url: String) -> String {
        guard let at = url.lastIndex(of: "@") else { return url }
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return start < at ? "\(url[..<start])…\(url[at...])" : url
    }

    /// Returns the path and query for a client of the proxy, given a URL at the upstream; nil if the URL leads
    /// elsewhere.
    func local(_ reference: String) -> String? {
        if reference.hasPrefix("/"), !reference.hasPrefix("//") { return withoutPrefix(reference[...]) }
        // A reference without a scheme but with a host (RFC 3986 section 4.2).
        let isNetworkPath = reference.hasPrefix("//")
        guard let slashes = reference.firstRange(of: isNetworkPath ? "//" : "://") else { return nil }
        let scheme = isNetworkPath ? (origin.isSecure ? "https" : "http") : String(reference[..<slashes.lowerBound])
        let rest = reference[slashes.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard origin == Origin(scheme: scheme, authority: String(authority)) else { return nil }
        return withoutPrefix(rest[authority.endIndex...])
    }

    private func withoutPrefix(_ path: Substring) -> String? {
        guard path.hasPrefix(prefix) else { return nil }
        let rest = path.dropFirst(prefix.count)
        guard let first = rest.first else { return "" }
        return first == "/" || first == "?" || first == "#" ? String(rest) : nil
    }
}

extension Origin {
    /// Whether requests to the origin certainly reach a server of this machine that listens on a host and a port. Names
    /// other than `localhost` are not resolved.
    func reaches(host own: String, port: Int) -> Bool {
        guard Int(self.port) == port else { return false }
        let (own, name) = (HostAndPort.name(own), HostAndPort.name(host))
        // A connection to any address is one to a loopback address, and a server on any address accepts all of them.
        let isLocal = AdminHost.isUnspecified(name) || AdminHost.isLoopback(name)
        if own == name { return true }
        if AdminHost.isUnspecified(own) { return isLocal }
        // These lead to each other, but not to the other loopback addresses.
        let usual = ["localhost", "127.0.0.1", "::1"]
        guard usual.contains(own) else { return false }
        return name == "localhost" || AdminHost.isUnspecified(name) || own == "localhost" && usual.contains(name)
    }
}
