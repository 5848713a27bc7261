// SPDX-License-Identifier: Apache-2.0

/// Makes certificates for servers: for tests, and for what stands between a client and a server on this machine.
///
/// Whoever trusts its certificate trusts all that it signs, so its key is nothing to be handed around. Keys are ECDSA
/// on P-256, signatures use SHA-256. Any thread may use it.
///
/// ```swift
/// let authority = try CertificateAuthority()
/// let server = try TLSServerConfiguration(authority.identity(for: ["localhost", "127.0.0.1"]))
/// client.trust = .certificates(authority.certificate)
/// ```
public final class CertificateAuthority: Sendable {
    /// Its certificate, in PEM: what clients have to trust.
    public let certificate: [UInt8]

    /// Its key, in PEM (PKCS #8), not encrypted.
    public var privateKey: [UInt8] { key.pem }

    private let key: CertificateKey
    private let own: X509Certificate
    /// What leads from it to a root, if it is none itself.
    private let path: [UInt8]

    /// A new authority.
    ///
    /// - Parameters:
    ///   - name: the common name of its certificate.
    ///   - validity: how long its certificate is good.
    ///   - parent: who signs its certificate; nil for itself: a root.
    /// - Throws: ``TLSError/Kind/configuration`` if the name is empty or over 64 bytes, or randomness or memory is
    ///   short.
    public init(
        name: String = "Reprise local authority",
        validity: CertificateValidity = .days(3650),
        parent: CertificateAuthority? = nil
    ) throws(TLSError) {
        OpenSSL.start
        let key = try CertificateKey()
        let draft = try CertificateDraft(subject: name, key: key, validity: validity)
        try draft.makeAuthority(isRoot: parent == nil)
        let own = try draft.signed(by: parent?.key ?? key, of: parent?.own)
        self.key = key
        self.own = own
        certificate = own.pem
        path = parent.map { own.pem + $0.path } ?? []
    }

    /// An authority that was made before.
    ///
    /// - Parameters:
    ///   - certificate: its certificate in PEM and, if it is no root, those that lead to one.
    ///   - privateKey: its key in PEM, not encrypted.
    /// - Throws: ``TLSError/Kind/configuration`` if either cannot be read or they do not belong together.
    public init(certificate: [UInt8], privateKey: [UInt8]) throws(TLSError) {
        OpenSSL.start
        let chain = try X509Certificate.all(inPEM: certificate, role: "the authority's certificate")
        key = try CertificateKey(pem: privateKey)
        own = chain[0]
        guard own.belongs(to: key) else {
            throw TLSError(.configuration, "the private key is not that of the authority's certificate")
        }
        self.certificate = own.pem
        path = chain.filter { !$0.isSelfIssued }.flatMap(\.pem)
    }

    /// A certificate for a server, with a new key.
    ///
    /// - Parameters:
    ///   - names: host names, which may begin with `*.`, and addresses. The first is its common name too, if it fits.
    ///   - validity: how long it is good; Apple's systems take none for longer than 825 days.
    /// - Throws: ``TLSError/Kind/configuration`` if there is no name, or one can be neither a name nor an address.
    public func identity(
        for names: [String],
        validity: CertificateValidity = .days(397)
    ) throws(TLSError) -> ServerIdentity {
        try ServerIdentity(names: names, validity: validity) { (draft, _) throws(TLSError) in
            try draft.signed(by: self.key, of: self.own).pem + self.path
        }
    }
}

extension ServerIdentity {
    /// A certificate that nobody but itself vouches for, with a new key; see ``CertificateAuthority/identity(for:validity:)``.
    public static func selfSigned(
        for names: [String],
        validity: CertificateValidity = .days(397)
    ) throws(TLSError) -> ServerIdentity {
        try ServerIdentity(names: names, validity: validity) { (draft, key) throws(TLSError) in
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
        // A common name has 64 characters at most (RFC 5280 appendix A.1); nobody looks at it any more.
        let subject = first.utf8.count <= 64 ? first : "server"
        let draft = try CertificateDraft(subject: subject, key: key, validity: validity)
        try draft.makeServer(names: names)
        self.init(certificateChain: try sign(draft, key), privateKey: key.pem)
    }
}
