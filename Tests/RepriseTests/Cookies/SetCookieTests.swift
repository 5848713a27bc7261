// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import RepriseText
import Testing

@testable import Reprise

@Suite struct SetCookieTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func place(_ url: String) -> CookiePlace? {
        let reference = URLReference(url)
        let path = reference.query.map { "\(reference.path)?\($0)" } ?? String(reference.path)
        return CookiePlace(
            HTTPRequest(method: .get, scheme: reference.scheme, authority: reference.authority, path: path)
        )
    }

    private func cookie(_ text: String, from url: String = "https://www.example.com/a/b?c=/d") throws -> Cookie? {
        SetCookie(text)?.cookie(from: try #require(place(url)), now: now, serverTime: nil)
    }

    @Test func parsesNameValueAndAttributes() throws {
        #expect(try cookie("sid=1") == Cookie("sid", "1", domain: "www.example.com", path: "/a"))
        #expect(try cookie(" sid = a=b ; unknown; =x") == Cookie("sid", "a=b", domain: "www.example.com", path: "/a"))
        #expect(try cookie("sid=\"1\"")?.value == "\"1\"")
        #expect(try cookie("sid=")?.value == "")
        let all = "sid=1; SECURE; httponly; PATH=/x; Domain=.Example.COM; Max-Age=60; SameSite=Lax"
        #expect(
            try cookie(all)
                == Cookie(
                    "sid",
                    "1",
                    domain: "example.com",
                    isHostOnly: false,
                    path: "/x",
                    expires: now.addingTimeInterval(60),
                    isSecure: true,
                    isHTTPOnly: true
                )
        )
    }

    @Test(arguments: ["", "sid", "=1", " = ", ";sid=1", "sid=\(String(repeating: "a", count: 4096))"])
    func rejectsFieldsWithoutNameOrTooLong(text: String) throws {
        #expect(try cookie(text) == nil)
    }

    @Test(arguments: [
        ("https://h", "/"), ("https://h/", "/"), ("https://h/a", "/"), ("https://h/a/", "/a"),
        ("https://h/a/b/c", "/a/b"), ("https://h//a/b", "//a"), ("https://h//a", "/"),
    ])
    func usesFolderOfRequestAsPath(url: String, path: String) throws {
        #expect(try cookie("sid=1", from: url)?.path == path)
        #expect(try cookie("sid=1; Path=relative", from: url)?.path == path)
    }

    @Test(arguments: [
        ("example.com", true), ("www.example.com", true), (".www.example.com", true), ("", true), ("com", false),
        ("ample.com", false), ("other.com", false), ("a.www.example.com", false), (".", true),
    ])
    func acceptsOnlyOwnDomains(domain: String, isAccepted: Bool) throws {
        #expect(try (cookie("sid=1; Domain=\(domain)") != nil) == isAccepted)
    }

    /// The trailing dot of a host makes it absolute. It adds no label.
    @Test(arguments: [("com.", false), ("example.com.", true), ("www.example.com.", true), ("com", false)])
    func domainOfOneLabelIsRejectedWithTrailingDot(domain: String, isAccepted: Bool) throws {
        let cookie = try cookie("sid=1; Domain=\(domain)", from: "https://www.example.com./")
        #expect((cookie != nil) == isAccepted)
    }

    @Test func httpDoesNotSetSecureCookies() throws {
        #expect(try cookie("sid=1; Secure", from: "http://h/") == nil)
        #expect(try cookie("sid=1; Secure", from: "https://h/") != nil)
        #expect(try cookie("sid=1", from: "http://h/") != nil)
    }

    @Test(arguments: [("http://127.0.0.1", "0.0.1"), ("http://[::1]", "1]")])
    func addressesHaveNoParentDomains(url: String, domain: String) throws {
        #expect(try cookie("sid=1; Domain=\(domain)", from: url) == nil)
        #expect(try cookie("sid=1", from: url) != nil)
    }

    @Test(
        arguments: [
            ("Expires=Mon, 12 Jan 1970 13:46:41 GMT", 1), ("Expires=Mon, 12-Jan-1970 13:46:39 GMT", -1),
            ("Expires=never", nil), ("Max-Age=5; Expires=Mon, 12 Jan 1970 13:46:41 GMT", 5), ("Max-Age=0", 0),
            ("Max-Age=-9", -9), ("Max-Age=x", nil), ("Max-Age=99999999999999999999", 100 * 365 * 86_400),
            ("Max-Age=-99999999999999999999", 0),
        ] as [(String, TimeInterval?)]
    )
    func computesExpiry(attributes: String, seconds: TimeInterval?) throws {
        #expect(try cookie("sid=1; \(attributes)")?.expires == seconds.map { now.addingTimeInterval($0) })
    }

    @Test func measuresLifetimeFromServersTime() throws {
        let parsed = try #require(SetCookie("sid=1; Expires=Tue, 01 Jan 2030 00:01:00 GMT"))
        let sent = HTTPDate("Tue, 01 Jan 2030 00:00:00 GMT")
        let cookie = parsed.cookie(from: try #require(place("https://h")), now: now, serverTime: sent)
        #expect(cookie?.expires == now.addingTimeInterval(60))
    }

    /// RFC 6265 section 5.2: commas and quotes are part of the value.
    @Test(arguments: [
        ("a=1, b=2", "1, b=2"), ("a=1,b=2", "1,b=2"), ("a=\"1, b=2\"", "\"1, b=2\""), ("a=\"1;b=2\"", "\"1"),
        ("a=1; Expires=Fri 07 Aug 9999 08:04:19 GMT, b=2", "1"), ("a=1; Max-Age=9, b=2; Path=/", "1"),
        ("a=1;\u{301}Secure", "1"), ("a=\u{301}1", "\u{301}1"),
    ])
    func onlySemicolonsSeparate(field: String, value: String) {
        let cookies = SetCookie.all(in: [.setCookie: field])
        #expect(cookies.map(\.name) == ["a"])
        #expect(cookies.first.map { Array($0.value.utf8) } == Array(value.utf8))
        #expect(cookies.first?.isSecure == false)
    }

    @Test func eachFieldIsOneCookie() {
        var fields = HTTPFields()
        for value in ["a=1", "b", "c=3, d=4"] { fields.append(HTTPField(name: .setCookie, value: value)) }
        #expect(SetCookie.all(in: fields).map(\.name) == ["a", "c"])
    }

    /// RFC 6265bis section 5.6: control characters invalidate the field, and long attributes are ignored.
    @Test(arguments: ["a=1\u{1}", "a=1; x=\u{7F}", "\u{1B}a=1"])
    func rejectsControlCharacters(field: String) {
        #expect(SetCookie(field) == nil)
    }

    @Test func ignoresLongAttributes() throws {
        #expect(try cookie("a=1; Path=/\(String(repeating: "x", count: 1023))")?.path.utf8.count == 1024)
        #expect(try cookie("a=1; Path=/\(String(repeating: "x", count: 1024))")?.path == "/a")
    }

    /// RFC 6265 section 5.2.3 ignores an empty Domain. Of several, the last one counts.
    @Test(arguments: [
        ("Domain=example.com; Domain=", "example.com"), ("Domain=; Domain=example.com", "example.com"),
        ("Domain=example.com; Domain=.", "www.example.com"), ("Domain=other.com; Domain=", nil),
        ("Domain=other.com; Domain=example.com", "example.com"),
    ])
    func lastDomainCounts(attributes: String, domain: String?) throws {
        #expect(try cookie("a=1; \(attributes)")?.domain == domain)
    }

    /// RFC 6265 section 5.3: a host that is a public suffix may set a cookie for itself only.
    @Test(arguments: [("localhost", true), ("com.", true), ("www.example.com", false), ("127.0.0.1", false)])
    func domainOfOneLabelIsHostOnly(host: String, isHostOnly: Bool) throws {
        let parsed = try cookie("a=1; Domain=\(host)", from: "https://\(host)/")
        #expect(parsed?.isHostOnly == isHostOnly)
    }

    /// RFC 6265bis section 4.1.3.
    @Test(arguments: [
        ("__Secure-a=1; Secure", true), ("__Secure-a=1", false), ("__secure-a=1", false),
        ("__Secure-a=1; Secure; Domain=example.com; Path=/x", true), ("__Host-a=1; Secure; Path=/", true),
        ("__Host-a=1; Secure; Path=/; Domain=", true), ("__Host-a=1; Path=/", false), ("__Host-a=1; Secure", false),
        ("__Host-a=1; Secure; Path=/x", false), ("__HOST-a=1; Secure; Path=/; Domain=www.example.com", false),
        ("__Hosta=1", true), ("a__Host-=1", true),
    ])
    func prefixOfNameRequiresAttributes(field: String, isAccepted: Bool) throws {
        #expect(try (cookie(field) != nil) == isAccepted)
    }

    @Test func acceptsArbitraryText() {
        var random = SeededGenerator(seed: 3)
        let pieces = ["a", "=", ";", ",", " ", "Expires=", "Max-Age=", "Domain=", "Path=", ".", "/", "-1", "ä", "\t"]
        for _ in 0..<2000 {
            let count = Int.random(in: 0...15, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            for parsed in SetCookie.all(in: [.setCookie: text]) { #expect(!parsed.name.isEmpty) }
            #expect(HTTPResponse.cookies(joined: text).joined(separator: ", ") == text)
        }
    }
}
