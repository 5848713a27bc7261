// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

@Suite struct JavaTrustStoreTests {
    @Test func containsEachCertificate() throws {
        let (one, other) = (try CertificateAuthority().certificate, try CertificateAuthority().certificate)
        let file = try JavaTrustStore.encode(certificates: one + other)
        #expect(file.prefix(12) == [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2, 0, 0, 0, 2])
        let first: [UInt8] = [0, 0, 0, 2, 0, 9] + Array("reprise-0".utf8) + [UInt8](repeating: 0, count: 8)
        #expect(file.dropFirst(12).starts(with: first + [0, 5] + Array("X.509".utf8)))
        #expect(file.ranges(of: Array("reprise-1".utf8)).count == 1)
        // The file ends with a checksum of 20 bytes, which follows the last certificate.
        let single = try JavaTrustStore.encode(certificates: one)
        #expect(single.count < file.count - 20)
        #expect(single.suffix(20) != file.suffix(20))
    }

    @Test func rejectsTextWithoutCertificates() {
        #expect(throws: TLSError.self) { try JavaTrustStore.encode(certificates: []) }
    }
}
