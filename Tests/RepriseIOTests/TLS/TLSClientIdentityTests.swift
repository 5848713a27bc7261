// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseIO

/// The certificate that a client presents.
@Suite struct TLSClientIdentityTests {
    /// Whether a server that requires a certificate of `authority` answers a client.
    private func isAnswered(_ pair: TLSPair, trusting authority: CertificateAuthority) async throws -> Bool {
        var configuration = pair.server
        configuration.clientTrust = .certificates(authority.certificate)
        let context = try TLSContext(server: configuration)
        var isAnswered = false
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop, tls: context) { EchoHandler() }
            do {
                let client = try await pair.connect(to: server.port)
                try await client.send("x")
                isAnswered = try await client.read(count: 1).text == "x"
            } catch {
                // With TLS 1.3, the client learns only after its handshake that it is refused.
            }
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
