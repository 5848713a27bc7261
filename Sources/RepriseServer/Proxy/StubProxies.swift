// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseStubAnswers
internal import RepriseText

/// One loop's connections to the servers that answer instead of stubs. Used only on the loop's thread.
final class StubProxies {
    private let loop: EventLoop
    private let isSecure: Bool
    /// The connections to all servers. Nothing is recorded here.
    private var pool: LoopConnectionPool?
    /// The servers by base URL.
    private var links: [String: UpstreamLink] = [:]

    /// The maximum number of servers in ``links``. A template can produce any number of URLs.
    private static let maximumLinks = 64

    /// - Parameter isSecure: Whether clients use TLS.
    init(loop: EventLoop, isSecure: Bool) {
        self.loop = loop
        self.isSecure = isSecure
    }

    /// Returns the source of the answer of another server.
    ///
    /// - Throws: If the URL, or the Host that the stub gives, is invalid.
    func source(
        for target: StubProxy.Target,
        delay: UInt64,
        played: JournalRing.Answer
    ) throws(UpstreamError) -> any ResponseSource {
        let changes = ProxyChanges(target, delay: delay, played: played)
        if let host = changes.host, Origin(scheme: "http", authority: host) == nil {
            throw UpstreamError(
                "expected host or host:port in the Host field of the stub, found '\(DisplayText.escaped(host, limit: 80))'"
            )
        }
        return Forwarding(to: try link(target.url), changes: changes)
    }

    private func link(_ url: String) throws(UpstreamError) -> UpstreamLink {
        if let link = links[url] { return link }
        let upstream = try MockServer.Upstream(url, keepsEncoding: true)
        let pool = self.pool ?? makePool(upstream)
        let link = UpstreamLink(upstream, pool: pool, loop: loop, isSecure: isSecure)
        if links.count >= Self.maximumLinks { links.removeAll() }
        links[url] = link
        return link
    }

    private func makePool(_ upstream: MockServer.Upstream) -> LoopConnectionPool {
        var configuration = upstream.poolConfiguration
        // If the URL is a template, the content of a request may determine it.
        configuration.allowedAddresses = .notLinkLocal
        let pool = LoopConnectionPool(loop: loop, configuration: configuration)
        self.pool = pool
        return pool
    }
}
