// SPDX-License-Identifier: Apache-2.0

/// The TLS settings of a client: trusted certificates, protocol versions and application protocols.
public struct TLSClientConfiguration: Sendable, Hashable {
    /// The trusted certificates. The default is the system's.
    public var trust = Trust.system

    /// The pinned certificates or keys. The server must present at least one of them, and its certificate must also be
    /// trusted. If nil, every trusted certificate is accepted.
    public var pins: TLSPins?

    /// The certificate for servers that ask for one. If nil, the client presents none.
    public var identity: TLSIdentity?

    /// The application protocols to offer (ALPN, RFC 7301), in order of preference. If empty, none are offered.
    public var applicationProtocols = ["http/1.1"]

    /// The oldest TLS version to accept.
    public var minimumVersion = TLSVersion.tls12

    /// The newest TLS version to offer.
    public var maximumVersion = TLSVersion.tls13

    /// Creates a configuration with the system's trusted certificates, HTTP/1.1, and TLS 1.2 or later.
    public init() {}
}
