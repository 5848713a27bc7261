// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseServer

@Suite struct ResponseTranslationTests {
    private func translated(_ line: String, from url: String, isClientSecure: Bool = false) throws -> String? {
        let translation = ResponseTranslation(address: try UpstreamAddress(url), isClientSecure: isClientSecure)
        let line = try #require(HeaderLine(line))
        let lines = translation.translated([line])
        #expect(lines != [line])
        return (lines ?? [line]).first.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test(arguments: [
        ("https://a.example", "https://a.example/b?c#d", "/b?c#d"),
        ("https://a.example", "HTTPS://A.example:443", "/"),
        ("https://a.example", "https://a.example?x", "/?x"),
        ("https://a.example:8443", "https://a.example/b", "https://a.example/b"),
        ("https://a.example", "http://a.example/b", "http://a.example/b"),
        ("https://a.example", "https://a.example.org/b", "https://a.example.org/b"),
        ("https://a.example", "https://b.example/", "https://b.example/"),
        ("https://a.example", "//a.example/b", "/b"),
        ("https://a.example", "//b.example/b", "//b.example/b"),
        ("https://a.example", "https://a.example//b.example/c", "/.//b.example/c"),
        ("https://a.example", "https://a.example#c", "/#c"),
        ("https://a.example", "/b", "/b"),
        ("https://a.example", "b/c", "b/c"),
        ("https://a.example/v1", "https://a.example/v1/b", "/b"),
        ("https://a.example/v1", "https://a.example/v1", "/"),
        ("https://a.example/v1", "https://a.example/v10", "https://a.example/v10"),
        ("https://a.example/v1/", "/v1/b", "/b"),
        ("https://a.example/v1", "/v1", "/"),
        ("https://a.example/v1", "/v2", "/v2"),
    ])
    func translatesLocation(url: String, location: String, expected: String) throws {
        #expect(try translated("Location: \(location)", from: url) == "Location: \(expected)")
        #expect(try translated("location:\t\(location) ", from: url)?.hasPrefix("location:\t") == true)
    }

    @Test func leavesNonUTF8FieldsUnchanged() throws {
        let translation = ResponseTranslation(address: try UpstreamAddress("https://a.example"), isClientSecure: false)
        for start in ["Location: https://a.example/", "Set-Cookie: a=b; Domain=a.example; x="] {
            let line = try #require(HeaderLine(bytes: Array(start.utf8) + [0xE9]))
            #expect(translation.translated([line]) == nil)
        }
    }

    @Test(arguments: [
        ("a=b; Domain=a.example; Path=/", "a=b; Path=/"),
        ("a=b;domain=.Example;httponly", "a=b;httponly"),
        ("a=b; Domain=other.example", "a=b; Domain=other.example"),
        ("a=b; Domain=ample", "a=b; Domain=ample"),
        ("Secure; Secure; SameSite=None", "Secure; SameSite=None"),
        ("domain=a.example", "domain=a.example"),
        ("a=b", "a=b"),
    ])
    func translatesSetCookie(cookie: String, expected: String) throws {
        #expect(try translated("set-COOKIE: \(cookie)", from: "https://a.example") == "set-COOKIE: \(expected)")
    }

    @Test func keepsSecureAttributeForTLSClient() throws {
        let line = "Set-Cookie: a=b; Secure"
        #expect(try translated(line, from: "https://a.example", isClientSecure: true) == line)
    }

    @Test func leavesOtherFieldsUnchanged() throws {
        let line = "Content-Location: https://a.example/b"
        #expect(try translated(line, from: "https://a.example") == line)
    }
}
