// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

@Suite struct CertificateAuthorityTests {
    @Test func roundTripsThroughPEM() throws {
        let authority = try CertificateAuthority(name: "Example")
        let again = try CertificateAuthority(certificate: authority.certificate, privateKey: authority.privateKey)
        #expect(again.certificate == authority.certificate)
        #expect(again.privateKey == authority.privateKey)
    }

    @Test(arguments: [(365, false, true), (366, false, false), (365, true, false), (3650, false, false)])
    func limitsAreOneYearAndPathLength(days: Int, signsAuthorities: Bool, isLimited: Bool) throws {
        let authority = try CertificateAuthority(validity: .days(days), signsAuthorities: signsAuthorities)
        let again = try CertificateAuthority(certificate: authority.certificate, privateKey: authority.privateKey)
        #expect([authority.isLimited, again.isLimited] == [isLimited, isLimited])
    }

    @Test func rejectsMismatchedKey() throws {
        let (one, other) = (try CertificateAuthority(), try CertificateAuthority())
        #expect(throws: TLSError.self) {
            try CertificateAuthority(certificate: one.certificate, privateKey: other.privateKey)
        }
    }

    @Test func issuesDistinctKeyPerIdentity() throws {
        let authority = try CertificateAuthority()
        let (one, other) = (try authority.identity(for: ["a.test"]), try authority.identity(for: ["a.test"]))
        #expect(one.privateKey != other.privateKey)
        #expect(one.certificateChain != other.certificateChain)
    }

    @Test(arguments: [[], [""], ["a.test", "b c"], ["\u{E4}.test"], ["a\0b"]])
    func rejectsInvalidNames(names: [String]) throws {
        let error = try #require(throws: TLSError.self) { try CertificateAuthority().identity(for: names) }
        #expect(error.kind == .configuration)
    }

    @Test(arguments: ["", String(repeating: "x", count: 65)])
    func rejectsInvalidCommonNames(name: String) throws {
        #expect(throws: TLSError.self) { try CertificateAuthority(name: name) }
    }
}
