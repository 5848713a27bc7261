// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("a.example", "a.example", nil), ("a.example:80", "a.example", "80"), ("a.example:", "a.example", ""),
            ("a.example:x", "a.example", "x"), ("[::1]", "[::1]", nil), ("[::1]:8080", "[::1]", "8080"),
            (":80", "", "80"),
            ("", "", nil), ("[::1", "[:", "1"), ("[::1]x", "[::1]x", nil),
        ] as [(String, String, String?)]
    )
    func splitsAtColonOfPort(authority: String, host: String, port: String?) {
        let parts = HostAndPort(authority[...])
        #expect(parts.host == host)
        #expect(parts.port.map { String($0) } == port)
    }

    @Test(arguments: [
        ("A.Example", "a.example"), ("a.example.", "a.example"), ("[FE80::1]", "fe80::1"), ("::1", "::1"), ("", ""),
        ("[", "["), ("[]", ""), ("[a", "[a"),
    ])
    func comparesHostsWithoutBracketsAndFinalDot(host: String, name: String) {
        #expect(HostAndPort.name(host) == name)
    }
}
