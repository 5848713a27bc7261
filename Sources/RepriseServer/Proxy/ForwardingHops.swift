// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

/// How often servers like this one forwarded a request. The number ends a loop, in which each turn would otherwise need
/// another connection.
///
/// A stub's forwarding is counted, because it is easy to write a stub that forwards to its own server. A recording
/// upstream gets the client's fields only, unless the request was already counted. `Via` (RFC 9110 section 7.6.3) would
/// change the answers of servers that do not compress for proxies.
enum ForwardingHops {
    /// The header field that has the number.
    static let name = "Reprise-Hops"
    /// The largest number of times.
    static let limit = 8

    /// Returns how often a request was forwarded; nil if that is unknown.
    static func count(in bytes: Span<UInt8>, _ head: RequestHead) -> Int? {
        guard let value = head.firstField(named: name, in: bytes) else { return nil }
        // A number that makes no sense counts as the last one.
        guard let count = Int(bytes.text(value)), (0...limit).contains(count) else { return limit }
        return count
    }
}

extension OwnResponse {
    /// The answer to a request that was forwarded too often (RFC 5842 section 7.2).
    static func forwardingLoop(to url: String) -> OwnResponse {
        OwnResponse(
            status: 508,
            reason: "Loop Detected",
            content: Array(
                """
                508 Loop Detected: mockserver did not forward the request to \(DisplayText.escaped(url)), because it had \
                been forwarded \(ForwardingHops.limit) times; change the proxyBaseUrl of the stub, or the upstream, that \
                leads back to this server

                """.utf8
            )
        )
    }
}
