// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL
private import RepriseHashing
internal import RepriseText

/// Pinned certificates or keys, at least one of which a server must present. An empty set of pins rejects every server.
public struct TLSPins: Sendable, Hashable {
    /// The SHA-256 hashes of certificates in DER.
    public var certificates: Set<[UInt8]>
    /// The SHA-256 hashes of SubjectPublicKeyInfo structures in DER (RFC 7469 section 2.4).
    public var publicKeys: Set<[UInt8]>

    /// Creates a set of pins.
    public init(certificates: Set<[UInt8]> = [], publicKeys: Set<[UInt8]> = []) {
        self.certificates = certificates
        self.publicKeys = publicKeys
    }

    /// - Parameters:
    ///   - ssl: A connection whose handshake is complete.
    ///   - peer: The server's host, for the error message.
    func refusal(of ssl: OpaquePointer, peer: String) -> TLSError? {
        let chain = unsafe Self.chain(of: ssl)
        guard !chain.contains(where: { publicKeys.contains($0.publicKey) || certificates.contains($0.hash) }) else {
            return nil
        }
        let found = chain.map { "\($0.subject) with the key sha256/\(Base64.text($0.publicKey))" }
        let expected = certificates.count + publicKeys.count
        return TLSError(
            .pinMismatch,
            expected == 0
                ? "\(peer) cannot match a pin, because there are none; add a pin, or set the pinning to nil"
                : "none of the \(expected) pins matches \(peer); its certificates are \(found.joined(separator: ", "))"
        )
    }

    /// The parts of a certificate that pins are compared with.
    private struct Certificate {
        let hash: [UInt8]
        let publicKey: [UInt8]
        let subject: String

        init(_ certificate: OpaquePointer) {
            hash = unsafe SHA256.digest(of: TLSPins.der(of: certificate))
            publicKey = unsafe SHA256.digest(of: TLSPins.publicKeyInfo(of: certificate))
            subject = unsafe CertificateFacts(certificate)?.subject ?? "unknown"
        }
    }

    /// Returns the certificates from the server's own to the trusted one. Without verification, returns only the
    /// server's own, because the others it sent prove nothing.
    private static func chain(of ssl: OpaquePointer) -> [Certificate] {
        if let stack = unsafe SSL_get0_verified_chain(ssl), unsafe SSL_get_verify_mode(ssl) != SSL_VERIFY_NONE {
            return unsafe (0..<OPENSSL_sk_num(stack)).compactMap { index in
                unsafe OpaquePointer(OPENSSL_sk_value(stack, index)).map { unsafe Certificate($0) }
            }
        }
        return unsafe SSL_get0_peer_certificate(ssl).map { unsafe [Certificate($0)] } ?? []
    }

    private static func publicKeyInfo(of certificate: OpaquePointer) -> [UInt8] {
        let key = unsafe X509_get_X509_PUBKEY(certificate)
        return unsafe X509Certificate.encoded { unsafe i2d_X509_PUBKEY(key, $0) }
    }

    private static func der(of certificate: OpaquePointer) -> [UInt8] {
        unsafe X509Certificate.encoded { unsafe i2d_X509(certificate, $0) }
    }
}
