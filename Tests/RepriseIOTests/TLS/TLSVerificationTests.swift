// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

/// A client's verification of a server's certificate.
@Suite struct TLSVerificationTests {
    private static let past = CertificateValidity(notBefore: 1_577_836_800, notAfter: 1_609_459_199)
    private static let future = CertificateValidity(notBefore: 4_070_908_800, notAfter: 4_102_444_799)

    /// The error of a handshake; nil if it succeeds.
    private func failure(_ pair: TLSPair) async throws -> TLSError? {
        var failure: TLSError?
        try await EventLoop.with { loop in
            let server = try await pair.listen(on: loop)
            do {
                let client = try await pair.connect(to: server.port)
                try await client.send("x")
                #expect(try await client.read(count: 1).text == "x")
            } catch let error as TLSError {
                failure = error
            }
        }
        return failure
    }

    private func expect(_ kind: TLSError.Kind, _ words: [String], of pair: TLSPair) async throws {
        let found = try await failure(pair)
        #expect(found?.kind == kind)
        #expect(found?.isAboutCertificate == true)
        for word in words { #expect(found?.message.contains(word) == true, "\(found?.message ?? "no failure")") }
    }

    @Test(arguments: [
        ("localhost", ["localhost"]), ("LocalHost", ["localhost"]), ("localhost.", ["localhost"]),
        ("api.example.com", ["*.example.com"]), ("example.com", ["a.test", "b.test", "example.com"]),
        ("127.0.0.1", ["127.0.0.1"]), ("::1", ["::1"]), ("[::1]", ["::1"]), ("0:0:0:0:0:0:0:1", ["localhost", "::1"]),
        ("fe80::1%eth0", ["fe80::1"]), ("xn--bcher-kva.example", ["xn--bcher-kva.example"]),
    ])
    func acceptsCertificateForHost(serverName: String, names: [String]) async throws {
        var pair = try TLSPair(names: names)
        pair.serverName = serverName
        #expect(try await failure(pair) == nil)
    }

    @Test(arguments: [
        ("localhost", ["example.com"]), ("a.b.example.com", ["*.example.com"]), ("example.com", ["*.example.com"]),
        ("a.example.com", ["a*.example.com"]), ("127.0.0.1", ["localhost"]), ("127.0.0.1", ["127.0.0.2"]),
        ("::1", ["::2"]), ("localhost", ["127.0.0.1"]), ("127.1", ["127.0.0.1"]),
    ])
    func rejectsCertificateForOtherNames(serverName: String, names: [String]) async throws {
        var pair = try TLSPair(names: names)
        pair.serverName = serverName
        try await expect(.wrongHost, ["not for \(serverName) but for"], of: pair)
    }

    @Test func errorListsNamesInCertificate() async throws {
        let names = ["a.test", "*.b.test", "10.0.0.1", "2001:db8::1"] + (1...9).map { "c\($0).test" }
        let pair = try TLSPair(names: names)
        let shown = "a.test, *.b.test, 10.0.0.1, 2001:db8:0:0:0:0:0:1, c1.test, c2.test, c3.test, c4.test and 5 more"
        try await expect(.wrongHost, ["the certificate is not for localhost but for \(shown)"], of: pair)
    }

    @Test(arguments: ["Reprise local authority", "Another"])
    func rejectsUntrustedAuthority(name: String) async throws {
        var pair = try TLSPair()
        pair.client.trust = try .certificates(CertificateAuthority(name: name).certificate)
        try await expect(
            .untrustedCertificate,
            ["localhost", "issuer CN=Reprise local authority", "trusted"],
            of: pair
        )
    }

    @Test func rejectsAuthorityUnknownToSystem() async throws {
        var pair = try TLSPair()
        pair.client.trust = .system
        try await expect(.untrustedCertificate, ["localhost"], of: pair)
    }

    @Test func trustsAuthorityAddedToSystem() async throws {
        var pair = try TLSPair()
        let authority = try CertificateAuthority()
        pair.server = try TLSServerConfiguration(authority.identity(for: ["localhost"]))
        pair.client.trust = .system(adding: authority.certificate)
        #expect(try await failure(pair) == nil)
    }

    @Test func acceptsSelfSignedCertificateOnlyIfTrusted() async throws {
        var pair = try TLSPair()
        let identity = try TLSIdentity.selfSigned(for: ["localhost"])
        pair.server = TLSServerConfiguration(identity)
        try await expect(.selfSigned, ["the certificate of localhost is self-signed"], of: pair)
        pair.client.trust = .certificates(identity.certificateChain)
        #expect(try await failure(pair) == nil)
    }

    @Test func rejectsCertificateOutsideValidity() async throws {
        var pair = try TLSPair()
        let authority = try CertificateAuthority()
        pair.client.trust = .certificates(authority.certificate)
        pair.server = try TLSServerConfiguration(authority.identity(for: ["localhost"], validity: Self.past))
        try await expect(
            .expiredCertificate,
            ["localhost has expired: it was valid until 2020-12-31 23:59:59 UTC"],
            of: pair
        )
        pair.server = try TLSServerConfiguration(authority.identity(for: ["localhost"], validity: Self.future))
        try await expect(.notYetValidCertificate, ["localhost is not valid before 2099-01-01 00:00:00 UTC"], of: pair)
    }

    @Test func rejectsExpiredAuthority() async throws {
        var pair = try TLSPair()
        let authority = try CertificateAuthority(name: "Old", validity: Self.past)
        pair.client.trust = .certificates(authority.certificate)
        pair.server = try TLSServerConfiguration(authority.identity(for: ["localhost"]))
        try await expect(.expiredCertificate, ["chain of localhost, CN=Old,", "2020-12-31"], of: pair)
    }

    @Test func followsCertificateChain() async throws {
        let root = try CertificateAuthority(name: "Root")
        let middle = try CertificateAuthority(name: "Middle", parent: root)
        var pair = try TLSPair()
        pair.server = try TLSServerConfiguration(middle.identity(for: ["localhost"]))
        pair.client.trust = .certificates(root.certificate)
        #expect(try await failure(pair) == nil)

        // A trusted certificate need not be a root.
        pair.client.trust = .certificates(middle.certificate)
        #expect(try await failure(pair) == nil)

        // The same authority, but the server doesn't send the intermediate certificate.
        let alone = try CertificateAuthority(certificate: root.certificate, privateKey: root.privateKey)
        #expect(alone.certificate == root.certificate)
        pair.server.certificateChain = Self.firstCertificate(of: pair.server.certificateChain)
        pair.client.trust = .certificates(root.certificate)
        try await expect(.untrustedCertificate, ["issuer CN=Middle"], of: pair)
    }

    @Test func trustInAnyCertificateVerifiesNothing() async throws {
        var pair = try TLSPair(names: ["another.test"])
        pair.server = try TLSServerConfiguration(.selfSigned(for: ["another.test"], validity: Self.past))
        pair.client.trust = .anyCertificate
        #expect(try await failure(pair) == nil)
    }

    /// Names in a peer's certificate must not send control sequences to a terminal.
    @Test func escapesControlCharactersInCertificateNames() async throws {
        let authority = try CertificateAuthority(name: "\u{1B}[31mAuthority")
        var pair = try TLSPair()
        pair.server = try TLSServerConfiguration(authority.identity(for: ["localhost"]))
        let found = try #require(try await failure(pair))
        #expect(found.kind == .untrustedCertificate)
        #expect(!found.message.unicodeScalars.contains { $0.value < 0x20 })
    }

    private static func firstCertificate(of chain: [UInt8]) -> [UInt8] {
        let end = "-----END CERTIFICATE-----\n"
        let text = String(decoding: chain, as: UTF8.self)
        return Array((text.split(separator: end, omittingEmptySubsequences: true)[0] + end).utf8)
    }
}
