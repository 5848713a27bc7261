// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseQueries
import RepriseTestSupport
import Testing

@Suite struct RequiredLiteralsTests {
    @Test(arguments: [
        ("/users/[0-9]+/orders.*", "/users/", "/users/"), ("/a/.*/longest/.*", "/a/", "/longest/"),
        ("abc", "abc", "abc"),
        ("a|b", "", ""), ("/x/(aa|ab)", "/x/a", "/x/a"), ("(?i)/users", "/", "/"), ("/users?", "/user", "/user"),
        ("(/ab){2}x*", "/ab/ab", "/ab/ab"), ("(?:ab)+c", "ab", "abc"), (".*", "", ""), ("^/a\\.b$", "/a.b", "/a.b"),
        ("\\Q/a.*\\E.*", "/a.*", "/a.*"), ("/(?=x).*y", "/", "/"), ("/a\\bz", "/az", "/az"), ("(?x) / a", "", ""),
        ("/é/.*", "/é/", "/é/"), ("(a)\\1b", "a", "a"),
    ])
    func literalsAreThoseOfAllMatches(pattern: String, prefix: String, longest: String) throws {
        let literals = try TextPattern(pattern).literals
        #expect(String(decoding: literals.prefix, as: UTF8.self) == prefix)
        #expect(String(decoding: literals.longest, as: UTF8.self) == longest)
    }

    @Test(arguments: 0..<40) func everyMatchContainsLiterals(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var text = ""
            let pattern = Self.pattern(&random, depth: 3, matching: &text)
            let literals = try TextPattern(pattern).literals
            let bytes = Array(text.utf8)
            #expect(try TextPattern(pattern).matches(bytes[...], budget: WorkBudget()), "\(pattern) \(text)")
            #expect(bytes.starts(with: literals.prefix), "\(pattern) \(text)")
            #expect(bytes.reversed().starts(with: literals.suffix.reversed()), "\(pattern) \(text)")
            #expect(contains(bytes, literals.longest), "\(pattern) \(text)")
            #expect(!literals.isExact || bytes == literals.prefix, "\(pattern) \(text)")
        }
    }

    private func contains(_ text: [UInt8], _ literal: [UInt8]) -> Bool {
        literal.isEmpty || text.indices.contains { text[$0...].starts(with: literal) }
    }

    /// Returns a random expression, and appends a text that it matches.
    private static func pattern(_ random: inout SeededGenerator, depth: Int, matching text: inout String) -> String {
        let letters = ["a", "b", "/", "é", "1"]
        switch Int.random(in: 0..<(depth > 0 ? 12 : 5), using: &random) {
        case 0, 1:
            let letter = letters.randomElement(using: &random) ?? "a"
            text += letter
            return letter
        case 2:
            text += letters.randomElement(using: &random) ?? "a"
            return "."
        case 3:
            text += "1"
            return "\\d"
        case 4:
            text += "b"
            return "[a-c&&[^a]]"
        case 5:
            let counts = [("*", 0...3), ("+", 1...3), ("?", 0...1), ("{2}", 2...2), ("{1,3}", 1...3), ("{2,}", 2...4)]
            let (quantifier, range) = counts.randomElement(using: &random) ?? ("*", 0...0)
            var part = ""
            var once = ""
            part = pattern(&random, depth: depth - 1, matching: &once)
            text += String(repeating: once, count: Int.random(in: range, using: &random))
            return "(?:\(part))\(quantifier)" + (Bool.random(using: &random) ? "?" : "")
        case 6:
            var other = ""
            let left = pattern(&random, depth: depth - 1, matching: &text)
            return "(\(left)|\(pattern(&random, depth: depth - 1, matching: &other)))"
        case 7:
            var other = ""
            let left = pattern(&random, depth: depth - 1, matching: &other)
            return "(?:\(left)|\(pattern(&random, depth: depth - 1, matching: &text)))"
        case 8:
            // What only Foundation matches.
            return "(?=.*)" + pattern(&random, depth: depth - 1, matching: &text)
        default:
            let left = pattern(&random, depth: depth - 1, matching: &text)
            return left + pattern(&random, depth: depth - 1, matching: &text)
        }
    }
}
