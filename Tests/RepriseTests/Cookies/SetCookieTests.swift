// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
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

    @Test func separatesJoinedFields() {
        let value = "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/, b=2, c=x y,z; Secure, d=4"
        let cookies = SetCookie.all(in: [.setCookie: value])
        #expect(cookies.map(\.name) == ["a", "b", "c", "d"])
        #expect(cookies.map(\.value) == ["1", "2", "x y,z", "4"])
        #expect(cookies[0].path == "/" && cookies[2].isSecure)
    }

    @Test(arguments: [
        ("prefs=a,b=c; Path=/; Secure", ["prefs": "a,b=c"]), ("a=1, b c=2", ["a": "1, b c=2"]), ("a=1,", ["a": "1,"]),
        ("a=1, =2", ["a": "1, =2"]), ("a=1, b=2", ["a": "1", "b": "2"]), ("a=1,b, c=2", ["a": "1,b", "c": "2"]),
    ])
    func separatesOnlyBeforeNames(field: String, values: [String: String]) {
        let cookies = SetCookie.all(in: [.setCookie: field])
        #expect(Dictionary(uniqueKeysWithValues: cookies.map { ($0.name, $0.value) }) == values)
        #expect(cookies[0].isSecure == field.hasSuffix("Secure"))
    }

    @Test func acceptsArbitraryText() {
        var random = SeededGenerator(seed: 3)
        let pieces = ["a", "=", ";", ",", " ", "Expires=", "Max-Age=", "Domain=", "Path=", ".", "/", "-1", "ä", "\t"]
        for _ in 0..<2000 {
            let count = Int.random(in: 0...15, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            for parsed in SetCookie.all(in: [.setCookie: text]) { #expect(!parsed.name.isEmpty) }
        }
    }
}
