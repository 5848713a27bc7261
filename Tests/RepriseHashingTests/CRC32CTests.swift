// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseHashing

@Suite struct CRC32CTests {
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        let slice = bytes[...]
        return CRC32C.checksum(of: slice.span)
    }

    /// The examples of RFC 3720 appendix B.4, and the check value of the catalog of CRC algorithms.
    @Test func matchesPublishedExamples() {
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum(Array(0..<32)) == 0x46DD_794E)
        #expect(checksum([]) == 0)
    }

    @Test func matchesSlowAlgorithmForEachLengthAndOffset() {
        let bytes = (0..<80).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
        for start in 0..<9 {
            for end in start...bytes.count {
                var crc = UInt32.max
                for byte in bytes[start..<end] {
                    crc ^= UInt32(byte)
                    for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
                }
                let slice = bytes[start..<end]
                #expect(CRC32C.checksum(of: slice.span) == ~crc)
                #expect(CRC32C.checksumFromTables(of: slice.span) == ~crc)
            }
        }
    }
}
