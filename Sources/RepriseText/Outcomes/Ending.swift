// SPDX-License-Identifier: Apache-2.0

/// How the body of a response ended.
public enum Ending: String, Sendable, Hashable, CaseIterable {
    /// As its framing promised.
    case complete
    /// The connection was closed in good order, but before the promised end.
    case truncated
    /// The connection was reset.
    case reset
    /// Nothing more came until the client gave up.
    case timedOut = "timeout"
}

/// Why no response came.
public enum Failure: String, Sendable, Hashable, CaseIterable {
    /// Nothing listened at the address.
    case connectionRefused
    /// The connection ended before a response.
    case connectionLost
    /// The client gave up waiting.
    case timedOut
    /// The host's name did not resolve.
    case dns
    /// The TLS handshake failed.
    case tls
}
