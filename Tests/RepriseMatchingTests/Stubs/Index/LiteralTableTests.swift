// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching

@Suite struct LiteralTableTests {
    @Test(arguments: [
        ([], []), (["a"], []), (["ab"], ["ab"]), (["ab", "c"], ["ab"]), (["ab", "cde"], ["cde"]),
        (["ab", "cd"], ["ab", "cd"]), (["abcdefgh"], ["abcdefgh"]),
        (["abcdefghij"], ["abcdefgh", "bcdefghi", "cdefghij"]),
        (["abcdefg"], ["abcdefg"]), (["abcdefghi", "12345678", "1234567"], ["abcdefgh", "bcdefghi", "12345678"]),
    ])
    func partsHaveTwoToEightBytes(literals: [String], parts: [String]) {
        let found = LiteralTable.parts(of: literals.map { Array($0.utf8) })
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == parts)
    }

    @Test(arguments: [
        ("", []), ("a", []), ("ab", [1]), ("xab", [1]), ("abx", [1]), ("abab", [1, 1]), ("abc", [1, 2]),
        ("xabcx", [1, 2]),
        ("bc", []),
    ])
    func partsAreFoundAtEachPlace(text: String, buckets: [Int32]) {
        var table = LiteralTable()
        #expect(table.isEmpty)
        #expect(table.insert(Array("ab".utf8)[...], bucket: 1) == 1)
        #expect(table.insert(Array("abc".utf8)[...], bucket: 2) == 2)
        #expect(table.insert(Array("ab".utf8)[...], bucket: 3) == 1)
        #expect(!table.isEmpty)
        var found: [Int32] = []
        let bytes = Array(text.utf8)
        table.forEachBucket(in: bytes.span) { found.append($0) }
        #expect(found == buckets)
    }
}
