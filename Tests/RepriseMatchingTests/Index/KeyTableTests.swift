// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching

@Suite struct KeyTableTests {
    @Test func keepsFirstValueOfKey() {
        var table = KeyTable()
        let keys = (0..<3000).map { Array("key/\($0 % 1000)".utf8) }
        for (number, key) in keys.enumerated() {
            let value = table.insert(key[...], parent: 0, value: Int32(number))
            #expect(value == Int32(number % 1000))
        }
        #expect(table.count == 1000)
        #expect(table.key(999) == Array("key/999".utf8)[...])
        #expect(table.value(of: "key/1000") == nil)
        #expect(table.value(of: "") == nil)
    }

    @Test(arguments: 0..<40)
    func findsKeysOfAnyLength(length: Int) {
        var table = KeyTable()
        let key = (0..<length).map { UInt8($0) }
        _ = table.insert(key[...], value: 1)
        for index in key.indices {
            var other = key
            other[index] ^= 0x80
            #expect(table.value(of: other) == nil)
            #expect(table.value(of: Array(key[..<index])) == nil)
        }
        #expect(table.value(of: key) == 1)
        #expect(table.value(of: key + [0]) == nil)
        #expect(table.value(of: key, parent: 1) == nil)
    }

    @Test func distinguishesKeysWithEqualHash() throws {
        // Of 300,000 hashes of 32 bits, some are equal.
        let key = Array("x".utf8)
        var parents: [UInt32: Int32] = [:]
        var pair: (Int32, Int32)?
        for parent in 0..<300_000 as Range<Int32> where pair == nil {
            let hash = ByteHash.hash(key.span, parent: parent)
            if let other = parents.updateValue(parent, forKey: hash) { pair = (other, parent) }
        }
        let (one, other) = try #require(pair)
        var table = KeyTable()
        _ = table.insert(key[...], parent: one, value: 1)
        #expect(table.value(of: key, parent: other) == nil)
        _ = table.insert(key[...], parent: other, value: 2)
        #expect(table.value(of: key, parent: one) == 1)
        #expect(table.value(of: key, parent: other) == 2)
    }
}

extension KeyTable {
    fileprivate func value(of key: [UInt8], parent: Int32 = 0) -> Int32? {
        value(of: key.span, parent: parent)
    }

    fileprivate func value(of key: String) -> Int32? {
        value(of: Array(key.utf8))
    }
}
