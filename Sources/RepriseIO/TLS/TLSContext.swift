// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// What the connections of a client or a server have in common: certificates, trust, versions, protocols.
///
/// Made once and shared: reading certificates takes longer than a handshake.
@safe
public final class TLSContext: @unchecked Sendable {
    // Sendable because nothing changes after init; OpenSSL counts the references to its part with atomics.

    let pointer: OpaquePointer
    let isForClients: Bool
    /// What a server is asked for when it has proven itself.
    let pins: TLSPins?
    /// The protocols in the form of RFC 7301 section 3.1, at an address that stays.
    private let protocols: UnsafeMutableBufferPointer<UInt8>

    /// So much is asked of a socket at a time: two full records.
    private static let readBufferLength = 33_000

    /// A context for connections that this side starts.
    ///
    /// - Throws: ``TLSError/Kind/configuration``.
    public convenience init(client configuration: TLSClientConfiguration) throws(TLSError) {
        try self.init(
            isForClients: true,
            protocols: configuration.applicationProtocols,
            from: configuration.minimumVersion,
            to: configuration.maximumVersion,
            pins: configuration.pins
        )
        try trust(configuration.trust)
        let length = unsafe UInt32(protocols.count)
        if length > 0, unsafe SSL_CTX_set_alpn_protos(pointer, protocols.baseAddress, length) != 0 {
            throw TLSError(.configuration, "the application protocols cannot be offered: \(OpenSSLErrors.take().text)")
        }
    }

    /// A context for connections that this side accepts.
    ///
    /// - Throws: ``TLSError/Kind/configuration``.
    public convenience init(server configuration: TLSServerConfiguration) throws(TLSError) {
        try self.init(
            isForClients: false,
            protocols: configuration.applicationProtocols,
            from: configuration.minimumVersion,
            to: configuration.maximumVersion
        )
        try present(
            X509Certificate.all(inPEM: configuration.certificateChain, role: "the certificate chain"),
            key: CertificateKey(pem: configuration.privateKey)
        )
        if unsafe !protocols.isEmpty {
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe SSL_CTX_set_alpn_select_cb(pointer, selectApplicationProtocol, context)
        }
    }

    private init(
        isForClients: Bool,
        protocols names: [String],
        from minimum: TLSVersion,
        to maximum: TLSVersion,
        pins: TLSPins? = nil
    ) throws(TLSError) {
        OpenSSL.start
        let list = try Self.list(names)
        OpenSSLErrors.clear()
        guard let made = unsafe SSL_CTX_new(isForClients ? TLS_client_method() : TLS_server_method()) else {
            throw TLSError(.configuration, "no TLS context can be made: \(OpenSSLErrors.take().text)")
        }
        unsafe pointer = made
        self.isForClients = isForClients
        self.pins = pins
        unsafe protocols = .allocate(capacity: list.count)
        _ = unsafe protocols.initialize(from: list)
        unsafe shim_context_prepare(pointer, Self.readBufferLength)
        guard minimum <= maximum, unsafe shim_context_set_versions(pointer, minimum.number, maximum.number) != 0 else {
            throw TLSError(.configuration, "no version of TLS is from \(minimum) to \(maximum)")
        }
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
        unsafe protocols.deallocate()
    }

    /// The protocols as they are sent: each after its length.
    private static func list(_ names: [String]) throws(TLSError) -> [UInt8] {
        var list: [UInt8] = []
        for name in names {
            guard let length = UInt8(exactly: name.utf8.count), length > 0 else {
                let found = "\(name.utf8.count) bytes: \(name.debugDescription)"
                throw TLSError(.configuration, "an application protocol's name has 1 to 255 bytes, this one \(found)")
            }
            list.append(length)
            list += name.utf8
        }
        guard list.count <= Int(UInt16.max) else {
            throw TLSError(.configuration, "\(names.count) application protocols do not fit into a handshake")
        }
        return list
    }

    private func trust(_ trust: Trust) throws(TLSError) {
        var certificates: [X509Certificate] = []
        var isSystemTrusted = false
        switch trust {
        case .system:
            isSystemTrusted = true
        case .certificates(let pem):
            certificates = try X509Certificate.all(inPEM: pem, role: "the trusted certificates")
        case .systemAnd(let pem):
            isSystemTrusted = true
            certificates = try X509Certificate.all(inPEM: pem, role: "the trusted certificates")
        case .unverified:
            unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
            return
        }
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, certificateWasLookedAt)
        OpenSSLErrors.clear()
        if isSystemTrusted, unsafe SSL_CTX_set_default_verify_paths(pointer) != 1 {
            throw TLSError(.configuration, "the system's certificates cannot be read: \(OpenSSLErrors.take().text)")
        }
        let store = unsafe SSL_CTX_get_cert_store(pointer)
        for certificate in certificates {
            guard unsafe X509_STORE_add_cert(store, certificate.pointer) == 1 else {
                throw TLSError(.configuration, "a certificate cannot be trusted: \(OpenSSLErrors.take().text)")
            }
        }
        // What is trusted by name is trusted, be it a root or not.
        if !certificates.isEmpty { unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN)) }
    }

    private func present(_ chain: [X509Certificate], key: CertificateKey) throws(TLSError) {
        OpenSSLErrors.clear()
        let isTaken =
            unsafe SSL_CTX_use_certificate(pointer, chain[0].pointer) == 1
            && chain.dropFirst().allSatisfy { unsafe shim_context_add_chain(pointer, $0.pointer) != 0 }
        guard isTaken else {
            throw TLSError(.configuration, "the certificate chain cannot be used: \(OpenSSLErrors.take().text)")
        }
        guard unsafe SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1, unsafe SSL_CTX_check_private_key(pointer) == 1
        else {
            let errors = OpenSSLErrors.take()
            throw TLSError(.configuration, "the private key is not that of the first certificate: \(errors.text)")
        }
    }

    /// The server's choice (RFC 7301 section 3.2): the first of its protocols that the client offers.
    fileprivate func select(
        _ selection: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
        _ length: UnsafeMutablePointer<UInt8>,
        of offered: UnsafePointer<UInt8>,
        _ offeredLength: UInt32
    ) -> Int32 {
        var chosen: UnsafeMutablePointer<UInt8>?
        let result = unsafe SSL_select_next_proto(
            &chosen,
            length,
            protocols.baseAddress,
            UInt32(protocols.count),
            offered,
            offeredLength
        )
        guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        unsafe selection.pointee = UnsafePointer(chosen)
        return SSL_TLSEXT_ERR_OK
    }
}

extension TLSVersion {
    /// Its number on the wire.
    var number: Int32 {
        switch self {
        case .tls12: TLS1_2_VERSION
        case .tls13: TLS1_3_VERSION
        }
    }
}

private func selectApplicationProtocol(
    _: OpaquePointer?,
    _ selection: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredLength: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe target(context, as: TLSContext.self),
        let selection = unsafe selection, let length = unsafe length, let offered = unsafe offered, offeredLength > 0
    else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    return unsafe context.select(selection, length, of: offered, offeredLength)
}
