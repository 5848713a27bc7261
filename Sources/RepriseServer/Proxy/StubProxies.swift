// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseStubMatching
internal import RepriseStubs

/// One loop's connections to the servers that answer instead of stubs. Used only on the loop's thread.
final class StubProxies {
    private let loop: EventLoop
    private let isSecure: Bool
    /// The connections by base URL.
    private var links: [String: UpstreamLink] = [:]

    /// The number of servers to which connections are kept. A template can make any number of URLs.
    private static let maximumLinks = 64

    /// - Parameter isSecure: Whether clients use TLS.
    init(loop: EventLoop, isSecure: Bool) {
        self.loop = loop
        self.isSecure = isSecure
    }

    /// Returns the source of the answer of a stub that names another server; nil if its URL is invalid.
    func source(
        for proxy: StubProxy,
        _ stub: StubFixture,
        _ facts: StubRequestFacts,
        ordinal: Int
    ) -> (any ResponseSource)? {
        guard let link = link(proxy.proxy.baseURL) else { return nil }
        return Forwarding(to: link)
    }

    private func link(_ url: String) -> UpstreamLink? {
        if let link = links[url] { return link }
        guard let upstream = try? MockServer.Upstream(url) else { return nil }
        let link = UpstreamLink(upstream, loop: loop, isSecure: isSecure)
        if links.count >= Self.maximumLinks { links.removeAll() }
        links[url] = link
        return link
    }
}
