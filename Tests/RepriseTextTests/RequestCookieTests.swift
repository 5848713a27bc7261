// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@Suite struct RequestCookieTests {
    /// What WireMock 2.35.1 reads, except for the last two rows: WireMock reads on behind the quotation mark, and drops
    /// cookies with other than ASCII characters.
    @Test(arguments: [
        (#"a="b c""#, ["a:b c"]), ("a=b c", ["a:b c"]), (#"a=b"c"#, [#"a:b"c"#]), (#"a="b\"c""#, [#"a:b"c"#]),
        (#"a="b;c"; b=1"#, ["a:b;c", "b:1"]), (#"a="b"#, [#"a:"b"#]), (#"a=b""#, [#"a:b""#]), (#"a="""#, ["a:"]),
        (#"a=" x "; b=2"#, ["a: x ", "b:2"]), ("a=1;b=2", ["a:1", "b:2"]), (" a = 1 ;\tb = 2 ", ["a:1", "b:2"]),
        ("a", []), ("a=", ["a:"]), ("=x; b=1", ["b:1"]), ("a=1; a=2", ["a:1", "a:2"]), ("a=1, b=2", ["a:1, b=2"]),
        (#"$Version=1; a="b"; $Path="/""#, ["a:b"]), ("a=b=c", ["a:b=c"]), (#"a="b\\c""#, [#"a:b\c"#]),
        ("a=1;;b=2", ["a:1", "b:2"]), ("a;b=3", ["b:3"]), (#"a="b c" ; b="1""#, ["a:b c", "b:1"]), ("", []), (";", []),
        (#"a="b\"#, [#"a:"b\"#]), (#"a="\"#, [#"a:"\"#]),
        (#"a="b"c; b=1"#, [#"a:"b"c"#, "b:1"]), ("a=é", ["a:é"]),
    ])
    func readsCookies(field: String, expected: [String]) {
        let cookies = RequestCookie.cookies(in: Array("Cookie: \(field)".utf8)[8...])
        let found = cookies.map {
            "\(String(decoding: $0.name, as: UTF8.self)):\(String(decoding: $0.value, as: UTF8.self))"
        }
        #expect(found == expected)
    }
}
