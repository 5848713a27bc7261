// SPDX-License-Identifier: Apache-2.0

/// The TLS settings of a server: certificate, private key, protocol versions and application protocols.
public struct TLSServerConfiguration: Sendable, Hashable {
    /// The server's certificate followed by the certificates that lead to a root, in PEM.
    public var certificateChain: [UInt8]

    /// The private key of the first certificate in unencrypted PEM.
    public var privateKey: [UInt8]

    /// The application protocols to accept (ALPN, RFC 7301), in order of preference. If empty, none is negotiated.
    ///
    /// A client that offers no protocols is accepted. A client that offers only others is rejected (RFC 7301 section
    /// 3.2).
    public var applicationProtocols = ["http/1.1", "http/1.0"]

    /// The oldest TLS version to accept.
    public var minimumVersion = TLSVersion.tls12

    /// The newest TLS version to accept.
    public var maximumVersion = TLSVersion.tls13

    /// The certificates of which clients must present one, or one that they signed. If nil, clients need none.
    var clientTrust: Trust?

    /// Creates a configuration with a certificate and its private key.
    public init(certificateChain: [UInt8], privateKey: [UInt8]) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
