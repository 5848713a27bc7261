// SPDX-License-Identifier: Apache-2.0

/// What a server proves with who it is.
public struct ServerIdentity: Sendable, Hashable {
    /// The server's certificate and those that lead to a root, in this order, in PEM.
    public let certificateChain: [UInt8]
    /// The certificate's key, in PEM (PKCS #8), not encrypted.
    public let privateKey: [UInt8]
}

extension TLSServerConfiguration {
    /// A server with an identity.
    public init(_ identity: ServerIdentity) {
        self.init(certificateChain: identity.certificateChain, privateKey: identity.privateKey)
    }
}
