// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@Suite struct AuthoritySyntaxTests {
    @Test(arguments: [
        "localhost", "a.example", "a.example:80", "a.example:", "127.0.0.1:65535", "under_score", "a-b~c.d", "x%41y",
        "h:00080",
        "[::]", "[::1]", "[::1]:8080", "[1:2:3:4:5:6:7:8]", "[1::8]", "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]",
        "[fe80::abcd:EF01]", "[::ffff:192.0.2.1]", "[1:2:3:4:5:6:1.2.3.4]", "[v1.a:b]", "!$&'()*+;=",
    ])
    func acceptsValidAuthority(_ authority: String) { #expect(isValid(authority)) }

    @Test(arguments: [
        "", ":", ":80", "a,b", "a b", "a/b", "a@b", "a?b", "a#b", "a\\b", "a:b", "a:80x", "a:65536", "a:-1", "a:1:2",
        "a%4",
        "a%zz", "a\"", "a<", "[", "[]", "[::1", "::1", "[::1]x", "[::1]]", "[:1]", "[1:]", "[1:2]", "[1::2::3]",
        "[:::]", "[12345::]",
        "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]", "[g::]", "[::1.2.3]", "[::1.2.3.256]", "[::1.2.3.4.5]",
        "[1.2.3.4::]",
        "[::1%25eth0]", "[v.a]", "[v1.]", "[v1a]", "\u{E9}", "a\u{0}", "a\t", "99999999999999999999:80:",
    ])
    func rejectsInvalidAuthority(_ authority: String) { #expect(!isValid(authority)) }

    @Test(arguments: [("h:1", true), ("[::1]:443", true), ("h", false), ("h:", false), ("[::1]", false)])
    func rejectsMissingPortIfRequired(_ authority: String, isAccepted: Bool) {
        #expect(isValid(authority, requiresPort: true) == isAccepted)
    }

    private func isValid(_ authority: String, requiresPort: Bool = false) -> Bool {
        let input = bytes(authority)
        return AuthoritySyntax.isValid(0..<input.count, of: input.span, requiresPort: requiresPort)
    }
}
