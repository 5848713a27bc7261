// SPDX-License-Identifier: Apache-2.0

/// Who a server is and what it speaks.
public struct TLSServerConfiguration: Sendable, Hashable {
    /// The server's certificate and those that lead to a root, in this order, in PEM.
    public var certificateChain: [UInt8]

    /// The key of the first certificate, in PEM, not encrypted.
    public var privateKey: [UInt8]

    /// The application protocols that are spoken (ALPN, RFC 7301), the best first; empty to agree on none.
    ///
    /// A client that offers none is served all the same, one that offers only others is refused (RFC 7301 section 3.2).
    public var applicationProtocols = ["http/1.1"]

    /// The oldest version that is good enough.
    public var minimumVersion = TLSVersion.tls12

    /// The newest version that is spoken.
    public var maximumVersion = TLSVersion.tls13

    /// A server with a certificate.
    public init(certificateChain: [UInt8], privateKey: [UInt8]) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
