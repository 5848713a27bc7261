// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct RedactionTests {
    @Test(arguments: [
        ("Authorization: Bearer abc", "Authorization: [redacted]"),
        ("authorization:Basic dXNlcjpwYXNz", "authorization:[redacted]"),
        ("Proxy-Authorization:  Basic x ", "Proxy-Authorization:  [redacted] "),
        ("X-Api-Key: 1", "X-Api-Key: [redacted]"),
        ("X-Auth-Token: 1", "X-Auth-Token: [redacted]"),
        ("Cookie: a=1; b=2;c=; d", "Cookie: a=[redacted]; b=[redacted];c=; [redacted]"),
        ("Cookie: theme=dark; sid=abcd; locale=en_US", "Cookie: theme=dark; sid=[redacted]; locale=en_US"),
        ("Cookie: session=demo; auth_hint=yes", "Cookie: session=[redacted]; auth_hint=[redacted]"),
        ("Cookie: theme=dark-mode; t=qxzvkwjq", "Cookie: theme=[redacted]; t=[redacted]"),
        (
            "Cookie: cookie_consent=accepted; tz=Europe%2FBerlin; consent=x7Rk2mT9vLpW4nB8",
            "Cookie: cookie_consent=accepted; tz=Europe%2FBerlin; consent=[redacted]"
        ),
        ("Set-Cookie: lang=de; Path=/", "Set-Cookie: lang=de; Path=/"),
        ("Cookie: a=x=y", "Cookie: a=[redacted]"),
        ("Set-Cookie: sid=abc; Path=/; HttpOnly", "Set-Cookie: sid=[redacted]; Path=/; HttpOnly"),
        ("set-cookie: sid=; Max-Age=0", "set-cookie: sid=; Max-Age=0"),
        ("Cookie: csrftoken=x7Rk2mT9vL; sid=x7Rk2mT9vL", "Cookie: csrftoken=x7Rk2mT9vL; sid=[redacted]"),
        (
            "Location: /cb?code=1&access_token=abc#id_token=x&state=2",
            "Location: /cb?code=1&access_token=%5Bredacted%5D#id_token=%5Bredacted%5D&state=2"
        ),
        ("Referer: https://u:p@x.example/a?b=1", "Referer: https://u:%5Bredacted%5D@x.example/a?b=1"),
        (
            #"Link: <https://x/?api_key=a&page=2>; rel="next", </?page=9>; rel="last""#,
            #"Link: <https://x/?api_key=%5Bredacted%5D&page=2>; rel="next", </?page=9>; rel="last""#
        ),
        ("Refresh: 5; url=/x?password=1", "Refresh: 5; url=/x?password=%5Bredacted%5D"),
        ("X-Debug: key sk-abcdefghijklmnop1234, ok", "X-Debug: key [redacted], ok"),
        ("Authorization: [redacted]", "Authorization: [redacted]"),
        ("Authorization: [redacted:alice]", "Authorization: [redacted:alice]"),
        ("X-Note: a\u{FF}b", "X-Note: a\u{FF}b"),
    ])
    func redactsHeaderLines(line: String, expected: String) throws {
        let line = try #require(HeaderLine(line))
        let redacted = Redaction.standard.redacted([line])
        #expect(redacted.map { String(decoding: $0.bytes, as: UTF8.self) } == [expected])
        #expect(Redaction.standard.redacted(redacted) == redacted)
    }

    @Test(arguments: [
        "Content-Length: 5", "X-CSRF-Token: abc", "ETag: \"abc\"", "WWW-Authenticate: Basic realm=\"x\"",
        "Authorization:",
        "X-Max-Tokens: 5", "Location: https://x.example/a?page=2#part", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Cookie:", "Link: </>; rel=next",
    ])
    func leavesOtherHeaderLinesUnchanged(line: String) throws {
        let line = try #require(HeaderLine(line))
        #expect(Redaction.standard.redacted([line]) == [line])
    }

    @Test(arguments: [
        ("https://x.example/a?api_key=abc&page=2", "https://x.example/a?api_key=[redacted]&page=2"),
        ("/a?q=1&password=a%20b&apiKey=", "/a?q=1&password=[redacted]&apiKey="),
        ("/a?user%5Bpassword%5D=x", "/a?user%5Bpassword%5D=[redacted]"),
        ("/a?key=AIzaSyA1234567890abcdefghijklmnopqrstu", "/a?key=[redacted]"),
        ("/verify/check?code=4821&a=b", "/verify/check?code=[redacted]&a=b"),
        ("/errors?code=4821", "/errors?code=4821"),
        ("/a?key=0123456789abcdef0123&token=short", "/a?key=[redacted]&token=short"),
        ("https://alice:secret@x.example:8080/", "https://alice:%5Bredacted%5D@x.example:8080/"),
        ("https://ghp_abcdefghijklmnopqrstuvwxyz0123456789@x.example/", "https://%5Bredacted%5D@x.example/"),
        ("/files/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl/x", "/files/[redacted]/x"),
        ("/a?to=x%20sk-abcdefghijklmnop1234", "/a?to=x%20[redacted]"),
        ("/a?to=sk%2Dabcdefghijklmnop1234", "/a?to=[redacted]"),
        ("https://x.example/a/sk%2Dabcdefghijklmnop1234/b?c=1", "https://x.example/a/[redacted]/b?c=1"),
        ("/sk-abcdefghijklmnop1234/sk%2Dabcdefghijklmnop1234", "/[redacted]/[redacted]"),
        (
            "/s3?X-Amz-Credential=AKIAABCDEFGHIJKLMNOP%2F2026&X-Amz-Signature=00ff&X-Amz-Date=1",
            "/s3?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&X-Amz-Date=1"
        ),
        ("https://x.example?password=1", "https://x.example?password=[redacted]"),
        ("*", "*"), ("x.example:443", "x.example:443"), ("/", "/"),
    ])
    func redactsURLs(url: String, expected: String) {
        let redacted = Redaction.standard.redacted(RecordedRequest(method: "GET", url: url))
        #expect(redacted.url == expected)
        #expect(RecordedURL.fault(of: redacted.url, method: "CONNECT") == RecordedURL.fault(of: url, method: "CONNECT"))
        #expect(Redaction.standard.redacted(redacted) == redacted)
    }

    @Test(arguments: [
        ("GET /a?api_key=hunter2&b=1 HTTP/1.1", "GET /a?api_key=[redacted]&b=1 HTTP/1.1"),
        ("GET /a?password=hunter2", "GET /a?password=[redacted]"),
        ("GET /a b?password=hunter2 HTTP/1.1", "GET /a b?password=[redacted] HTTP/1.1"),
        ("GET / HTTP/1.1", "GET / HTTP/1.1"), ("GET", "GET"), ("", ""), (" ", " "),
    ])
    func redactsRequestLines(line: String, expected: String) {
        let redacted = Redaction.standard.redacted(requestLine: Array(line.utf8))
        #expect(String(decoding: redacted, as: UTF8.self) == expected)
    }

    @Test(arguments: ["/a?max_tokens=5&nextPageToken=abcdefghijklmnopqrst&csrf_token=abcdefghijklmnop", "/a?key=foo&b"])
    func leavesOtherURLsUnchanged(url: String) {
        let request = RecordedRequest(method: "GET", url: url)
        #expect(Redaction.standard.redacted(request) == request)
    }
}
