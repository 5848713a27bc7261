// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// The settings that the connections of a client or a server share: certificates, trust, versions, protocols.
///
/// Create a context once and share it, because reading certificates takes longer than a handshake.
@safe
public final class TLSContext: @unchecked Sendable {
    // Sendable because nothing changes after init and OpenSSL's reference count is atomic.

    let pointer: OpaquePointer
    let isForClients: Bool
    /// The pins that a server is checked against after the handshake.
    let pins: TLSPins?
    /// The protocols in the format of RFC 7301 section 3.1, at a stable address.
    private let protocols: UnsafeMutableBufferPointer<UInt8>

    /// How many bytes OpenSSL reads from a socket at a time: two full records.
    private static let readBufferLength = 33_000

    /// The cipher suites of a server for TLS 1.2: authenticated encryption with forward secrecy. All suites of TLS 1.3
    /// have both.
    private static let serverSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// The names of the cipher suites that can be negotiated, in OpenSSL's spelling.
    var cipherSuites: [String] {
        (0..<(unsafe shim_context_suite_count(pointer))).map {
            unsafe String(cString: shim_context_suite_name(pointer, $0))
        }
    }

    /// Creates a context for connections that this side starts.
    ///
    /// - Throws: ``TLSError/Kind/configuration`` if the configuration is invalid.
    public convenience init(client configuration: TLSClientConfiguration) throws(TLSError) {
        try self.init(
            isForClients: true,
            protocols: configuration.applicationProtocols,
            from: configuration.minimumVersion,
            to: configuration.maximumVersion,
            pins: configuration.pins
        )
        try trust(configuration.trust)
        if let identity = configuration.identity {
            try present(
                X509Certificate.all(inPEM: identity.certificateChain, role: "the client's certificate"),
                key: CertificateKey(pem: identity.privateKey)
            )
        }
        let length = unsafe UInt32(protocols.count)
        if length > 0, unsafe SSL_CTX_set_alpn_protos(pointer, protocols.baseAddress, length) != 0 {
            throw TLSError(.configuration, "the application protocols cannot be offered: \(OpenSSLErrors.take().text)")
        }
    }

    /// Creates a context for connections that this side accepts.
    ///
    /// - Throws: ``TLSError/Kind/configuration`` if the configuration is invalid.
    public convenience init(server configuration: TLSServerConfiguration) throws(TLSError) {
        try self.init(
            server: configuration,
            chain: X509Certificate.all(inPEM: configuration.certificateChain, role: "the certificate chain"),
            key: CertificateKey(pem: configuration.privateKey)
        )
    }

    /// Creates a context for connections that this side accepts, with certificates and a key that have been read.
    convenience init(
        server configuration: TLSServerConfiguration,
        chain: [X509Certificate],
        key: CertificateKey
    ) throws(TLSError) {
        try self.init(
            isForClients: false,
            protocols: configuration.applicationProtocols,
            from: configuration.minimumVersion,
            to: configuration.maximumVersion
        )
        guard unsafe SSL_CTX_set_cipher_list(pointer, Self.serverSuites) == 1 else {
            throw TLSError(.configuration, "no cipher suite is available: \(OpenSSLErrors.take().text)")
        }
        try present(chain, key: key)
        if let trust = configuration.clientTrust {
            try self.trust(trust)
            unsafe SSL_CTX_set_verify(
                pointer,
                SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                certificateWasChecked
            )
            // Certificates for tests often don't say that they are for clients.
            unsafe SSL_CTX_set_purpose(pointer, X509_PURPOSE_ANY)
        }
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
            throw TLSError(.configuration, "cannot create a TLS context: \(OpenSSLErrors.take().text)")
        }
        unsafe pointer = made
        self.isForClients = isForClients
        self.pins = pins
        unsafe protocols = .allocate(capacity: list.count)
        _ = unsafe protocols.initialize(from: list)
        unsafe shim_context_prepare(pointer, Self.readBufferLength)
        guard minimum <= maximum, unsafe shim_context_set_versions(pointer, minimum.number, maximum.number) != 0 else {
            throw TLSError(.configuration, "no TLS version is available from \(minimum) to \(maximum)")
        }
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
        unsafe protocols.deallocate()
    }

    /// Returns the protocols as they are sent, each preceded by its length.
    private static func list(_ names: [String]) throws(TLSError) -> [UInt8] {
        var list: [UInt8] = []
        for name in names {
            guard let length = UInt8(exactly: name.utf8.count), length > 0 else {
                let found = "found \(name.utf8.count) bytes: \(name.debugDescription)"
                throw TLSError(.configuration, "expected an application protocol name of 1 to 255 bytes, \(found)")
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
        switch trust.choice {
        case .system(adding: nil):
            isSystemTrusted = true
        case .system(adding: let pem?):
            isSystemTrusted = true
            certificates = try X509Certificate.all(inPEM: pem, role: "the trusted certificates")
        case .certificates(let pem):
            certificates = try X509Certificate.all(inPEM: pem, role: "the trusted certificates")
        case .anyCertificate:
            unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
            return
        }
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, certificateWasChecked)
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
        // A certificate that is listed explicitly is trusted even if it is not a root.
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
            throw TLSError(.configuration, "the private key does not match the first certificate: \(errors.text)")
        }
    }

    /// Selects a protocol for a server (RFC 7301 section 3.2): the first of its protocols that the client offers.
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
