// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseStubAnswers
internal import RepriseText

/// One loop's connections to the servers that answer instead of stubs. Used only on the loop's thread.
final class StubProxies {
    private let links: UpstreamLinks

    /// - Parameter isSecure: Whether clients use TLS.
    init(loop: EventLoop, isSecure: Bool) {
        links = UpstreamLinks(loop: loop, isSecure: isSecure) {
            // If the URL is a template, the content of a request may determine it.
            $0.allowedAddresses = .notLinkLocal
        } make: { (url) throws(UpstreamError) in
            try MockServer.Upstream(url, keepsEncoding: true)
        }
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
                "expected host or host:port in the Host field of the stub, found "
                    + "'\(DisplayText.escaped(host, limit: 80))'"
            )
        }
        return Forwarding(to: try links.link(to: target.url), changes: changes)
    }
}
