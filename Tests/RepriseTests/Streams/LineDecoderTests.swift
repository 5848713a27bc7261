// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct LineDecoderTests {
    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\n", ["a", ""]), ("\na", ["", "a"]),
        ("a\rb\nc\r\nd", ["a", "b", "c", "d"]), ("\r\r\n\n\r", ["", "", "", ""]), ("a\n\rb", ["a", "", "b"]),
        ("\u{FEFF}a\n\u{FEFF}b", ["\u{FEFF}a", "\u{FEFF}b"]), ("a\u{2028}b\u{85}c\u{C}\n", ["a\u{2028}b\u{85}c\u{C}"]),
    ])
    func splitsAtEachLineEnd(text: String, lines: [String]) {
        #expect(StreamTranscript.lines(Array(text.utf8)).elements == lines)
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xE2, 0x82], "\u{FFFD}"), ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"),
            ([0xF0, 0x9F, 0x98], "\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ] as [([UInt8], String)]
    )
    func replacesInvalidUTF8(bytes: [UInt8], text: String) {
        #expect(StreamTranscript.lines(bytes + [0x0A] + bytes).elements == [text, text])
    }

    /// Line ends at each position in the blocks and words of the search, after bytes that resemble line ends.
    @Test func findsLineEndAtAnyPosition() {
        for decoy: UInt8 in [0x00, 0x09, 0x0B, 0x0C, 0x0E, 0x8A, 0x8D, 0xFF] {
            for end: UInt8 in [0x0A, 0x0D] {
                for length in 0..<100 {
                    let bytes = [UInt8](repeating: decoy, count: length) + [end, 0x0A, 0x0D, 0x0A]
                    for start in 0...length {
                        let slice = bytes[...]
                        #expect(slice.span.endOfLine(from: start) == length)
                    }
                }
            }
            let slice = [UInt8](repeating: decoy, count: 77)[...]
            #expect(slice.span.endOfLine(from: 3) == 77)
        }
    }

    @Test func returnsLineAsSoonAsItEnds() throws {
        var decoder = LineDecoder()
        decoder.append(Array("a\r".utf8))
        #expect(try decoder.next() == "a")
        decoder.append(Array("\nb".utf8))
        #expect(try decoder.next() == nil)
        decoder.append(Array("c\n\n".utf8))
        #expect(try decoder.next() == "bc")
        #expect(try decoder.next() == "")
        #expect(try decoder.next() == nil)
        #expect(decoder.count == 3)
    }

    @Test func preservesUnreadBytesAcrossAppends() throws {
        var decoder = LineDecoder()
        for text in ["a\nb", "\nc\n", "d"] { decoder.append(Array(text.utf8)) }
        decoder.finish()
        var lines: [ArraySlice<UInt8>] = []
        while let line = try decoder.nextBytes() { lines.append(line) }
        #expect(lines == ["a", "b", "c", "d"].map { ArraySlice($0.utf8) })
    }

    @Test(arguments: [0, 1, 7, 40]) func rejectsLineOverLimit(limit: Int) {
        let longest = String(repeating: "x", count: limit)
        let accepted = StreamTranscript.lines(Array("a\n\n\(longest)\r\n\(longest)".utf8), limit: max(limit, 1))
        #expect(accepted.failure == nil)
        for text in ["\n\(longest)x\n", "\n\(longest)x"] {
            let transcript = StreamTranscript.lines(Array(text.utf8), limit: limit)
            #expect(transcript.elements == [""])
            #expect(transcript.failure?.code == .lineTooLong)
            #expect(transcript.failure?.line == 2)
            #expect(transcript.failure?.message.contains("line 2 has more than \(limit) bytes") == true)
        }
    }

    /// The decoder must neither wait for a line end beyond the limit nor search the same bytes again with each chunk.
    @Test func buffersNoMoreThanLimit() throws {
        var decoder = LineDecoder(maxLineLength: 1 << 20)
        let chunk = [UInt8](repeating: 0x78, count: 1 << 10)
        for _ in 0..<1 << 10 {
            decoder.append(chunk)
            #expect(try decoder.next() == nil)
        }
        #expect(decoder.buffer.count == 1 << 20)
        decoder.append([0x78])
        #expect(throws: StreamDecodingError.self) { try decoder.next() }
    }
}
