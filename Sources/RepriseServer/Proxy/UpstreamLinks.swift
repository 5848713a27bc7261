// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseIO

/// One loop's connections to servers that requests choose. Used only on the loop's thread.
final class UpstreamLinks {
    private let loop: EventLoop
    private let isSecure: Bool?
    private let configure: (inout ConnectionPool.Configuration) -> Void
    private let make: (String) throws(UpstreamError) -> MockServer.Upstream
    /// The connections to all servers.
    private var pool: LoopConnectionPool?
    /// The servers by base URL, of which requests can name any number.
    private var links = BoundedCache<String, UpstreamLink>(capacity: 64)

    /// - Parameters:
    ///   - isSecure: Whether clients use TLS; nil if they use the servers' own URLs.
    ///   - configure: Changes the settings of the connections.
    ///   - make: Returns the settings of the server with a base URL.
    init(
        loop: EventLoop,
        isSecure: Bool? = nil,
        configure: @escaping (inout ConnectionPool.Configuration) -> Void,
        make: @escaping (String) throws(UpstreamError) -> MockServer.Upstream
    ) {
        (self.loop, self.isSecure, self.configure, self.make) = (loop, isSecure, configure, make)
    }

    /// - Throws: If the URL is invalid.
    func link(to url: String) throws(UpstreamError) -> UpstreamLink {
        if let link = links.use(url) { return link }
        let upstream = try make(url)
        let link = UpstreamLink(upstream, pool: pool(for: upstream), loop: loop, isSecure: isSecure)
        links.insert(link, for: url)
        return link
    }

    private func pool(for upstream: MockServer.Upstream) -> LoopConnectionPool {
        if let pool { return pool }
        var configuration = upstream.poolConfiguration
        // Clients can name any number of hosts.
        configuration.idleConnections = 256
        configure(&configuration)
        let pool = LoopConnectionPool(loop: loop, configuration: configuration)
        self.pool = pool
        return pool
    }
}
