// SPDX-License-Identifier: Apache-2.0

/// A server's certificate chain and private key.
public struct ServerIdentity: Sendable, Hashable {
    /// The server's certificate followed by the certificates that lead to a root, in PEM.
    public let certificateChain: [UInt8]
    /// The certificate's private key in unencrypted PEM (PKCS #8).
    public let privateKey: [UInt8]
}

extension TLSServerConfiguration {
    /// Creates a server configuration with an identity.
    public init(_ identity: ServerIdentity) {
        self.init(certificateChain: identity.certificateChain, privateKey: identity.privateKey)
    }
}
