// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@Suite struct CanonicalQueryTests {
    @Test(arguments: [
        ("", ""),
        ("&&", ""),
        ("a", "a="),
        ("a=", "a="),
        ("=", "="),
        ("b=2&a=1", "a=1&b=2"),
        ("a=2&a=1", "a=1&a=2"),
        ("a=1&a=1", "a=1&a=1"),
        ("a=1&ab=0&a=0", "a=0&a=1&ab=0"),
        ("q=a+b", "q=a+b"),
        ("q=a%20b", "q=a+b"),
        ("q=a b", "q=a+b"),
        ("q=a%2Bb", "q=a%2Bb"),
        ("q=%61", "q=a"),
        ("q=a%26b%3Dc", "q=a%26b=c"),
        ("a%3Db=c", "a%3Db=c"),
        ("a=b=c", "a=b=c"),
        ("q=100%", "q=100%25"),
        ("q=%zz", "q=%25zz"),
        ("q=%c3%a9", "q=é"),
        ("q=/:?@", "q=/:?@"),
    ])
    func normalizesQueries(query: String, canonical: String) {
        #expect(canonicalQuery(query) == canonical)
        #expect(canonicalQuery(canonical) == canonical)
        if isCanonicalQuery(query) { #expect(query == canonical) }
    }

    @Test func recognizesCanonicalQueries() {
        for query in ["", "a=", "a=1&b=2", "a=1&a=1", "a=1&a=2&b=", "page=2"] {
            #expect(isCanonicalQuery(query), "\(query)")
        }
        for query in ["a", "a=1&", "&a=1", "b=1&a=1", "a=%61", "a=+", "a=2&a=1", "ab=&a=1", "a=1&&b=2"] {
            #expect(!isCanonicalQuery(query), "\(query)")
        }
    }

    @Test func isIdempotentForRandomQueries() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            var query = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                query.append("ab=&%+12 ".randomElement(using: &random) ?? "a")
            }
            let found = canonicalQuery(query)
            #expect(canonicalQuery(found) == found)
            #expect(isCanonicalQuery(query) == (found == query && !found.contains { "%+".contains($0) }))
        }
    }
}
