// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import Reprise

@Suite struct EmptySegmentTests {
    private func target(_ path: String) throws -> String {
        try Client("https://h").get(path).request().path ?? ""
    }

    @Test(arguments: [
        ("a/b", "/users/a%2Fb/posts"), ("a?b", "/users/a%3Fb/posts"), ("a#b", "/users/a%23b/posts"),
        ("100%", "/users/100%25/posts"), ("%41", "/users/%2541/posts"), ("a b+ä", "/users/a%20b%2B%C3%A4/posts"),
        ("a;b=c", "/users/a%3Bb%3Dc/posts"), ("a\r\nb", "/users/a%0D%0Ab/posts"), ("a..b", "/users/a..b/posts"),
    ])
    func escapesAnyValue(value: String, expected: String) throws {
        #expect(try target("/users/\(segment: value)/posts") == expected)
    }

    @Test func acceptsNumbers() throws {
        #expect(try target("/users/\(segment: 42)") == "/users/42")
    }

    @Test(arguments: ["", ".", "..", "../admin", "a/..", "..\\a", "%2e%2e", "%252e%252e"])
    func rejectsEmptyAndDotSegments(value: String) {
        let error = #expect(throws: ClientError.self) { try target("/users/\(segment: value)") }
        #expect(error?.code == .invalidURL)
    }

    @Test func roundTripsGeneratedValues() throws {
        var generator = SeededGenerator(seed: 2)
        var accepted = 0
        for _ in 0..<5_000 {
            let value = generator.text()
            guard let target = try? target("/users/\(segment: value)/posts") else { continue }
            accepted += 1
            let segments = target.split(separator: "/", omittingEmptySubsequences: false)
            try #require(segments.count == 4, "\(value.debugDescription)")
            #expect(String(decoding: PercentEscape.decoded(Array(segments[2].utf8).span), as: UTF8.self) == value)
        }
        #expect(accepted > 1000)
    }
}
