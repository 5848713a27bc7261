// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An entry of `no_proxy`, or of another list of hosts.
package struct ProxyException: Sendable, Hashable {
    private enum Hosts: Hashable {
        case all
        /// A domain in lowercase, including its subdomains.
        case domain(String)
        case network(IPAddress, prefixLength: Int)
    }

    private let hosts: Hosts
    private let port: UInt16?

    /// Parses an entry: `*`, `example.com`, `.example.com` or `*.example.com`, an address, each with an optional
    /// port, or a network such as `10.0.0.0/8`.
    package init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        if text == "*" {
            (hosts, port) = (.all, nil)
        } else if let network = Self.network(text) {
            (hosts, port) = (network, nil)
        } else {
            guard let (host, port) = try? Proxy.split(text[...]) else { return nil }
            self.port = port
            hosts = Self.network(host) ?? .domain(Self.domain(host))
        }
    }

    /// Parses an entry of one of this program's own settings; nil also if the host is not valid, so that no mistake
    /// goes unnoticed.
    package init?(setting text: some StringProtocol) {
        guard text == "*" || !text.hasPrefix("*") || text.hasPrefix("*."), let entry = ProxyException(text) else {
            return nil
        }
        // Only addresses are in brackets.
        if case .domain(let domain) = entry.hosts, text.hasPrefix("[") || !Origin.isHost(domain) { return nil }
        self = entry
    }

    /// Whether an origin is one of these hosts.
    package func includes(_ origin: Origin) -> Bool {
        if let port, port != origin.port { return false }
        switch hosts {
        case .all:
            return true
        case .network(let network, let length):
            return IPAddress(origin.host)?.isIn(network, prefixLength: length) ?? false
        case .domain(let domain):
            let host = Self.domain(origin.host.lowercased())
            return host == domain || host.hasSuffix("." + domain)
        }
    }

    private static func network(_ text: String) -> Hosts? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        guard parts.count == 2 else { return .network(address, prefixLength: address.bytes.count * 8) }
        guard let length = Int(parts[1]), 0...address.bytes.count * 8 ~= length else { return nil }
        return .network(address, prefixLength: length)
    }

    /// Returns the name without a leading wildcard or dot and without the trailing dot of a fully qualified name.
    private static func domain(_ host: String) -> String {
        var name = host[...]
        if name.hasPrefix("*") { name = name.dropFirst() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        if name.hasSuffix(".") { name = name.dropLast() }
        return String(name)
    }
}
