// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import Reprise

@Suite struct URLReferenceTests {
    /// The base, the references, and their targets in the examples of RFC 3986 section 5.4.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("HTTPS://x:1/y", "https://x:1/y"),
        // A combining accent after a slash or a dot does not hide it.
        ("/x/\u{301}/../g", "http://a/x/g"), ("/x/../\u{301}g", "http://a/\u{301}g"),
        ("./\u{301}", "http://a/b/c/\u{301}"),
        ("/x/.\u{301}/g", "http://a/x/.\u{301}/g"),
    ])
    func resolves(_ reference: String, to expected: String) {
        let target = URLReference(reference).resolved(against: URLReference("http://a/b/c/d;p?q"))
        #expect(target.text == expected)
    }

    @Test func hidesUserNameBeforeAccent() {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "ada:pw@\u{301}h", path: "/")
        #expect(request.shownURL == "http://\u{301}h/")
    }
}
