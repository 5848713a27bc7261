// SPDX-License-Identifier: Apache-2.0

import RepriseHashing
import Testing

/// The examples of FIPS 180-4, and hashes of data in pieces.
struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func matchesExamplesOfStandard(text: String, hash: String) {
        #expect(SHA256.hexadecimal(of: Array(text.utf8)) == hash)
    }

    @Test(arguments: [1, 63, 64, 65, 1000]) func hashesPiecesLikeWhole(size: Int) {
        let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0) }
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            hash.append(piece.span)
        }
        #expect(hash.hexadecimal == SHA256.hexadecimal(of: bytes))
    }

    @Test func copyIsIndependentOfOriginal() {
        let (start, end) = (Array("ab".utf8)[...], Array("c".utf8)[...])
        var whole = SHA256()
        whole.append(start.span)
        let copy = whole
        whole.append(end.span)
        #expect(copy.hexadecimal == SHA256.hexadecimal(of: Array("ab".utf8)))
        #expect(whole.hexadecimal == SHA256.hexadecimal(of: Array("abc".utf8)))
        #expect(whole.hexadecimal == whole.hexadecimal)
    }
}
