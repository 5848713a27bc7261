// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

extension TLSError {
    /// Returns the error for a problem that verification has just found in a certificate chain.
    ///
    /// - Parameters:
    ///   - store: An OpenSSL `X509_STORE_CTX`.
    ///   - peerName: The host that the certificate is expected to be for.
    static func flaw(found store: OpaquePointer, peerName: String?) -> TLSError {
        let code = unsafe X509_STORE_CTX_get_error(store)
        let depth = unsafe X509_STORE_CTX_get_error_depth(store)
        let peer = peerName ?? "the client"
        let certificate = unsafe CertificateFacts(X509_STORE_CTX_get_current_cert(store))
        // Names the certificate within the chain if it is not the peer's own.
        let subject =
            depth == 0
            ? "the certificate of \(peer)"
            : "a certificate in the chain of \(peer), \(certificate?.subject ?? "unknown"),"
        let reason = unsafe String(cString: X509_verify_cert_error_string(Int(code)))
        let kind = Kind(verification: code)
        return switch kind {
        case .expiredCertificate:
            TLSError(kind, "\(subject) has expired: it was valid until \(certificate?.notAfter ?? "an unknown time")")
        case .notYetValidCertificate:
            TLSError(
                kind,
                "\(subject) is not valid before \(certificate?.notBefore ?? "an unknown time"); "
                    + "check this machine's clock"
            )
        case .wrongHost:
            TLSError(kind, "the certificate is not for \(peer) but for \(certificate?.nameList ?? "unknown names")")
        case .selfSigned:
            TLSError(kind, "\(subject) is self-signed; to accept it, add it to the trusted certificates")
        case .untrustedCertificate:
            TLSError(
                kind,
                "no trusted certificate leads to \(subject) (\(reason); issuer \(certificate?.issuer ?? "unknown")); "
                    + "to accept it, add its authority's certificate to the trusted certificates"
            )
        default:
            TLSError(kind, "\(subject) was rejected: \(reason)")
        }
    }
}

extension TLSError.Kind {
    /// Creates the kind for a verification result (`X509_V_ERR_…`).
    init(verification code: Int32) {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: self = .expiredCertificate
        case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValidCertificate
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongHost
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: self = .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_CHAIN_TOO_LONG:
            self = .untrustedCertificate
        default: self = .invalidCertificate
        }
    }
}
