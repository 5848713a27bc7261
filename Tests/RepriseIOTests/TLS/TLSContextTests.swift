// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseIO

@Suite struct TLSContextTests {
    private static let authority = Result { try CertificateAuthority() }
    private static let identity = Result { try authority.get().identity(for: ["localhost"]) }

    /// An encrypted key: `openssl genpkey -algorithm ed25519 -aes128 -pass pass:secret`.
    private static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    private func message(_ make: () throws -> TLSContext) throws -> String {
        do {
            _ = try make()
            return "none"
        } catch let error as TLSError {
            #expect(error.kind == .configuration)
            return error.message
        }
    }

    private func server(_ chain: [UInt8], _ key: [UInt8]) throws -> TLSContext {
        try TLSContext(server: TLSServerConfiguration(certificateChain: chain, privateKey: key))
    }

    @Test(arguments: ["", "no PEM", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func rejectsTrustWithoutCertificates(text: String) throws {
        var configuration = TLSClientConfiguration()
        configuration.trust = .certificates(Array(text.utf8))
        let found = try message { try TLSContext(client: configuration) }
        let expectation = "expected PEM with at least one -----BEGIN CERTIFICATE-----"
        #expect(found == "the trusted certificates: \(expectation), found none in \(text.utf8.count) bytes")
    }

    @Test func errorNamesBrokenCertificate() throws {
        var configuration = TLSClientConfiguration()
        let good = try Self.authority.get().certificate
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        configuration.trust = .system(adding: good + good + Array(broken.utf8))
        let found = try message { try TLSContext(client: configuration) }
        #expect(found.hasPrefix("certificate 3 of the trusted certificates cannot be read: "))
    }

    @Test func acceptsOtherTextBetweenCertificates() throws {
        var configuration = TLSClientConfiguration()
        let good = try Self.authority.get().certificate
        let key = try Self.authority.get().privateKey
        configuration.trust = .certificates(Array("# one\n".utf8) + good + key + Array("\n\n# the same\n".utf8) + good)
        _ = try TLSContext(client: configuration)
    }

    @Test func rejectsMismatchedKey() throws {
        let (one, other) = (try Self.identity.get(), try Self.authority.get().identity(for: ["localhost"]))
        let found = try message { try server(one.certificateChain, other.privateKey) }
        #expect(found.hasPrefix("the private key does not match the first certificate: "))
    }

    @Test func rejectsInvalidKey() throws {
        let chain = try Self.identity.get().certificateChain
        #expect(try message { try server(chain, []) }.hasPrefix("the private key cannot be read as PEM: "))
        #expect(try message { try server(chain, chain) }.hasPrefix("the private key cannot be read as PEM: "))
    }

    /// By default, OpenSSL prompts for the password on the terminal and waits.
    @Test func rejectsEncryptedKeyWithoutPrompt() throws {
        let chain = try Self.identity.get().certificateChain
        let found = try message { try server(chain, Array(Self.encryptedKey.utf8)) }
        #expect(found.contains("it is encrypted; decrypt it first: openssl pkey -in FILE"))
    }

    @Test(arguments: ["", String(repeating: "x", count: 256)])
    func rejectsApplicationProtocolsOfInvalidLength(name: String) throws {
        var configuration = TLSClientConfiguration()
        configuration.applicationProtocols = ["http/1.1", name]
        #expect(try message { try TLSContext(client: configuration) }.contains("1 to 255 bytes"))
    }

    @Test func rejectsEmptyVersionRange() throws {
        var configuration = TLSClientConfiguration()
        configuration.minimumVersion = .tls13
        configuration.maximumVersion = .tls12
        #expect(try message { try TLSContext(client: configuration) }.contains("from tls13 to tls12"))
    }

    @Test func serverSuitesHaveForwardSecrecyAndAuthenticatedEncryption() throws {
        let identity = try TLSIdentity.selfSigned(for: ["localhost"])
        let suites = try TLSContext(
            server: TLSServerConfiguration(certificateChain: identity.certificateChain, privateKey: identity.privateKey)
        ).cipherSuites
        #expect(suites.count == 9)
        for suite in suites {
            #expect(suite.hasPrefix("TLS_") || suite.hasPrefix("ECDHE-"), "\(suite)")
            #expect(suite.contains("GCM") || suite.contains("CHACHA20"), "\(suite)")
        }
    }
}
