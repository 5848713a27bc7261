// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseStorage

extension MockServer {
    /// The TLS certificate that the server presents to clients.
    ///
    /// ```swift
    /// var configuration = MockServer.Configuration()
    /// configuration.tls = .localAuthority()
    /// let server = try await MockServer.start(fixtures: fixtures, configuration: configuration)
    /// // server.url uses https; clients must trust server.certificateAuthority
    /// ```
    public enum TLS: Sendable, Hashable {
        /// A certificate created when the server starts, signed by a local certificate authority.
        ///
        /// - Parameters:
        ///   - folder: The folder with the authority: `ca.pem`, which clients must trust, and its private key,
        ///     `ca-key.pem`. Keep the key secret. Both files are created if they are missing. If `folder` is nil, the
        ///     authority is discarded with the server.
        ///   - names: Names and addresses that clients use for the server, in addition to `localhost`, the loopback
        ///     addresses, and the address that the server listens on.
        case localAuthority(folder: String? = nil, names: [String] = [])
        /// A certificate that you provide.
        ///
        /// - Parameters:
        ///   - certificate: The path of a PEM file with the certificate, followed by its intermediate certificates.
        ///   - key: The path of a PEM file with the certificate's private key, not encrypted.
        case files(certificate: String, key: String)
    }
}

/// The server's TLS identity, loaded and ready to use.
struct ServingIdentity: Sendable {
    let context: TLSContext
    /// The PEM certificate that clients must trust; nil if the user provides the certificate.
    let authority: [UInt8]?

    init(_ tls: MockServer.TLS, host: String) throws(StartError) {
        do throws(TLSError) {
            switch tls {
            case .files(let certificate, let key):
                authority = nil
                context = try TLSContext(
                    server: TLSServerConfiguration(
                        certificateChain: Self.read(certificate, "the certificate"),
                        privateKey: Self.readKey(key, "the key").content
                    )
                )
            case .localAuthority(let folder, let names):
                let signer =
                    if let folder { try LocalAuthority.loadOrCreate(in: folder) } else { try CertificateAuthority() }
                self.authority = signer.certificate
                context = try TLSContext(
                    server: TLSServerConfiguration(signer.identity(for: Self.names(names, host: host)))
                )
            }
        } catch {
            throw StartError(error, tls: tls)
        }
    }

    private static func names(_ names: [String], host: String) -> [String] {
        var all = ["localhost", "127.0.0.1", "::1"]
        for name in names + [host] where !all.contains(name) && !AdminHost.isUnspecified(name) {
            // An address's zone has a meaning only on this machine (RFC 6874 section 4).
            all.append(String(name.prefix { $0 != "%" }))
        }
        return all
    }

    static func read(_ path: String, _ role: String) throws(TLSError) -> [UInt8] {
        try reporting(role) { () throws(FileError) in try StorageFile.content(of: path) }
    }

    static func readKey(_ path: String, _ role: String) throws(TLSError) -> KeyFile {
        try reporting(role) { () throws(FileError) in try KeyFile(path) }
    }

    private static func reporting<Value>(_ role: String, _ read: () throws(FileError) -> Value) throws(TLSError)
        -> Value
    {
        do throws(FileError) { return try read() } catch {
            throw TLSError(.configuration, "\(role) cannot be read: \(error)")
        }
    }
}
