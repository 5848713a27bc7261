// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching

@Suite struct CanonicalPathTests {
    @Test(arguments: [
        ("/users/42", "/users/42"),
        ("", "/"),
        ("/", "/"),
        ("/%7Euser", "/~user"),
        ("/%61%2D%2E%5F", "/a-._"),
        ("/a%2fb", "/a%2Fb"),
        ("/a%2Cb", "/a%2Cb"),
        ("/a,b", "/a,b"),
        ("/users/", "/users/"),
        ("//a", "//a"),
        ("/a/../b/./c", "/a/../b/./c"),
        ("/a/%2e%2e/b", "/a/../b"),
        ("/a b", "/a%20b"),
        ("/é", "/%C3%A9"),
        ("/%c3%a9", "/%C3%A9"),
        ("/100%", "/100%25"),
        ("/%zz", "/%25zz"),
        ("/%2", "/%252"),
        ("/a|b", "/a%7Cb"),
        ("/a?b#c", "/a%3Fb%23c"),
        ("/!$&'()*+,;=:@-._~", "/!$&'()*+,;=:@-._~"),
        ("*", "*"),
    ])
    func normalizesPaths(path: String, canonical: String) {
        #expect(canonicalPath(path) == canonical)
        #expect(canonicalPath(canonical) == canonical)
        #expect(isCanonicalPath(canonical) == !canonical.contains("%"))
    }

    @Test func encodesEveryByte() {
        let path = (0...255).map { UInt8($0) }
        let found = CanonicalPath.canonical(path.span)
        #expect(found.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        let again = CanonicalPath.canonical(found.span)
        #expect(again == found)
    }
}
