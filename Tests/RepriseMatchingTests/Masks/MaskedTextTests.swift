// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct MaskedTextTests {
    @Test(arguments: [
        ("[redacted]", ["", "a", "[redacted]", "any text\n"], []),
        ("[redacted:alice]", ["", "a"], []),
        ("%5Bredacted%5D", ["", "a"], []),
        ("Bearer [redacted]", ["Bearer ", "Bearer abc", "Bearer Bearer "], ["Bearer", "bearer abc", "Basic abc"]),
        ("[redacted] ok", [" ok", "a ok", " ok ok"], ["ok", "a ok ", "a"]),
        ("token [redacted] ok", ["token  ok", "token sk ok"], ["token ok", "token sk", "atoken sk ok"]),
        ("a[redacted]a", ["aa", "aba"], ["a", "ab", "ba"]),
        ("[redacted]-[redacted]", ["-", "a-b", "--"], ["", "ab"]),
        ("<[redacted]><[redacted]>", ["<a><b>", "<><>", "<><><>"], ["<>", "<a>b>", "<a><b"]),
        ("[redacted][redacted]", ["", "ab"], []),
        ("a[redacted]bc[redacted]c", ["abcc", "axbcxc", "abcbcc"], ["abc", "abccx", "ac"]),
    ])
    func matchesAnyTextAtMarkers(pattern: String, matching: [String], others: [String]) {
        let text = masked(pattern)
        #expect(text.isMasked)
        for value in matching { #expect(matches(text, value), "\(pattern) and \(value)") }
        for value in others { #expect(!matches(text, value), "\(pattern) and \(value)") }
    }

    private func matches(_ text: MaskedText, _ value: String) -> Bool {
        let bytes = Array(value.utf8)
        return text.matches(bytes.span)
    }

    /// The text with a mask at each redaction marker.
    private func masked(_ text: String) -> MaskedText {
        let bytes = Array(text.utf8)
        return MaskedText(bytes, masks: RedactionMarker.ranges(in: bytes.span).map { Mask($0) })
    }

    @Test(arguments: ["a[redacted]b/[redacted:c]", "xa[redacted]b/[redacted:c]yz"])
    func slicesHaveTheirOwnMasks(text: String) {
        let text = masked(text)
        let slash = text.bytes.firstIndex(of: UInt8(ascii: "/")) ?? 0
        let (first, second) = (text[text.bytes.startIndex..<slash], text[slash + 1..<text.bytes.endIndex])
        #expect(first.maskCount == 1 && second.maskCount == 1 && text.maskCount == 2)
        #expect(first.suffixCount == 1 && second.prefixCount == 0)
        #expect(!text[slash..<slash + 1].isMasked && !text[slash..<slash + 5].isMasked)
    }

    @Test(arguments: ["", "redacted", "[Redacted]", "[redacted", "[redacted:]", "[ redacted ]", "%5Bredacted"])
    func isUnmaskedWithoutMarker(text: String) {
        #expect(!masked(text).isMasked)
    }

    @Test(arguments: [
        (
            "/users/%5Bredacted%5D", ["/users/1", "/users/%5Bredacted%5D"],
            ["/users/", "/users", "/users/1/", "/users/1/2"]
        ),
        ("/bot%5Bredacted%5D/send", ["/bot1:a/send", "/bot/send"], ["/bo/send", "/bot1/x/send", "/bot1/sends"]),
        ("/%5Bredacted%5D/%5Bredacted:b%5D", ["/a/b"], ["/a", "/a/", "//b", "/a/b/"]),
        ("/%5Bredacted%5D-%5Bredacted%5D.json", ["/-.json", "/a-b.json"], ["/a.json", "/a/-.json"]),
    ])
    func matchesPathsSegmentBySegment(pattern: String, matching: [String], others: [String]) {
        func matches(_ path: String) -> Bool {
            let bytes = Array(path.utf8)
            return masked(pattern).matches(path: bytes.span)
        }
        for path in matching { #expect(matches(path), "\(pattern) and \(path)") }
        for path in others { #expect(!matches(path), "\(pattern) and \(path)") }
    }
}
