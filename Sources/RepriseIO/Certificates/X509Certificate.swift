// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// An OpenSSL certificate. It does not change after it has been shared.
@safe
final class X509Certificate: @unchecked Sendable {
    // Sendable because a certificate does not change after it is created and OpenSSL's reference count is atomic.
    let pointer: OpaquePointer

    /// Takes ownership of one reference to `pointer`.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Reads all certificates in a PEM text (RFC 7468) and skips any text between them.
    ///
    /// - Parameter role: What the certificates are used for; it appears in the error message.
    /// - Throws: ``TLSError/Kind/configuration`` if there are no certificates, or if one is malformed.
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

    var pem: [UInt8] {
        unsafe PEMText.write { text in unsafe PEM_write_bio_X509(text, pointer) }
    }

    var der: [UInt8] { unsafe Self.encoded { unsafe i2d_X509(pointer, $0) } }

    /// Returns the bytes that an OpenSSL function encodes. The function is called first for the length, then for the
    /// bytes.
    static func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        let count = Int(encode(nil))
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            var next = buffer.baseAddress
            written = unsafe encode(&next) == count ? count : 0
        }
    }

    var isSelfIssued: Bool {
        unsafe X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer)) == 0
    }

    var hasExpired: Bool { unsafe X509_cmp_current_time(X509_get0_notAfter(pointer)) < 0 }

    /// The number of days for which it is valid, rounded up.
    var days: Int {
        var (days, seconds): (Int32, Int32) = (0, 0)
        let (start, end) = unsafe (X509_get0_notBefore(pointer), X509_get0_notAfter(pointer))
        guard unsafe ASN1_TIME_diff(&days, &seconds, start, end) == 1 else { return .max }
        return Int(days) + (seconds > 0 ? 1 : 0)
    }

    /// Whether its path length is 0.
    var signsServersOnly: Bool { unsafe X509_get_pathlen(pointer) == 0 }

    func belongs(to key: CertificateKey) -> Bool {
        OpenSSLErrors.clear()
        return unsafe X509_check_private_key(pointer, key.pointer) == 1
    }
}
