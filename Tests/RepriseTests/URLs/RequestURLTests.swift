// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import Reprise

@Suite struct RequestURLTests {
    @Test(arguments: [
        ("https://h", "", "/"), ("https://h", "/", "/"), ("https://h/", "", "/"), ("https://h", "users", "/users"),
        ("https://h", "/users", "/users"), ("https://h/", "users", "/users"), ("https://h/", "/users", "/users"),
        ("https://h/v1", "users", "/v1/users"), ("https://h/v1", "/users", "/v1/users"),
        ("https://h/v1/", "users", "/v1/users"), ("https://h/v1/", "/users", "/v1/users"),
        ("https://h/a/b", "c/d", "/a/b/c/d"),
    ])
    func joinsBasePathWithOneSlash(base: String, path: String, expected: String) throws {
        #expect(try RequestURL(absolute: base).appending(path).target == expected)
    }

    @Test(arguments: [
        ("https://h/v1", "/users/", "/v1/users/"), ("https://h/v1/", "", "/v1/"), ("https://h/v1", "", "/v1"),
        ("https://h/v1", "/", "/v1/"), ("https://h/v1", "/a//b", "/v1/a//b"),
    ])
    func preservesTrailingSlashAndEmptySegments(base: String, path: String, expected: String) throws {
        #expect(try RequestURL(absolute: base).appending(path).target == expected)
    }

    @Test(arguments: [
        ("https://h?k=1", "", "/?k=1"), ("https://h/v1?k=1", "/a", "/v1/a?k=1"),
        ("https://h/v1?k=1", "/a?b=2", "/v1/a?k=1&b=2"), ("https://h/v1", "?b=2", "/v1?b=2"),
        ("https://h/v1", "/a?", "/v1/a"), ("https://h/v1?k=a/b?c", "/a", "/v1/a?k=a/b?c"),
    ])
    func placesBaseQueryFirst(base: String, path: String, expected: String) throws {
        #expect(try RequestURL(absolute: base).appending(path).target == expected)
    }

    @Test(arguments: ["http://other:8080/x?y=1", "HTTP://other:8080/x?y=1"])
    func absoluteURLOverridesBase(text: String) throws {
        let url = try RequestURL(absolute: "https://h/v1?k=1").appending(text)
        #expect(url.scheme == "http")
        #expect(url.authority == "other:8080")
        #expect(url.target == "/x?y=1")
    }

