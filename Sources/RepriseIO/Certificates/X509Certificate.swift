// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// A certificate of OpenSSL's, with one owner or shared, never changed once it is shared.
@safe
final class X509Certificate: @unchecked Sendable {
    // Sendable because a certificate does not change once it is made; OpenSSL counts its references with atomics.
    let pointer: OpaquePointer

    /// Takes over one reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// All certificates of a PEM text (RFC 7468); what lies between them does not matter.
    ///
    /// - Parameter role: what they are for, for the error.
    /// - Throws: if there is none, or one is broken.
    static func all(inPEM bytes: [UInt8], role: String) throws(TLSError) -> [X509Certificate] {
        OpenSSLErrors.clear()
        var certificates: [X509Certificate] = []
        let isComplete = unsafe PEMText.read(bytes) { text in
            while let pointer = unsafe PEM_read_bio_X509(text, nil, passwordIsUnknown, nil) {
                unsafe certificates.append(X509Certificate(owning: pointer))
            }
            let last = ERR_peek_last_error()
            return ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE
        }
        let errors = OpenSSLErrors.take()
        guard isComplete else {
            let place = "certificate \(certificates.count + 1) of \(role)"
            throw TLSError(.configuration, "\(place) cannot be read: \(errors.text)")
        }
        guard !certificates.isEmpty else {
            let wish = "PEM with at least one -----BEGIN CERTIFICATE-----"
            throw TLSError(.configuration, "\(role): expected \(wish), found none in \(bytes.count) bytes")
        }
        return certificates
    }

    /// The certificate in PEM.
    var pem: [UInt8] {
        unsafe PEMText.write { text in unsafe PEM_write_bio_X509(text, pointer) }
    }

    /// Whether its subject is its issuer.
    var isSelfIssued: Bool {
        unsafe X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer)) == 0
    }

    /// Whether the key is the other half of the certificate's.
    func belongs(to key: CertificateKey) -> Bool {
        OpenSSLErrors.clear()
        return unsafe X509_check_private_key(pointer, key.pointer) == 1
    }
}
