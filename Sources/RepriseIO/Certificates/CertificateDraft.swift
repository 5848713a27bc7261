// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// An X.509 certificate (RFC 5280) under construction.
@safe
struct CertificateDraft {
    private let certificate: X509Certificate
    private let key: CertificateKey

    /// - Parameter subject: The common name, or nil for an empty subject.
    init(subject: String?, key: CertificateKey, validity: CertificateValidity) throws(TLSError) {
        OpenSSLErrors.clear()
        guard let pointer = unsafe X509_new() else { throw Self.failure("out of memory") }
        unsafe certificate = X509Certificate(owning: pointer)
        self.key = key
        if let subject {
            let name = unsafe X509_get_subject_name(pointer)
            let isNamed =
                unsafe !subject.isEmpty
                && X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, subject, -1, -1, 0) == 1
            guard isNamed else {
                throw Self.failure("expected a subject of 1 to 64 characters, found \(subject.debugDescription)")
            }
        }
        // The encoded version is one less than the version number, so 2 means X.509 v3.
        let isComplete =
            unsafe X509_set_version(pointer, 2) == 1
            && X509_set_pubkey(pointer, key.pointer) == 1
            && Self.set(X509_getm_notBefore(pointer), to: validity.notBefore)
            && Self.set(X509_getm_notAfter(pointer), to: validity.notAfter)
            && Self.makeSerialNumber(for: pointer)
        guard isComplete else { throw Self.failure(OpenSSLErrors.take().text) }
    }

    /// Makes this the certificate of an authority, which signs server certificates and possibly other authorities.
    func makeAuthority(signsAuthorities: Bool) throws(TLSError) {
        try add(NID_basic_constraints, signsAuthorities ? "critical,CA:TRUE" : "critical,CA:TRUE,pathlen:0")
        try add(NID_key_usage, "critical,keyCertSign,cRLSign")
    }

    /// Shortens the validity to the part that lies in the issuer's.
    func limitValidity(to issuer: X509Certificate) {
        let (own, limit) = unsafe (certificate.pointer, issuer.pointer)
        if unsafe ASN1_TIME_compare(X509_get0_notBefore(own), X509_get0_notBefore(limit)) < 0 {
            unsafe X509_set1_notBefore(own, X509_get0_notBefore(limit))
        }
        if unsafe ASN1_TIME_compare(X509_get0_notAfter(own), X509_get0_notAfter(limit)) > 0 {
            unsafe X509_set1_notAfter(own, X509_get0_notAfter(limit))
        }
    }

    /// - Parameter hasSubject: Whether the certificate has a subject. Without one, the names are critical (RFC 5280
    ///   section 4.2.1.6).
    func makeServer(names: [String], hasSubject: Bool = true) throws(TLSError) {
        try add(NID_basic_constraints, "critical,CA:FALSE")
        try add(NID_key_usage, "critical,digitalSignature")
        try add(NID_ext_key_usage, "serverAuth")
        let list = unsafe OPENSSL_sk_new_null()
        defer { unsafe GENERAL_NAMES_free(list) }
        for name in names {
            let text = try TLSPeerName(name).text
            guard let item = unsafe Self.generalName(text) else {
                throw Self.failure("\(text) cannot be a subject alternative name")
            }
            unsafe OPENSSL_sk_push(list, item)
        }
        let (pointer, isCritical): (_, Int32) = unsafe (certificate.pointer, hasSubject ? 0 : 1)
        let isAdded = unsafe X509_add1_ext_i2d(
            pointer,
            NID_subject_alt_name,
            UnsafeMutableRawPointer(list),
            isCritical,
            0
        )
        guard isAdded == 1 else { throw Self.failure(OpenSSLErrors.take().text) }
    }

    /// - Parameter issuer: The signer's certificate, or nil if the certificate is self-signed.
    func signed(by signer: CertificateKey, of issuer: X509Certificate?) throws(TLSError) -> X509Certificate {
        let pointer = unsafe certificate.pointer
        let issuerPointer = unsafe issuer?.pointer ?? pointer
        guard unsafe X509_set_issuer_name(pointer, X509_get_subject_name(issuerPointer)) == 1 else {
            throw Self.failure(OpenSSLErrors.take().text)
        }
        try add(NID_subject_key_identifier, "hash")
        if issuer != nil { try add(NID_authority_key_identifier, "keyid:always", issuer: issuer) }
        guard unsafe X509_sign(pointer, signer.pointer, EVP_sha256()) > 0 else {
            throw Self.failure(OpenSSLErrors.take().text)
        }
        return certificate
    }

    private func add(_ kind: Int32, _ value: String, issuer: X509Certificate? = nil) throws(TLSError) {
        OpenSSLErrors.clear()
        let pointer = unsafe certificate.pointer
        var context = unsafe X509V3_CTX()
        unsafe shim_prepare_extensions(&context, issuer?.pointer ?? pointer, pointer)
        let made = unsafe X509V3_EXT_conf_nid(nil, &context, kind, value)
        defer { unsafe X509_EXTENSION_free(made) }
        guard unsafe made != nil, unsafe X509_add_ext(pointer, made, -1) == 1 else {
            throw Self.failure(OpenSSLErrors.take().text)
        }
    }

    private static func failure(_ reason: String) -> TLSError {
        TLSError(.configuration, "the certificate cannot be made: \(reason)")
    }

    private static func set(_ field: UnsafeMutablePointer<ASN1_TIME>?, to seconds: Int) -> Bool {
        unsafe ASN1_TIME_set(field, seconds) != nil
    }

    /// Sets a serial number of 127 random bits, which is unique without a counter (RFC 5280 section 4.1.2.2).
    private static func makeSerialNumber(for certificate: OpaquePointer) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard unsafe RAND_bytes(&bytes, 16) == 1 else { return false }
        bytes[0] &= 0x7f
        let number = unsafe BN_bin2bn(bytes, 16, nil)
        defer { unsafe BN_free(number) }
        return unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    /// Returns a host name or address as a subject alternative name (RFC 5280 section 4.2.1.6).
    private static func generalName(_ text: String) -> UnsafeMutablePointer<GENERAL_NAME>? {
        let item = unsafe GENERAL_NAME_new()
        if let address = unsafe a2i_IPADDRESS(text) {
            unsafe GENERAL_NAME_set0_value(item, GEN_IPADD, address)
            return unsafe item
        }
        OpenSSLErrors.clear()
        let name = unsafe ASN1_IA5STRING_new()
        unsafe ASN1_STRING_set(name, text, -1)
        unsafe GENERAL_NAME_set0_value(item, GEN_DNS, name)
        return unsafe item
    }
}
