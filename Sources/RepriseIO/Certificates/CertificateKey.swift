// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// An immutable OpenSSL private key.
@safe
final class CertificateKey: @unchecked Sendable {
    // Sendable because a key does not change after it is created and OpenSSL's reference count is atomic.
    let pointer: OpaquePointer

    init() throws(TLSError) {
        OpenSSLErrors.clear()
        guard let pointer = unsafe shim_make_key() else {
            throw TLSError(.configuration, "cannot create a private key: \(OpenSSLErrors.take().text)")
        }
        unsafe self.pointer = pointer
    }

    /// Reads the first key in a PEM text.
    init(pem bytes: [UInt8]) throws(TLSError) {
        OpenSSLErrors.clear()
        let read = unsafe PEMText.read(bytes) { text in
            unsafe PEM_read_bio_PrivateKey(text, nil, passwordIsUnknown, nil)
        }
        let errors = OpenSSLErrors.take()
        guard let read = unsafe read else {
            let isEncrypted = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
            let reason = isEncrypted ? "it is encrypted; decrypt it first: openssl pkey -in FILE" : errors.text
            throw TLSError(.configuration, "the private key cannot be read as PEM: \(reason)")
        }
        unsafe pointer = read
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    var pem: [UInt8] {
        unsafe PEMText.write { text in unsafe PEM_write_bio_PKCS8PrivateKey(text, pointer, nil, nil, 0, nil, nil) }
    }
}
