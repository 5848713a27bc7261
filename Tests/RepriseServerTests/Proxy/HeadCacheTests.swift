// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseServer

@Suite struct HeadCacheTests {
    private func value(_ heads: inout HeadCache<Int>, _ head: String, makes new: Int) -> Int {
        let bytes = Array(head.utf8)
        return heads.value(for: bytes.span) { new }
    }

    @Test func keepsValueOfRepeatedHead() {
        var heads = HeadCache<Int>()
        let head = "GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n"
        #expect(value(&heads, head, makes: 1) == 1)
        #expect(value(&heads, head, makes: 2) == 2)
        #expect(value(&heads, head, makes: 3) == 2)
        // A head that differs in a single byte is another one.
        #expect(value(&heads, head.replacing("a.example", with: "A.example"), makes: 4) == 4)
        #expect(value(&heads, head, makes: 5) == 2)
    }

    @Test func doesNotKeepLongHead() {
        var heads = HeadCache<Int>()
        let head = "GET /\(String(repeating: "a", count: 5000)) HTTP/1.1\r\n\r\n"
        for number in 1...3 { #expect(value(&heads, head, makes: number) == number) }
    }

    /// Each value was made from the head for which it is returned, whatever the cache contains.
    @Test func neverMixesHeads() {
        var random = SeededGenerator(seed: 1)
        var heads = HeadCache<String>()
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<400, using: &random)
            let head = Array("GET /items/\(number) HTTP/1.1\r\nX: \(number % 7)\r\n\r\n".utf8)
            let value = heads.value(for: head.span) { String(decoding: head, as: UTF8.self) }
            #expect(value == String(decoding: head, as: UTF8.self))
        }
    }
}