    @Test(arguments: [
        ("/a b", "/a%20b"), ("/ä/€/😀", "/%C3%A4/%E2%82%AC/%F0%9F%98%80"),
        (#"/a\b|c^d`e{f}"g<h>"#, "/a%5Cb%7Cc%5Ed%60e%7Bf%7D%22g%3Ch%3E"),
        ("/[a]", "/%5Ba%5D"), ("/a?b c", "/a?b%20c"), ("/a?b=[1]|2", "/a?b=%5B1%5D%7C2"),
    ])
    func escapesInvalidURLCharacters(path: String, expected: String) throws {
        #expect(try RequestURL(absolute: "https://h").appending(path).target == expected)
    }

    @Test(arguments: [
        "/a%20b", "/a%2Fb%2fc", "/%e4", "/%41", "/a?b=%26&c=%2B", "/-._~!$&'()*+,;=:@", "/a?-._~!$&'()*+,;=:@/?",
        "/models:list", "/a+b",
    ])
    func preservesValidCharactersAndEscapes(path: String) throws {
        #expect(try RequestURL(absolute: "https://h").appending(path).target == path)
    }

    @Test(arguments: [
        ("/100%", "/100%25"), ("/%", "/%25"), ("/%2", "/%252"), ("/%zz", "/%25zz"), ("/a?%&b=50%", "/a?%25&b=50%25"),
        ("/%%41", "/%25%41"),
    ])
    func escapesPercentSignOutsideEscapes(path: String, expected: String) throws {
        #expect(try RequestURL(absolute: "https://h").appending(path).target == expected)
    }

    @Test func treatsNameWithColonAsPath() throws {
        #expect(try RequestURL(absolute: "https://h/v1").appending("models:list?x").target == "/v1/models:list?x")
    }

    @Test(arguments: [
        "https://user@h/", "https://user:secret@h/", "ftp://h/", "file:///etc/passwd", "https:h", "https:///a",
        "https://",
        "https://h:0/", "https://h:65536/", "https://h:8a/", "https://h:-1/", "https://h:80:80/",
        "https://münchen.example/", "https://a b/", "https://a%41/", "https://h\\@evil/", "https://.a/",
        "https://a..b/", "https://0x7f000001/", "https://0X7F000001./", "https://a.0x/", "https://127.1/", "https://1/",
        "https://127.0.0.256/", "https://127.0.0.01/", "https://a.b.1/", "https://1.2.3.4.5/", "https://[::1.2.3.4::]/",
        "https://[1.2.3.4::]/", "https://:80/", "https://[]/",
        "https://[::1/", "https://[1::2::3]/", "https://[::g]/", "https://[fe80::1%25eth0]/", "https://[::1]x/",
        "https://h/#top", "https://h/a/../b", "https://h/\n", "//h/a", "h/a", "", "/a",
    ])
    func rejectsInvalidBaseURL(text: String) {
        let error = #expect(throws: ClientError.self) { try RequestURL(absolute: text) }
        #expect(error?.code == .invalidURL)
    }

    @Test(arguments: [
        "https://h", "http://h:1", "http://h:65535/a", "https://127.0.0.1/", "https://[::1]:8080/", "https://[::]/",
        "https://[2001:db8::1:0]/", "https://[::ffff:1.2.3.4]/", "https://[1:2:3:4:5:6:7:8]/",
        "https://xn--mnchen-3ya.de/",
        "https://a_b.example./", "https://127.0.0.1./", "https://1.example/", "https://a.0x7g/", "https://a.1b/",
    ])
    func acceptsHostsAndAddresses(text: String) throws {
        _ = try RequestURL(absolute: text)
    }

    /// An empty port is the scheme's (RFC 3986 section 3.2.3).
    @Test(arguments: [("https://h:/a", "h"), ("http://[::1]:", "[::1]"), ("http://127.0.0.1:?q", "127.0.0.1")])
    func omitsEmptyPort(text: String, authority: String) throws {
        #expect(try RequestURL(absolute: text).authority == authority)
    }

    @Test func errorSuggestsPunycodeForNonASCIIHost() {
        let error = #expect(throws: ClientError.self) { try RequestURL(absolute: "https://münchen.example") }
        #expect(error?.message.contains("xn--") == true)
    }

    @Test func errorOmitsPassword() {
        let error = #expect(throws: ClientError.self) { try RequestURL(absolute: "https://ada:hunter2@h") }
        #expect(error.map { "\($0)" }?.contains("hunter2") == false)
    }

    @Test(arguments: [
        "ftp://ada:hunter2@h/x", "ada:hunter2@h", "//ada:hunter2@h/", "https://ada:hunter2/x@h/",
        "https://ada@h#hunter2",
        "https://ada:hunter2#@h", "https://h:0/?token=hunter2", "h/?token=hunter2", "ftp://h/?a=1&pwd=hunter2",
        "https://h/?api_key=hunter2#top", "https://h/#access_token=hunter2", "//h?token=hunter2",
        "https://h/../?token=hunter2", "https://ä/?token=hunter2",
    ])
    func errorsOmitSecrets(text: String) throws {
        let absolute = #expect(throws: ClientError.self) { try RequestURL(absolute: text) }
        #expect(absolute.map { "\($0)" }?.contains("hunter2") == false)
        do {
            _ = try RequestURL(absolute: "https://h").appending(text)
        } catch {
            #expect(!"\(error)".contains("hunter2"), "\(error)")
        }
    }

    @Test(arguments: [
        ("/a\r\nX: y", "control"), ("/a\0", "control"), ("/\u{7F}", "control"), ("/a?b=\t", "control"),
        ("/a#b", "fragment"), ("//evil.example/a", "two slashes"), ("//evil", "two slashes"),
        ("https:a", "scheme and host"), ("ftp://h/a", "https or http"),
        ("https://h:99999/", "port"),
    ])
    func rejectsInvalidPaths(path: String, reason: String) {
        let error = #expect(throws: ClientError.self) { try RequestURL(absolute: "https://h/v1").appending(path) }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains(reason) == true)
    }

    @Test(arguments: [
        ("https://H:443", "https://h", true), ("http://h:80", "http://h", true), ("https://h:80", "https://h", false),
        ("http://h:443", "https://h:443", false), ("https://[::1]:443", "https://[::1]", true),
        ("https://h:0443", "https://h", true),
    ])
    func comparesOriginsInNormalizedForm(first: String, second: String, isSame: Bool) throws {
        #expect(try (RequestURL(absolute: first).origin == RequestURL(absolute: second).origin) == isSame)
    }

    @Test func generatedTargetsAreValid() throws {
        var generator = SeededGenerator(seed: 1)
        let base = try RequestURL(absolute: "https://h/base?k=1")
        var accepted = 0
        for _ in 0..<20_000 {
            let text = generator.text()
            guard let target = try? base.appending("/" + text).target else { continue }
            accepted += 1
            #expect(
                target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") },
                "\(text.debugDescription)"
            )
            #expect(target.hasPrefix("/base/"), "\(text.debugDescription)")
            let path = target.prefix { $0 != "?" }
            for segment in decodedTwice(path).split(whereSeparator: { $0 == "/" || $0 == "\\" }) {
                #expect(segment != ".." && segment != ".", "\(text.debugDescription)")
            }
            // The target is itself a valid path, and appending it doesn't change it.
            #expect(try RequestURL(absolute: "https://h").appending(target).target == target)
        }
        #expect(accepted > 1000)
    }

    @Test func preservesGeneratedPaths() throws {
        var generator = SeededGenerator(seed: 5)
        let base = try RequestURL(absolute: "https://h")
        for _ in 0..<20_000 {
            let text = "/" + generator.text()
            guard !text.contains("%"), let url = try? base.appending(text), url.authority == "h" else { continue }
            let decoded = PercentEscape.decoded(Array(url.target.utf8).span)
            // An empty query is omitted.
            let isWhole = decoded.elementsEqual(text.utf8) || (decoded + Array("?".utf8)).elementsEqual(text.utf8)
            #expect(isWhole, "\(text.debugDescription)")
        }
    }

    @Test func comparesBytesNotCharacters() throws {
        let base = try RequestURL(absolute: "https://h/v1")
        #expect(throws: ClientError.self) { try base.appending("//\u{301}evil") }
        #expect(try base.appending("models:\u{301}list").target == "/v1/models:%CC%81list")
        #expect(try base.appending("/\u{301}").target == "/v1/%CC%81")
        #expect(throws: ClientError.self) { try RequestURL(absolute: "https://[\u{301}::1]") }
    }

    private func decodedTwice(_ path: Substring) -> String {
        String(decoding: PercentEscape.decoded(PercentEscape.decoded(Array(path.utf8).span).span), as: UTF8.self)
    }
}
