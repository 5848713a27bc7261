// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures

/// What a finding keeps of a secret, and where it is found in a file.
@Suite struct SecretFindingTests {
    @Test(arguments: [
        ("", ""), ("1234567", ""), ("12345678", "123"), ("a b45678", ""), ("!~a45678", "!~a"), ("a\u{7F}345678", ""),
        ("a\u{1F}345678", ""), ("\u{E9}2345678", ""), ("123 5678", "123"),
    ])
    func startOfLongSecretIsShown(secret: String, start: String) {
        let finding = SecretFinding(field: "f", bytes: secret.utf8)
        #expect(finding.start == start && finding.offset == nil && finding.context.isEmpty)
    }

    @Test(arguments: [(23, 23), (24, 24), (25, 24)]) func startOfLongSecretIsKept(count: Int, kept: Int) {
        let finding = SecretFinding(field: "f", bytes: Array(repeating: 0x61 as UInt8, count: count), at: 3)
        #expect(finding.bytes.count == kept && finding.offset == 3)
    }

    private func find(
        _ secret: String,
        in text: String,
        after context: String = "",
        at offset: Int? = nil,
        from line: Int = 1,
        isFile: Bool = false
    ) -> [String] {
        var places = SecretPlaces(Array(text.utf8))
        let finding = SecretFinding(field: "f", bytes: secret.utf8, after: Array(context.utf8), at: offset)
        var found: [String] = []
        while found.count < 4,
            let place = places.next(finding, from: FilePosition(line: line, column: 1), isFile: isFile)
        {
            found.append("\(place.line):\(place.column)")
            guard places.returnedCount == found.count else { return ["wrong count"] }
            if found.count > 1, found.last == found.first { break }
        }
        return found
    }

    @Test(arguments: [
        // A short secret must be a whole string.
        ("s12345", "a s12345\ns12345", ["1:3", "2:1"]), ("s1234", "a s1234 \"s1234\"", ["1:10"]),
        ("s1234", "a s1234", ["1:1", "1:1"]), ("s12345", "none", ["1:1", "1:1"]),
    ])
    func shortSecretIsWholeString(secret: String, text: String, places: [String]) {
        #expect(find(secret, in: text) == places)
    }

    @Test(arguments: [
        ("X: ", "X: s123 s123", ["1:4"]), ("X: a=", "\"a=s123\" X: s123", ["1:4"]),
        ("a", "s123 as123", ["1:7"]),
        ("ab", "s123 abs123", ["1:8"]), ("X:  a", "X: s123 as123", ["1:10"]),
    ])
    func textOfLineIsBeforeSecret(context: String, text: String, places: [String]) {
        #expect(find("s123", in: text, after: context) == places)
    }

    @Test func searchBeginsAtLine() {
        let text = "s12345\ns12345\ns12345"
        #expect(find("s12345", in: text, from: 2) == ["2:1", "3:1"])
        #expect(find("s12345", in: text, from: 3) == ["3:1"])
        #expect(find("s12345", in: text, at: 9, isFile: true) == ["2:3"])
        #expect(find("s12345", in: text, at: 9) == ["1:1", "2:1", "3:1"])
        #expect(find("s12345", in: text, at: 99, isFile: true) == ["3:7"])
    }

    @Test func returnedLinesAreSkipped() {
        var places = SecretPlaces(Array("s12345 s12345\ns12345".utf8))
        let finding = SecretFinding(field: "f", bytes: "s12345".utf8)
        #expect(places.next(finding, from: .start)?.column == 1)
        places.skipsReturnedLines = true
        #expect(places.next(finding, from: .start) == nil)
        #expect(places.next(finding, from: .start)?.line == 2)
        #expect(places.returnedCount == 2)
    }

    /// A short word or number is a setting, unless its name is that of a secret.
    @Test(arguments: [
        ("theme=dark", true), ("a=abcdefghijk", true), ("a=abcdefghijkl", false), ("a=123", true), ("a=1234", false),
        ("a=en-US_x", true), ("a=a1", false), ("a=", true), ("a", false), ("uid=a", false), ("SessX=a", false),
        ("token=a", false), (" theme =dark", true), ("a=a.b", false), ("a=AZaz", true), ("a=@", false), ("a=[", false),
        ("a=`", false), ("a={", false),
    ])
    func shortCookieIsHarmless(pair: String, isHarmless: Bool) {
        #expect(CookiePair(bytes: Array(pair.utf8)[...]).isHarmless == isHarmless)
    }

    @Test(arguments: [
        ("Cookie: a=1; b=2", ["a=1", " b=2"], ""), ("Set-Cookie: a=1; Path=/", ["a=1"], "; Path=/"),
        ("set-cookie: a=1", ["a=1"], ""), ("Cookie: ;a=1;;", ["a=1"], ""),
    ])
    func linesHavePairs(line: String, pairs: [String], attributes: String) throws {
        let found = CookiePair.pairs(of: try #require(HeaderLine(line)))
        #expect(found.pairs.map { String(decoding: $0.bytes, as: UTF8.self) } == pairs)
        #expect(String(decoding: found.attributes, as: UTF8.self) == attributes)
    }

    /// A template is not a binary file, but control characters are.
    @Test(arguments: [
        ([0x00, 0x1B, 0x09, 0x0A, 0x0D, 0x20, 0x7F, 0xFF], false), ([0x08], true), ([0x0E], true), ([0x01], true),
        ([0x1A], true), ([0x1C], true), ([0x1F], true), ([], false),
    ])
    func controlCharactersAreBinary(bytes: [UInt8], isBinary: Bool) {
        #expect(SecretCheck.isBinary(bytes) == isBinary)
    }
}
