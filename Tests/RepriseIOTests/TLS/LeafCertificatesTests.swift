// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseIO

@Suite(.timeLimit(.minutes(5))) struct LeafCertificatesTests {
    private static let authority = Result { try CertificateAuthority(signsAuthorities: false) }

    private func leaves(limit: Int = 1024) throws -> LeafCertificates {
        try LeafCertificates(Self.authority.get(), limit: limit)
    }

    private static let longName = String(repeating: "a.long.name.", count: 20) + "test"

    @Test(arguments: ["api.example.test", "API.Example.Test.", "my_bucket.test", longName, "127.0.0.1", "::1", "[::1]"])
    func completesHandshakeForHost(host: String) async throws {
        var client = TLSClientConfiguration()
        client.trust = .certificates(try Self.authority.get().certificate)
        let context = try TLSContext(client: client)
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop, tls: leaves().context(for: host)) { EchoHandler() }
            let protection = RawClient.Protection(context, serverName: host)
            let connection = try await RawClient.connect(port: server.port, protection: protection)
            try await connection.send("x")
            #expect(try await connection.read(count: 1).text == "x")
        }
    }

    @Test(arguments: [
        "", ".", "a..b", "*.example.test", "a b", "a\0b.test", "::1%\0", "\u{E4}.test", "-a.test", "[::1", "a:80",
        String(repeating: "a.", count: 299) + "a", String(repeating: "a", count: 64) + ".test",
        String(repeating: "abcdefg.", count: 31) + "abcdef",
    ])
    func rejectsInvalidHosts(host: String) throws {
        let error = try #require(throws: TLSError.self) { try leaves().context(for: host) }
        #expect(error.kind == .configuration)
    }

    @Test func keepsContextsUpToLimit() throws {
        let leaves = try leaves(limit: 2)
        let (a, b) = (try leaves.context(for: "a.test"), try leaves.context(for: "b.test"))
        #expect(try leaves.context(for: "A.test.") === a)
        _ = try leaves.context(for: "c.test")
        #expect(try leaves.context(for: "a.test") === a)
        #expect(try leaves.context(for: "b.test") !== b)
    }

    @Test func discardsWhatExceedsLimit() throws {
        struct Weak { weak var context: TLSContext? }
        let leaves = try leaves(limit: 8)
        let all = try (0..<200).map { Weak(context: try leaves.context(for: "h\($0).test")) }
        #expect(all.count { $0.context != nil } == 8)
    }

    @Test func validityLiesWithinTheAuthoritys() throws {
        let period = CertificateValidity(notBefore: 1_577_836_800, notAfter: 1_609_459_199)
        let leaves = try LeafCertificates(CertificateAuthority(validity: period))
        let old = try facts(leaves.certificate(for: "a.test")[0])
        #expect(old.notAfter == "2020-12-31 23:59:59 UTC")
        let young = CertificateValidity(notBefore: CertificateValidity.days(0).notAfter, notAfter: 4_102_444_799)
        let leaf = try LeafCertificates(CertificateAuthority(validity: young)).certificate(for: "a.test")[0]
        let own = try CertificateDraft(subject: "a", key: CertificateKey(), validity: young)
        let expected = try facts(own.signed(by: CertificateKey(), of: nil))
        let found = try facts(leaf)
        #expect(found.notBefore == expected.notBefore)
        #expect(found.notAfter < expected.notAfter)
    }

    private func facts(_ certificate: X509Certificate) throws -> CertificateFacts {
        try withExtendedLifetime(certificate) { try #require(unsafe CertificateFacts($0.pointer)) }
    }

    /// RFC 5280 sections 4.2.1.6 and 4.2.1.9.
    @Test func namesAreCriticalAndAuthoritySignsNoOthers() throws {
        let leaf = try leaves().certificate(for: "a.test")[0]
        let name: [UInt8] = [0x82, 6] + Array("a.test".utf8)
        #expect(contains([6, 3, 0x55, 0x1D, 0x11, 1, 1, 0xFF, 4, 10, 0x30, 8] + name, leaf.pem))
        let pathLength: [UInt8] = [0x30, 6, 1, 1, 0xFF, 2, 1, 0]
        #expect(contains(pathLength, try Self.authority.get().certificate))
        #expect(!contains(pathLength, try CertificateAuthority().certificate))
    }

    private func contains(_ bytes: [UInt8], _ pem: [UInt8]) -> Bool {
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
        let der = Base64.decode(Array(lines.joined().utf8)[...]) ?? []
        return der.firstRange(of: bytes) != nil
    }
}
