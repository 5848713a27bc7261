// SPDX-License-Identifier: Apache-2.0

/// Whom a client trusts and what it speaks.
public struct TLSClientConfiguration: Sendable, Hashable {
    /// Which certificates make a server's certificate a good one. PEM is one certificate or many, with anything between
    /// them.
    public enum Trust: Sendable, Hashable {
        /// The system's: OpenSSL's own places, or what `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
        case system
        /// These alone.
        case certificates([UInt8])
        /// The system's and these.
        case systemAnd([UInt8])
        /// The server may be anyone: neither its certificate nor its name is looked at.
        case nothingIsVerified
    }

    /// Which certificates are trusted; the system's unless said otherwise.
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
