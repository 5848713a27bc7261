// SPDX-License-Identifier: Apache-2.0

/// Whom a client trusts and what it speaks.
public struct TLSClientConfiguration: Sendable, Hashable {
    /// Which certificates are trusted. The system's by default.
    public var trust = Trust.system

    /// Which certificates or keys a server has to prove itself with, on top of what is trusted; nil for any.
    public var pins: TLSPins?

    /// The application protocols that are offered (ALPN, RFC 7301), the best first; empty to offer none.
    public var applicationProtocols = ["http/1.1"]

    /// The oldest version that is good enough.
    public var minimumVersion = TLSVersion.tls12

    /// The newest version that is offered.
    public var maximumVersion = TLSVersion.tls13

    /// The system's trust, HTTP/1.1, TLS 1.2 or later.
    public init() {}
}
