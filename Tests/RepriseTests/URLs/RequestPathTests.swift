// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import RepriseText
import Testing

@testable import Reprise

@Suite struct RequestPathTests {
    private func target(_ path: RequestPath) throws -> String {
        try Client("https://h").get(path).request().path ?? ""
    }

    @Test(arguments: [
        ("a/b", "/users/a%2Fb/posts"), ("a?b", "/users/a%3Fb/posts"), ("a#b", "/users/a%23b/posts"),
        ("100%", "/users/100%25/posts"), ("%41", "/users/%2541/posts"), ("a b+ä", "/users/a%20b%2B%C3%A4/posts"),
        ("a;b=c", "/users/a%3Bb%3Dc/posts"), ("a\r\nb", "/users/a%0D%0Ab/posts"), ("a..b", "/users/a..b/posts"),
    ])
    func escapesAnyValueInSegment(value: String, expected: String) throws {
        #expect(try target("/users/\(value)/posts") == expected)
    }

    @Test func valueCannotAddQuery() throws {
        let id = "a?admin=1"
        #expect(try target("/users/\(id)") == "/users/a%3Fadmin%3D1")
    }

    @Test func acceptsNumbers() throws {
        #expect(try target("/users/\(42)") == "/users/42")
    }

    @Test(arguments: [
        ("a&b=c", "a%26b%3Dc"), ("a+b c", "a%2Bb%20c"), ("https://h/?x#y", "https%3A%2F%2Fh%2F%3Fx%23y"), ("", ""),
        ("..", ".."),
    ])
    func escapesAnyValueInQuery(value: String, expected: String) throws {
        #expect(try target("/search?q=\(value)&page=\(2)") == "/search?q=\(expected)&page=2")
    }

    @Test func insertsURLsAndPathsUnchanged() throws {
        let base = try #require(URL(string: "https://other.example/v1"))
        #expect(try Client("https://h").get("\(base)/users?a=1").request().url?.absoluteString == "\(base)/users?a=1")
        let users: RequestPath = "/users/\("a/b")"
        #expect(try target("\(users)/posts?x=\("&")") == "/users/a%2Fb/posts?x=%26")
        #expect(try target("/login?next=\(base)") == "/login?next=https%3A%2F%2Fother.example%2Fv1")
        #expect(try target("/login?next=\(users)") == "/login?next=%2Fusers%2Fa%252Fb")
    }

    @Test func rawTextKeepsItsMeaning() throws {
        let text = "/users?a=1&b=%2F"
        #expect(try target(RequestPath(raw: text)) == text)
        #expect(try target("/v1\(raw: text)&c=\("&")") == "/v1\(text)&c=%26")
    }

    @Test func acceptsURL() throws {
        let url = try #require(URL(string: "https://other.example/users?page=2"))
        #expect(try Client("https://h").get(RequestPath(url)).request().url == url)
        let relative = try #require(URL(string: "users?page=2"))
        #expect(try target(RequestPath(relative)) == "/users?page=2")
    }

    @Test func rejectsURLInsertedAsText() {
        let base = "https://other.example"
        let error = #expect(throws: ClientError.self) { try target("\(base)/users") }
        #expect(error?.message.contains("insert it as a URL, or as \\(raw: text)") == true)
    }

    @Test func descriptionHidesSecrets() {
        let key = "s3cr3tv4lue"
        let path: RequestPath = "/users?api_key=\(key)&page=\(2)"
        var dumped = ""
        dump(path, to: &dumped)
        for text in ["\(path)", String(reflecting: path), dumped, "\(Mirror(reflecting: path).children.map(\.value))"] {
            #expect(!text.contains(key) && text.contains("page=2"), "\(text)")
        }
    }

    @Test func emptyValueIsAcceptedBesideOtherText() throws {
        let empty = ""
        #expect(try target("/files/\("report")\(empty)") == "/files/report")
        #expect(try target("/files/\(empty)\("report")/lines") == "/files/report/lines")
        #expect(try target("/files/report\(empty)?lines=\(empty)") == "/files/report?lines=")
        #expect(try target("/\(empty)v1\(empty)\(empty)/files") == "/v1/files")
    }

    @Test func emptyValueIsRejectedAsWholeSegment() {
        let empty = ""
        let paths: [RequestPath] = [
            "/users/\(empty)", "/users/\(empty)/posts", "/users/\(empty)\(empty)", "/users/\(empty)?page=\(2)",
            "/\("a")\(empty)/\(empty)", "\(empty)", "/users/\(empty)#top",
        ]
        for path in paths {
            let error = #expect(throws: ClientError.self, "\(path)") { try target(path) }
            #expect(error?.code == .invalidURL, "\(path)")
        }
    }

    @Test(arguments: ["", ".", "..", "../admin", "a/..", "..\\a", "%2e%2e", "%252e%252e"])
    func rejectsEmptyAndDotSegments(value: String) {
        let error = #expect(throws: ClientError.self) { try target("/users/\(value)") }
        #expect(error?.code == .invalidURL)
    }

    @Test func roundTripsGeneratedValues() throws {
        var generator = SeededGenerator(seed: 2)
        var accepted = 0
        for _ in 0..<5_000 {
            let value = generator.text()
            guard let target = try? target("/users/\(value)/posts") else { continue }
            accepted += 1
            let segments = target.split(separator: "/", omittingEmptySubsequences: false)
            try #require(segments.count == 4, "\(value.debugDescription)")
            #expect(String(decoding: PercentEscape.decoded(Array(segments[2].utf8).span), as: UTF8.self) == value)
        }
        #expect(accepted > 1000)
    }

    @Test func messageAboutEmptyValueHasNoPlaceholder() {
        let empty = ""
        let error = #expect(throws: ClientError.self) { try target("/users/\(empty)") }
        #expect(error?.message == "\"/users/\" has an empty value for a segment")
    }
}
