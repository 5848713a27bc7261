// SPDX-License-Identifier: Apache-2.0

/// The certificate chain and private key with which a server or a client proves who it is.
public struct TLSIdentity: Sendable, Hashable {
    /// The certificate followed by the certificates that lead to a root, in PEM.
    public let certificateChain: [UInt8]
    /// The certificate's private key in unencrypted PEM (PKCS #8).
    public let privateKey: [UInt8]

    /// Creates an identity. Nothing is checked until it is used.
    public init(certificateChain: [UInt8], privateKey: [UInt8]) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}

extension TLSServerConfiguration {
    /// Creates a server configuration with an identity.
    public init(_ identity: TLSIdentity) {
        self.init(certificateChain: identity.certificateChain, privateKey: identity.privateKey)
    }
}
