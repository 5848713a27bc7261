// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

extension MockServer {
    /// Who the server is to clients that speak TLS.
    ///
    /// ```swift
    /// var configuration = MockServer.Configuration()
    /// configuration.tls = .localAuthority()
    /// let server = try await MockServer.start(fixtures: fixtures, configuration: configuration)
    /// // server.url is an https one; clients have to trust server.certificateAuthority
    /// ```
    public enum TLS: Sendable, Hashable {
        /// A certificate that is made when the server starts, signed by an authority of this machine's own.
        ///
        /// - Parameters:
        ///   - folder: where the authority is kept: `ca.pem`, which clients have to trust, and its key, `ca-key.pem`,
        ///     which is nobody else's business. Both are made if they are not there. Nil for an authority that ends with
        ///     the server.
        ///   - names: names and addresses by which clients call the server, beside `localhost`, the loopback addresses
        ///     and the address that it listens on.
        case localAuthority(folder: String? = nil, names: [String] = [])
        /// A certificate of one's own.
        ///
        /// - Parameters:
        ///   - certificate: the file with the certificate and those that lead to a root, in PEM.
        ///   - key: the file with its key, in PEM, not encrypted.
        case files(certificate: String, key: String)
    }
}

/// Who the server is, ready to be used.
struct ServingIdentity: Sendable {
    let context: TLSContext
    /// What clients have to trust, in PEM; nil for a certificate of the user's own.
    let authority: [UInt8]?

    init(_ tls: MockServer.TLS, host: String) throws(StartError) {
        do throws(TLSError) {
            switch tls {
            case .files(let certificate, let key):
                authority = nil
                context = try TLSContext(
                    server: TLSServerConfiguration(
                        certificateChain: Self.read(certificate, "the certificate"),
                        privateKey: Self.read(key, "the key")
                    )
                )
            case .localAuthority(let folder, let names):
                let signer = if let folder { try LocalAuthority.kept(in: folder) } else { try CertificateAuthority() }
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
        for name in names + [host] where !all.contains(name) && name != "0.0.0.0" && name != "::" {
            // An address's zone means something on this machine only (RFC 6874 section 4).
            all.append(String(name.prefix { $0 != "%" }))
        }
        return all
    }

    static func read(_ path: String, _ role: String) throws(TLSError) -> [UInt8] {
        do throws(SystemError) {
            let file = try ReadOnlyFile(path: path)
            var bytes: [UInt8] = []
            _ = try file.read(at: 0, into: &bytes, count: file.size)
            return bytes
        } catch {
            throw TLSError(.configuration, "\(role) cannot be read: \(error)")
        }
    }
}
