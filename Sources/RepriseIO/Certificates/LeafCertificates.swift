// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
private import RepriseText

/// Issues and caches the certificates of the hosts that a proxy impersonates.
///
/// All certificates have the same key, which exists only in memory, so that a new host costs one signature. It may be
/// used from any thread.
public final class LeafCertificates: Sendable {
    private let authority: CertificateAuthority
    private let key: CertificateKey
    private let contexts: Locked<BoundedCache<String, TLSContext>>

    /// Creates an empty cache with a new key.
    ///
    /// - Parameters:
    ///   - authority: The authority that signs the certificates.
    ///   - limit: The largest number of certificates to keep, each of which takes about 20 KB. The least recently used
    ///     are discarded first.
    /// - Throws: ``TLSError/Kind/configuration`` if OpenSSL has no randomness or memory left.
    public init(_ authority: CertificateAuthority, limit: Int = 1024) throws(TLSError) {
        self.authority = authority
        key = try CertificateKey()
        contexts = Locked(BoundedCache(capacity: limit))
    }

    /// Returns a TLS context that presents a certificate for a host, which is valid for 397 days at most, and not
    /// longer than its authority.
    ///
    /// - Parameter host: A host name, or an address without brackets.
    /// - Throws: ``TLSError/Kind/configuration`` if `host` is neither a host name nor an address.
    public func context(for host: String) throws(TLSError) -> TLSContext {
        let name = HostAndPort.name(host)
        if let context = contexts.withLock({ $0.use(name) }) { return context }
        guard Self.canCertify(name) else {
            throw TLSError(
                .configuration,
                "expected a host name of at most 253 bytes or an address to issue a certificate for, "
                    + "found \(TLSError.printable(host.utf8.prefix(100)))"
            )
        }
        // Two threads may issue a certificate for the same host at the same time; both are valid.
        let context = try TLSContext(server: Self.settings, chain: certificate(for: name), key: key)
        contexts.withLock { $0.insert(context, for: name) }
        return context
    }

    /// Whether a certificate can name a host.
    package static func canCertify(_ host: String) -> Bool {
        if IPAddress(host) != nil { return !host.utf8.contains(UInt8(ascii: "%")) }
        return HostAndPort.isHostName(host.utf8, allowsUnderscores: true)
    }

    private static let settings = TLSServerConfiguration(certificateChain: [], privateKey: [])

    /// Returns the certificate for a host, followed by those that lead to a root.
    func certificate(for name: String) throws(TLSError) -> [X509Certificate] {
        // The subject is empty because a common name has at most 64 bytes and is no longer compared (RFC 9525).
        let draft = try CertificateDraft(subject: nil, key: key, validity: .days(397))
        try draft.makeServer(names: [name], hasSubject: false)
        return try authority.chain(beginningWith: draft, isWithinOwnValidity: true)
    }
}
