// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4), to name body files by what they hold.
package struct SHA256: Sendable {
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

    package init() {}

    /// The hash of `bytes`, in lower-case hexadecimal.
    package static func hexadecimal(of bytes: [UInt8]) -> String {
        let slice = bytes[...]
        var hash = SHA256()
        hash.append(slice.span)
        return hash.hexadecimal
    }

    /// Takes in what follows.
    package mutating func append(_ bytes: Span<UInt8>) {
        count &+= UInt64(bytes.count)
        var index = 0
        if !rest.isEmpty {
            while rest.count < 64, index < bytes.count {
                rest.append(bytes[index])
                index += 1
            }
            guard rest.count == 64 else { return }
            let block = rest[...]
            Self.add(block.span, &state)
            rest.removeAll(keepingCapacity: true)
        }
        let end = index + (bytes.count - index) & ~63
        Self.add(bytes.extracting(index..<end), &state)
        for index in end..<bytes.count { rest.append(bytes[index]) }
    }

    /// The hash of all that was taken in, in lower-case hexadecimal.
    package var hexadecimal: String {
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
    private static func add(_ blocks: Span<UInt8>, _ state: inout State) {
        let constants = Self.constants[...]
        var start = 0
        while start < blocks.count {
            var words = Words(blocks.extracting(start..<start &+ 64))
            var next = state
            next.mix(words, constants.span.extracting(0..<16))
            for round in 1..<4 {
                words.advance()
                next.mix(words, constants.span.extracting(16 &* round..<16 &* round &+ 16))
            }
            state.add(next)
            start &+= 64
        }
    }
}

/// The eight words that are mixed.
private struct State {
    var a: UInt32 = 0x6a09_e667
    var b: UInt32 = 0xbb67_ae85
    var c: UInt32 = 0x3c6e_f372
    var d: UInt32 = 0xa54f_f53a
    var e: UInt32 = 0x510e_527f
    var f: UInt32 = 0x9b05_688c
    var g: UInt32 = 0x1f83_d9ab
    var h: UInt32 = 0x5be0_cd19

    @inline(__always)
    mutating func add(_ other: State) {
        a &+= other.a
        b &+= other.b
        c &+= other.c
        d &+= other.d
        e &+= other.e
        f &+= other.f
        g &+= other.g
        h &+= other.h
    }

    /// Sixteen rounds. Instead of moving the words on, each round takes them shifted by one.
    @inline(__always)
    mutating func mix(_ w: Words, _ k: Span<UInt32>) {
        round(a, b, c, &d, e, f, g, &h, w.w0 &+ k[0])
        round(h, a, b, &c, d, e, f, &g, w.w1 &+ k[1])
        round(g, h, a, &b, c, d, e, &f, w.w2 &+ k[2])
        round(f, g, h, &a, b, c, d, &e, w.w3 &+ k[3])
        round(e, f, g, &h, a, b, c, &d, w.w4 &+ k[4])
        round(d, e, f, &g, h, a, b, &c, w.w5 &+ k[5])
        round(c, d, e, &f, g, h, a, &b, w.w6 &+ k[6])
        round(b, c, d, &e, f, g, h, &a, w.w7 &+ k[7])
        round(a, b, c, &d, e, f, g, &h, w.w8 &+ k[8])
        round(h, a, b, &c, d, e, f, &g, w.w9 &+ k[9])
        round(g, h, a, &b, c, d, e, &f, w.w10 &+ k[10])
        round(f, g, h, &a, b, c, d, &e, w.w11 &+ k[11])
        round(e, f, g, &h, a, b, c, &d, w.w12 &+ k[12])
        round(d, e, f, &g, h, a, b, &c, w.w13 &+ k[13])
        round(c, d, e, &f, g, h, a, &b, w.w14 &+ k[14])
        round(b, c, d, &e, f, g, h, &a, w.w15 &+ k[15])
    }
}

@inline(__always)
private func round(
    _ a: UInt32,
    _ b: UInt32,
    _ c: UInt32,
    _ d: inout UInt32,
    _ e: UInt32,
    _ f: UInt32,
    _ g: UInt32,
    _ h: inout UInt32,
    _ input: UInt32
) {
    let one = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    let first = h &+ one &+ (g ^ (e & (f ^ g))) &+ input
    let zero = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    d &+= first
    h = first &+ zero &+ ((a & b) | (c & (a | b)))
}

/// The sixteen words of the message schedule that a round looks at. Fields, since the elements of an array are checked.
private struct Words {
    var w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15: UInt32

    @inline(__always)
    init(_ block: Span<UInt8>) {
        (w0, w1) = Self.two(block, 0)
        (w2, w3) = Self.two(block, 8)
        (w4, w5) = Self.two(block, 16)
        (w6, w7) = Self.two(block, 24)
        (w8, w9) = Self.two(block, 32)
        (w10, w11) = Self.two(block, 40)
        (w12, w13) = Self.two(block, 48)
        (w14, w15) = Self.two(block, 56)
    }

    @inline(__always)
    private static func two(_ block: Span<UInt8>, _ index: Int) -> (UInt32, UInt32) {
        let word = block.word(at: index).byteSwapped
        return (UInt32(truncatingIfNeeded: word >> 32), UInt32(truncatingIfNeeded: word))
    }

    /// The sixteen words that follow.
    @inline(__always)
    mutating func advance() {
        next(&w0, w1, w9, w14)
        next(&w1, w2, w10, w15)
        next(&w2, w3, w11, w0)
        next(&w3, w4, w12, w1)
        next(&w4, w5, w13, w2)
        next(&w5, w6, w14, w3)
        next(&w6, w7, w15, w4)
        next(&w7, w8, w0, w5)
        next(&w8, w9, w1, w6)
        next(&w9, w10, w2, w7)
        next(&w10, w11, w3, w8)
        next(&w11, w12, w4, w9)
        next(&w12, w13, w5, w10)
        next(&w13, w14, w6, w11)
        next(&w14, w15, w7, w12)
        next(&w15, w0, w8, w13)
    }
}

@inline(__always)
private func next(_ word: inout UInt32, _ fifteen: UInt32, _ seven: UInt32, _ two: UInt32) {
    let early = rotated(fifteen, 7) ^ rotated(fifteen, 18) ^ (fifteen &>> 3)
    let late = rotated(two, 17) ^ rotated(two, 19) ^ (two &>> 10)
    word = word &+ early &+ seven &+ late
}

@inline(__always)
private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
}
