// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

extension TLSError {
    /// What the verification has just found in a chain.
    ///
    /// - Parameters:
    ///   - store: an `X509_STORE_CTX`.
    ///   - peerName: the host that the certificate should be for.
    static func flaw(found store: OpaquePointer, peerName: String?) -> TLSError {
        let code = unsafe X509_STORE_CTX_get_error(store)
        let depth = unsafe X509_STORE_CTX_get_error_depth(store)
        let peer = peerName ?? "the client"
        let certificate = unsafe CertificateFacts(X509_STORE_CTX_get_current_cert(store))
        // Which of the chain, if it is not the peer's own.
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
                "\(subject) is not valid before \(certificate?.notBefore ?? "an unknown time"): is this machine's clock right?"
            )
        case .wrongHost:
            TLSError(kind, "the certificate is not for \(peer) but for \(certificate?.nameList ?? "nobody")")
        case .selfSigned:
            TLSError(kind, "\(subject) is signed by nobody but itself: to accept it, add it to what is trusted")
        case .untrustedCertificate:
            TLSError(
                kind,
                "no trusted certificate leads to \(subject) (\(reason); issuer \(certificate?.issuer ?? "unknown")): "
                    + "to accept it, add its authority's certificate to what is trusted"
            )
        default:
            TLSError(kind, "\(subject) is refused: \(reason)")
        }
    }
}

extension TLSError.Kind {
    /// The kind for a result of the verification (`X509_V_ERR_…`).
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
