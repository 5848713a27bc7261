// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct RequestPatternTests {
    @Test(arguments: [
        ("https://API.example.com/a", "api.example.com"),
        ("https://api.example.com:443/a", "api.example.com"),
        ("http://api.example.com:80", "api.example.com"),
        ("http://api.example.com:443/", "api.example.com:443"),
        ("https://api.example.com:8443/", "api.example.com:8443"),
        ("https://user:secret@api.example.com/", "api.example.com"),
        ("http://[::1]:80/", "[::1]"),
        ("http://[::1]:8080/", "[::1]:8080"),
        ("http://localhost:/", "localhost"),
        ("/a", nil),
        ("/go?to=http://example.com/", nil),
    ])
    func derivesHostFromURL(url: String, host: String?) {
        let pattern = RequestPattern(recorded: "GET", url)
        #expect(pattern.host.map { String(decoding: $0, as: UTF8.self) } == host)
    }

    @Test(arguments: [
        ("https://example.com", "GET /"),
        ("https://example.com?a", "GET /?a="),
        ("https://example.com/a%7eb?b=2&a=1#top", "GET /a~b?a=1&b=2"),
        ("/a?q=%00%1B%5B2J", "GET /a?q=\\x00\\x1B[2J"),
        ("*", "GET *"),
    ])
    func summarizesRequest(url: String, summary: String) {
        #expect(RequestPattern(recorded: "GET", url).summary == summary)
    }

    @Test(arguments: [
        ("application/json", #"{"a": 1.0}"#, BodyPattern.equal(.json, Array(#"{"a":1}"#.utf8))),
        ("application/vnd.api+json; charset=utf-8", "1.0", .equal(.json, [0x31])),
        ("application/x-www-form-urlencoded", #"{"a":1}"#, .equal(.json, Array(#"{"a":1}"#.utf8))),
        ("application/x-www-form-urlencoded", "b=2&a=%31", .equal(.form, Array("a=1&b=2".utf8))),
        ("text/plain", "b=2&a=%31", .equal(.bytes, Array("b=2&a=%31".utf8))),
        ("text/plain", "1.0", .equal(.bytes, Array("1.0".utf8))),
        ("application/json", "{", .equal(.bytes, Array("{".utf8))),
        ("application/json", "", .none),
        (
            "multipart/form-data; boundary=x", "--x\r\nA: b\r\n\r\nc\r\n--x--\r\n",
            .equal(.multipart, Array("a:b\n\n1\nc\n".utf8))
        ),
        ("multipart/form-data; boundary=x", "--y", .equal(.bytes, Array("--y".utf8))),
    ])
    func choosesBodyFormatByMediaType(type: String, body: String, pattern: BodyPattern) {
        #expect(BodyPattern(recorded: Array(body.utf8), contentType: Array(type.utf8)) == pattern)
    }

    @Test func keepsConfiguredHeaders() throws {
        let lines = try ["Accept: a", "X-Tenant: b"].map { try #require(HeaderLine($0)) }
        let pattern = RequestPattern(recorded: "GET", "/", headers: lines)
        #expect(pattern.headers == lines)
        #expect(pattern.keepingHeaders(["x-tenant"]).headers == [lines[1]])
        #expect(pattern.keepingHeaders([]).headers.isEmpty)
    }

    @Test(arguments: [
        ("/users/42", "/users/42"), ("/users/{id}/posts", "/users/{id}/posts"), ("/", "/"), ("/a/", "/a/"),
        ("/{a}/", "/{a}/"), ("/my file", "/my%20file"), ("/{a}/é", "/{a}/%C3%A9"),
    ])
    func parsesRoutePaths(path: String, text: String) throws {
        let pattern = try RequestPattern(method: "GET", routePath: path)
        #expect(pattern.summary == "GET \(text)")
        #expect(pattern.query == nil && pattern.body == .any && pattern.host == nil)
    }

    @Test(arguments: [
        ("users", "expected a path that starts with '/', found 'users'"),
        ("", "expected a path that starts with '/', found ''"),
        ("/a{id}", "expected '{name}' as a whole segment, found 'a{id}'"),
        ("/{}", "expected '{name}' as a whole segment, found '{}'"),
        ("/{id", "expected '{name}' as a whole segment, found '{id'"),
        ("/{", "expected '{name}' as a whole segment, found '{'"),
        ("/{a}{b}", "expected '{name}' as a whole segment, found '{a}{b}'"),
        ("/{id}/{id}", "expected each name once in '/{id}/{id}', found '{id}' again"),
    ])
    func rejectsInvalidRoutePaths(path: String, message: String) {
        #expect(throws: RoutePathError(message: message)) { try RequestPattern(method: "GET", routePath: path) }
    }

    @Test(arguments: [true, false], [true, false])
    func comparesUTF16BodyAsJSON(isLittleEndian: Bool, hasMark: Bool) {
        let text = #"{"b": "ä😀", "a": 1}"#
        let wide = ((hasMark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isLittleEndian ? bytes : bytes.reversed()
        }
        let type = Array("application/json".utf8)
        let pattern = BodyPattern(recorded: wide, contentType: type)
        #expect(pattern == BodyPattern(recorded: Array(text.utf8), contentType: type))
        #expect(pattern != BodyPattern(recorded: Array(wide.dropLast(2)), contentType: type))
    }
}
