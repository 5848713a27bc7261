// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4), to name body files by what they hold.
struct SHA256: Sendable {
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    private var state = State()
    /// The bytes of a block that is not full yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0
    private var words = [UInt32](repeating: 0, count: 64)

    private struct State {
        var a: UInt32 = 0x6a09_e667
        var b: UInt32 = 0xbb67_ae85
        var c: UInt32 = 0x3c6e_f372
        var d: UInt32 = 0xa54f_f53a
        var e: UInt32 = 0x510e_527f
        var f: UInt32 = 0x9b05_688c
        var g: UInt32 = 0x1f83_d9ab
        var h: UInt32 = 0x5be0_cd19
    }

    /// The hash of `bytes`, in lower-case hexadecimal.
    static func hexadecimal(of bytes: [UInt8]) -> String {
        let slice = bytes[...]
        var hash = SHA256()
        hash.append(slice.span)
        return hash.hexadecimal
    }

    /// Takes in what follows.
    mutating func append(_ bytes: Span<UInt8>) {
        count &+= UInt64(bytes.count)
        var index = 0
        if !rest.isEmpty {
            while rest.count < 64, index < bytes.count {
                rest.append(bytes[index])
                index += 1
            }
            guard rest.count == 64 else { return }
            let block = rest[...]
            Self.add(block.span, &state, &words)
            rest.removeAll(keepingCapacity: true)
        }
        let end = index + (bytes.count - index) & ~63
        Self.add(bytes.extracting(index..<end), &state, &words)
        for index in end..<bytes.count { rest.append(bytes[index]) }
    }

    /// The hash of all that was taken in, in lower-case hexadecimal.
    var hexadecimal: String {
        var padding: [UInt8] = [0x80]
        while (rest.count + padding.count) % 64 != 56 { padding.append(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            padding.append(UInt8(truncatingIfNeeded: (count &* 8) >> shift))
        }
        var hash = self
        let slice = padding[...]
        hash.append(slice.span)
        let state = hash.state
        return [state.a, state.b, state.c, state.d, state.e, state.f, state.g, state.h].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Takes in whole blocks.
    private static func add(_ blocks: Span<UInt8>, _ state: inout State, _ words: inout [UInt32]) {
        let constants = Self.constants[...]
        var start = 0
        while start < blocks.count {
            fill(&words, from: blocks.extracting(start..<start &+ 64))
            let schedule = words[...]
            mix(&state, schedule.span, constants.span)
            start &+= 64
        }
    }

    @inline(__always)
    private static func fill(_ words: inout [UInt32], from block: Span<UInt8>) {
        for index in 0..<8 {
            let two = block.word(at: 8 &* index).byteSwapped
            words[2 &* index] = UInt32(truncatingIfNeeded: two >> 32)
            words[2 &* index &+ 1] = UInt32(truncatingIfNeeded: two)
        }
        for index in 16..<64 {
            let (two, fifteen) = (words[index &- 2], words[index &- 15])
            let early = rotated(fifteen, 7) ^ rotated(fifteen, 18) ^ (fifteen >> 3)
            let late = rotated(two, 17) ^ rotated(two, 19) ^ (two >> 10)
            words[index] = words[index &- 16] &+ early &+ words[index &- 7] &+ late
        }
    }

    @inline(__always)
    private static func mix(_ state: inout State, _ words: Span<UInt32>, _ constants: Span<UInt32>) {
        var next = state
        for index in 0..<64 {
            let one = rotated(next.e, 6) ^ rotated(next.e, 11) ^ rotated(next.e, 25)
            let choice = (next.e & next.f) ^ (~next.e & next.g)
            let first = next.h &+ one &+ choice &+ constants[index] &+ words[index]
            let zero = rotated(next.a, 2) ^ rotated(next.a, 13) ^ rotated(next.a, 22)
            let second = zero &+ ((next.a & next.b) ^ (next.a & next.c) ^ (next.b & next.c))
            (next.h, next.g, next.f, next.e) = (next.g, next.f, next.e, next.d &+ first)
            (next.d, next.c, next.b, next.a) = (next.c, next.b, next.a, first &+ second)
        }
        state.a &+= next.a
        state.b &+= next.b
        state.c &+= next.c
        state.d &+= next.d
        state.e &+= next.e
        state.f &+= next.f
        state.g &+= next.g
        state.h &+= next.h
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
    }
}
