// SPDX-License-Identifier: Apache-2.0

/// A fast hash of short byte strings. Only fixtures fill the tables that use it, so it need not resist hostile
/// requests.
enum ByteHash {
    /// Returns the hash of `bytes` in the namespace `parent`.
    @inline(__always)
    static func hash(_ bytes: Span<UInt8>, parent: Int32) -> UInt32 {
        let count = bytes.count
        let seed = UInt64(UInt32(bitPattern: parent)) << 32 ^ UInt64(truncatingIfNeeded: count)
        var hash = seed &+ 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index &+ 8 <= count {
            hash = mix(hash ^ word(bytes, index))
            index &+= 8
        }
        var tail: UInt64 = 0
        while index < count {
            tail = tail &<< 8 | UInt64(bytes[index])
            index &+= 1
        }
        hash = mix(mix(hash ^ tail) ^ 0xD6E8_FEB8_6659_FD93)
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }

    @inline(__always)
    private static func word(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
        // Written without a loop so that the compiler emits a single load.
        let low =
            UInt64(bytes[index]) | UInt64(bytes[index &+ 1]) &<< 8 | UInt64(bytes[index &+ 2]) &<< 16
            | UInt64(bytes[index &+ 3]) &<< 24
        let high =
            UInt64(bytes[index &+ 4]) | UInt64(bytes[index &+ 5]) &<< 8 | UInt64(bytes[index &+ 6]) &<< 16
            | UInt64(bytes[index &+ 7]) &<< 24
        return low | high &<< 32
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        return product.high ^ product.low
    }
}
