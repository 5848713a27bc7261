// SPDX-License-Identifier: Apache-2.0

/// Well-formed UTF-8 byte sequences (RFC 3629 section 4).
package enum UTF8Sequence {
    /// Returns the number of bytes of the character at `index`, or 0 if it is not well-formed.
    @inlinable
    package static func length(at index: Int, in bytes: Span<UInt8>) -> Int {
        let first = bytes[index]
        switch first {
        case 0...0x7F: return 1
        case 0xC2...0xDF: return tail(1, after: index, in: bytes, second: 0x80...0xBF)
        case 0xE0: return tail(2, after: index, in: bytes, second: 0xA0...0xBF)
        case 0xED: return tail(2, after: index, in: bytes, second: 0x80...0x9F)
        case 0xE1...0xEF: return tail(2, after: index, in: bytes, second: 0x80...0xBF)
        case 0xF0: return tail(3, after: index, in: bytes, second: 0x90...0xBF)
        case 0xF1...0xF3: return tail(3, after: index, in: bytes, second: 0x80...0xBF)
        case 0xF4: return tail(3, after: index, in: bytes, second: 0x80...0x8F)
        default: return 0
        }
    }

    /// Whether all of `bytes` is well-formed.
    package static func isValid(_ bytes: [UInt8]) -> Bool {
        let slice = bytes[...]
        return isValid(slice.span)
    }

    /// Whether all of `bytes` is well-formed.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            // Most text is ASCII.
            while index &+ 8 <= bytes.count, bytes.word(at: index) & 0x8080_8080_8080_8080 == 0 { index &+= 8 }
            guard index < bytes.count else { return true }
            if bytes[index] < 0x80 {
                index &+= 1
                continue
            }
            let length = length(at: index, in: bytes)
            guard length > 0 else { return false }
            index &+= length
        }
        return true
    }

    @inlinable @inline(__always)
    static func tail(
        _ count: Int,
        after index: Int,
        in bytes: Span<UInt8>,
        second: ClosedRange<UInt8>
    ) -> Int {
        guard index + count < bytes.count, second.contains(bytes[index + 1]) else { return 0 }
        if count >= 2, bytes[index + 2] & 0xC0 != 0x80 { return 0 }
        if count >= 3, bytes[index + 3] & 0xC0 != 0x80 { return 0 }
        return count + 1
    }
}
