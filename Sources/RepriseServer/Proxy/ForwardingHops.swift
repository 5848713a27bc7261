// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

/// How often servers like this one passed on a request: forwarded it, or sent a webhook because of it.
///
/// Every request to an upstream, to the server of a stub, and to the receiver of a webhook has the number. It ends a
/// loop, in which each turn would otherwise need another connection. It also marks the request: the admin API refuses
/// it, because a client could otherwise use the API through a server that it trusts. Stubs can neither set nor remove
/// it. `Via` (RFC 9110 section 7.6.3) would change the answers of servers that do not compress for proxies.
enum ForwardingHops {
    /// The header field that has the number.
    static let name = "Reprise-Hops"
    /// The largest number of times.
    static let limit = 8

    /// Returns how often a request was passed on.
    static func count(in bytes: Span<UInt8>, _ head: RequestHead) -> Int {
        guard let value = head.firstField(named: name, in: bytes) else { return 0 }
        // A number that makes no sense counts as the last one.
        guard let count = Int(bytes.text(value)), (0...limit).contains(count) else { return limit }
        return count
    }

    /// Returns the number for each of several webhooks that follow a request, or nil if they lead back to this server too
    /// often. Each counts for all, so that a stub that calls itself several times does not multiply its webhooks.
    static func next(after hops: Int, webhooks: Int) -> Int? {
        hops + webhooks <= limit ? hops + webhooks : hops == 0 ? limit - 1 : nil
    }
}

extension ServerResponse {
    /// The answer to a request that was forwarded too often (RFC 5842 section 7.2).
    static func forwardingLoop(to url: String) -> ServerResponse {
        refusal(
            status: 508,
            because: """
                mockserver did not forward the request to \(DisplayText.escaped(url)), because it had been forwarded \
                \(ForwardingHops.limit) times; change the proxyBaseUrl of the stub, or the upstream, that leads back \
                to this server
                """
        )
    }
}
