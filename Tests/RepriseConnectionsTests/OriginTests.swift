// SPDX-License-Identifier: Apache-2.0

import RepriseConnections
import Testing

@Suite struct OriginTests {
    @Test(arguments: [
        ("http", "a.example", false, "a.example", 80), ("https", "a.example", true, "a.example", 443),
        ("HTTPS", "A.example:8443", true, "a.example", 8443), ("http", "127.0.0.1:1", false, "127.0.0.1", 1),
        ("http", "[::1]", false, "::1", 80), ("https", "[2001:DB8::1]:444", true, "2001:db8::1", 444),
        ("http", "a.example:", false, "a.example", 80),
    ])
    func parsesSchemeAndAuthority(scheme: String, authority: String, isSecure: Bool, host: String, port: UInt16) {
        #expect(
            Origin(scheme: scheme, authority: authority) == Origin(isSecure: isSecure, host: host, port: port)
        )
    }

    @Test(arguments: [
        ("ftp", "a.example"), ("http", ""), ("http", ":80"), ("http", "a b"), ("http", "u@a.example"), ("http", "[::1"),
        ("http", "a:65536"), ("http", "a:0"), ("http", "a:-1"), ("http", "a:b"), ("http", "a/b"),
    ])
    func rejectsInvalidSchemeOrAuthority(scheme: String, authority: String) {
        #expect(Origin(scheme: scheme, authority: authority) == nil)
    }
}
