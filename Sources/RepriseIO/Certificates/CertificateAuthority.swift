// SPDX-License-Identifier: Apache-2.0

/// A certificate authority that issues server certificates for tests and for proxies on this machine.
///
/// A client that trusts the authority's certificate trusts every certificate it signs, so keep its key private. Keys
/// are ECDSA on P-256 and signatures use SHA-256. An authority may be used from any thread.
///
/// ```swift
/// let authority = try CertificateAuthority()
/// let server = try TLSServerConfiguration(authority.identity(for: ["localhost", "127.0.0.1"]))
/// client.trust = .certificates(authority.certificate)
/// ```
public final class CertificateAuthority: Sendable {
    /// The authority's certificate in PEM, which clients have to trust.
    public let certificate: [UInt8]

    /// The authority's private key in unencrypted PEM (PKCS #8).
    public var privateKey: [UInt8] { key.pem }

    private let key: CertificateKey
    private let own: X509Certificate
    /// The certificates from this authority's own up to a root; empty if it is a root.
    private let path: [X509Certificate]

    /// Creates an authority with a new key.
    ///
    /// - Parameters:
    ///   - name: The common name of the authority's certificate.
    ///   - validity: The period in which the certificate is valid. The default is 3650 days.
    ///   - parent: The authority that signs the certificate, or nil to sign it with its own key, which makes it a
    ///     root.
    ///   - signsAuthorities: Whether a root may sign other authorities. If false, its certificate says so (RFC 5280
    ///     section 4.2.1.9, a path length of 0).
    /// - Throws: ``TLSError/Kind/configuration`` if the name is empty or longer than 64 bytes, or if OpenSSL has no
    ///   randomness or memory left.
    public init(
        name: String = "Reprise local authority",
        validity: CertificateValidity = .days(3650),
        parent: CertificateAuthority? = nil,
        signsAuthorities: Bool = true
    ) throws(TLSError) {
        OpenSSL.start
        let key = try CertificateKey()
        let draft = try CertificateDraft(subject: name, key: key, validity: validity)
        try draft.makeAuthority(signsAuthorities: parent == nil && signsAuthorities)
        let own = try draft.signed(by: parent?.key ?? key, of: parent?.own)
        self.key = key
        self.own = own
        certificate = own.pem
        path = parent.map { [own] + $0.path } ?? []
    }

    /// Loads an existing authority.
    ///
    /// - Parameters:
    ///   - certificate: The authority's certificate in PEM and, if it is not a root, the certificates that lead to
    ///     one.
    ///   - privateKey: The authority's private key in unencrypted PEM.
    /// - Throws: ``TLSError/Kind/configuration`` if the certificate or the key cannot be read, or if they do not
    ///   match.
    public init(certificate: [UInt8], privateKey: [UInt8]) throws(TLSError) {
        OpenSSL.start
        let chain = try X509Certificate.all(inPEM: certificate, role: "the authority's certificate")
        key = try CertificateKey(pem: privateKey)
        own = chain[0]
        guard own.belongs(to: key) else {
            throw TLSError(.configuration, "the private key does not match the authority's certificate")
        }
        self.certificate = own.pem
        path = chain.filter { !$0.isSelfIssued }
    }

    /// The authority's subject and the end of its validity: `CN=Example, valid until 2027-11-29 09:00:00 UTC`.
    public var summary: String {
        guard let facts = unsafe CertificateFacts(own.pointer) else { return "unknown" }
        return "\(facts.subject), valid until \(facts.notAfter)"
    }

    /// Whether the authority's validity has ended.
    public var hasExpired: Bool { own.hasExpired }

    /// Whether the certificate is valid for at most a year, and says that the authority signs no other authorities (RFC
    /// 5280 section 4.2.1.9), so that programs may be made to trust it.
    package var isLimited: Bool { own.days <= 366 && own.signsServersOnly }

    /// Issues a server certificate with a new key.
    ///
    /// - Parameters:
    ///   - names: The host names and addresses to certify. A host name may begin with `*.`. The first name is also
    ///     the common name if it has at most 64 bytes.
    ///   - validity: The period in which the certificate is valid. The default is 397 days. Apple's systems reject
    ///     server certificates that are valid for more than 825 days.
    /// - Throws: ``TLSError/Kind/configuration`` if `names` is empty, or if one of them is neither a host name nor an
    ///   address.
    public func identity(
        for names: [String],
        validity: CertificateValidity = .days(397)
    ) throws(TLSError) -> TLSIdentity {
        try TLSIdentity(names: names, validity: validity) { (draft, _) throws(TLSError) in
            try self.chain(beginningWith: draft).flatMap(\.pem)
        }
    }

    /// Signs a certificate and returns it, followed by those that lead to a root.
    func chain(
        beginningWith draft: CertificateDraft,
        isWithinOwnValidity: Bool = false
    ) throws(TLSError) -> [X509Certificate] {
        if isWithinOwnValidity { draft.limitValidity(to: own) }
        return [try draft.signed(by: key, of: own)] + path
    }
}

extension TLSIdentity {
    /// Creates a self-signed certificate with a new key; see ``CertificateAuthority/identity(for:validity:)``.
    public static func selfSigned(
        for names: [String],
        validity: CertificateValidity = .days(397)
    ) throws(TLSError) -> TLSIdentity {
        try TLSIdentity(names: names, validity: validity) { (draft, key) throws(TLSError) in
            try draft.signed(by: key, of: nil).pem
        }
    }

    fileprivate init(
        names: [String],
        validity: CertificateValidity,
        sign: (CertificateDraft, CertificateKey) throws(TLSError) -> [UInt8]
    ) throws(TLSError) {
        OpenSSL.start
        guard let first = names.first else { throw TLSError(.configuration, "a certificate needs at least one name") }
        let key = try CertificateKey()
        // A common name has at most 64 characters (RFC 5280 appendix A.1). Modern clients ignore it.
        let subject = first.utf8.count <= 64 ? first : "server"
        let draft = try CertificateDraft(subject: subject, key: key, validity: validity)
        try draft.makeServer(names: names)
        self.init(certificateChain: try sign(draft, key), privateKey: key.pem)
    }
}
