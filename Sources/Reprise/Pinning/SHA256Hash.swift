// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    private import RepriseIO
#else
    private import CryptoKit
#endif

/// SHA-256 (FIPS 180-4), as the platform has it.
enum SHA256Hash {
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        #if os(Linux)
            TLSPins.sha256(of: bytes)
        #else
            Array(SHA256.hash(data: bytes))
        #endif
    }
}
