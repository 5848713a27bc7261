// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct RedactionMarkerTests {
    @Test(arguments: [
        ("[redacted]", [0..<10]),
        ("a [redacted:alice] b", [2..<18]),
        ("%5Bredacted%5D", [0..<14]),
        ("x=%5bredacted%3aal.i-c_e%5d&y", [2..<27]),
        ("[redacted%5D[redacted]", [0..<12, 12..<22]),
        ("[[redacted]]", [1..<11]),
        ("%[redacted]", [1..<11]),
        ("[redacted~1]", [0..<12]),
        ("a[redacted:b~123456789]", [1..<23]),
        ("%5bredacted%3Ab%7e1%5D", [0..<22]),
    ])
    func findsMarkersInEverySpelling(text: String, ranges: [Range<Int>]) {
        #expect(markers(text) == ranges)
    }

    @Test(arguments: [
        "", "[", "[redacted", "[Redacted]", "[redacted:]", "[redacted: a]", "[redacted:ü]", "%5Credacted%5D", "%5",
        "[redacted~]", "[redacted~x]", "[redacted~1234567890]", "[redacted~1:a]", "[redacted~-1]",
    ])
    func ignoresOtherText(text: String) {
        #expect(markers(text) == [])
    }

    @Test func recognizesItsNamedMarkers() throws {
        for name in ["a", "alice", "A-b_c.9", String(repeating: "x", count: 64)] {
            let marker = try #require(RedactionMarker.named(name))
            #expect(markers(marker) == [0..<marker.utf8.count])
        }
        for name in ["", "a b", "é", "a/b", String(repeating: "x", count: 65)] {
            #expect(RedactionMarker.named(name) == nil)
            #expect(markers("[redacted:\(name)]") == [])
        }
    }

    @Test func ignoresNumbersInFormatOne() {
        let bytes = Array("[redacted~1] [redacted] [redacted:a~2]".utf8)
        #expect(RedactionMarker.ranges(in: bytes.span, withNumbers: false) == [13..<23])
    }

    @Test func recognizesNumbers() {
        #expect(RedactionMarker.number(of: RedactionMarker.numbered(12)) == 12)
        #expect(RedactionMarker.number(of: RedactionMarker.numbered(3, name: "alice")) == 3)
        for text in ["[redacted]", "[redacted:a]", "[redacted~1] ", "%5Bredacted~1%5D", ""] {
            #expect(RedactionMarker.number(of: text) == nil)
        }
        #expect(RedactionMarker.isMarker("[redacted:a]"))
        #expect(!RedactionMarker.isMarker("%5Bredacted%5D"))
        #expect(RedactionMarker.text(Array("%5bredacted:a%7E1%5D".utf8)[...]) == "[redacted:a~1]")
    }

    private func markers(_ text: String) -> [Range<Int>] {
        let bytes = Array(text.utf8)[...]
        let ranges = RedactionMarker.ranges(in: bytes.span)
        let hasMarker = RedactionMarker.occurs(in: bytes.span)
        #expect(hasMarker != ranges.isEmpty)
        return ranges
    }
}
