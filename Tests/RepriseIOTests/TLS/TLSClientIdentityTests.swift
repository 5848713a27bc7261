// SPDX-License-Identifier: Apache-2.0

import CRepriseOpenSSL
import RepriseTestSupport
import Testing

@testable import RepriseIO

/// The certificate that a client presents.
@Suite struct TLSClientIdentityTests {
    /// Whether a server that requires a certificate of `authority` answers a client.
    private func isAnswered(_ pair: TLSPair, trusting authority: CertificateAuthority) async throws -> Bool {
        let context = try TLSContext(server: pair.server)
        let trusted = try X509Certificate.all(inPEM: authority.certificate, role: "the test's authority")
        unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(context.pointer), trusted[0].pointer)
        unsafe SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        unsafe SSL_CTX_set_purpose(context.pointer, X509_PURPOSE_ANY)
        var isAnswered = false
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop, tls: context) { EchoHandler() }
            do {
                let client = try await pair.connect(to: server.port)
                try await client.send("x")
                isAnswered = try await client.read(count: 1).text == "x"
            } catch is TLSError {}
        }
        return isAnswered
    }

    @Test(arguments: TLSVersion.allCases)
    func presentsIdentityWhenAsked(version: TLSVersion) async throws {
        let authority = try CertificateAuthority()
        var pair = try TLSPair(version)
        #expect(try await !isAnswered(pair, trusting: authority))
        pair.client.identity = try authority.identity(for: ["client.test"])
        #expect(try await isAnswered(pair, trusting: authority))
        #expect(try await !isAnswered(pair, trusting: CertificateAuthority()))
    }

    @Test func rejectsKeyOfAnotherCertificate() throws {
        let authority = try CertificateAuthority()
        let (one, other) = (try authority.identity(for: ["a.test"]), try authority.identity(for: ["a.test"]))
        var client = TLSClientConfiguration()
        client.identity = TLSIdentity(certificateChain: one.certificateChain, privateKey: other.privateKey)
        let error = #expect(throws: TLSError.self) { try TLSContext(client: client) }
        #expect(error?.kind == .configuration)
    }
}
