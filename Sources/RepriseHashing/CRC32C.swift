// SPDX-License-Identifier: Apache-2.0

#if canImport(CRepriseOpenSSL)
    private import CRepriseOpenSSL
#endif

/// CRC-32C (RFC 3720 appendix B.4), a checksum that detects damage but not tampering.
package enum CRC32C {
    /// The polynomial, lowest bit first.
    private static let polynomial: UInt32 = 0x82F6_3B78

    /// Eight tables of 256 numbers, so that eight bytes take one step.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ polynomial }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let last = tables[index - 256]
            tables[index] = last >> 8 ^ tables[Int(last & 0xFF)]
        }
        return tables
    }()

    /// Returns the checksum of `bytes`.
    package static func checksum(of bytes: Span<UInt8>) -> UInt32 {
        #if canImport(CRepriseOpenSSL)
            if hasInstruction {
                return unsafe bytes.withUnsafeBufferPointer { bytes in
                    unsafe ~shim_crc32c(.max, bytes.baseAddress, bytes.count)
                }
            }
        #endif
        return checksumFromTables(of: bytes)
    }

    #if canImport(CRepriseOpenSSL)
        /// Whether the processor has an instruction for this checksum.
        private static let hasInstruction = shim_has_crc32c() != 0
    #endif

    /// Returns the checksum of `bytes`, computed without the processor's instruction for it.
    static func checksumFromTables(of bytes: Span<UInt8>) -> UInt32 {
        var crc = UInt32.max
        unsafe tables.withUnsafeBufferPointer { tables in
            unsafe bytes.withUnsafeBytes { bytes in
                var index = 0
                while index &+ 8 <= bytes.count {
                    let word = unsafe UInt64(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    )
                    let low = UInt32(truncatingIfNeeded: word) ^ crc
                    let high = UInt32(truncatingIfNeeded: word >> 32)
                    let first = unsafe tables[1792 &+ Int(low & 0xFF)] ^ tables[1536 &+ Int(low >> 8 & 0xFF)]
                    let second = unsafe tables[1280 &+ Int(low >> 16 & 0xFF)] ^ tables[1024 &+ Int(low >> 24)]
                    let third = unsafe tables[768 &+ Int(high & 0xFF)] ^ tables[512 &+ Int(high >> 8 & 0xFF)]
                    let fourth = unsafe tables[256 &+ Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
                    crc = first ^ second ^ third ^ fourth
                    index &+= 8
                }
                while index < bytes.count {
                    crc = unsafe crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
                    index &+= 1
                }
            }
        }
        return ~crc
    }
}
