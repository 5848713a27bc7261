// SPDX-License-Identifier: Apache-2.0

/// How the body of a response ended.
public enum Ending: String, Sendable, Hashable, CaseIterable {
    /// The body was complete according to its framing.
    case complete
    /// The connection was closed normally, but before the end of the body.
    case truncated
    /// The connection was reset.
    case reset
    /// No more data arrived before the client timed out.
    case timedOut = "timeout"
    /// The client left before the end of the body.
    case cancelled
}

/// The reason that no response was received.
public enum Failure: String, Sendable, Hashable, CaseIterable {
    /// No server listened at the address.
    case connectionRefused
    /// The connection ended before a response was received.
    case connectionLost
    /// The client timed out.
    case timedOut
    /// The host name did not resolve.
    case dns
    /// The TLS handshake failed.
    case tls
    /// The client canceled the request.
    case cancelled
}
