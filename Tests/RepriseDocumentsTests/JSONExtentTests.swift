// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseDocuments
@testable import RepriseText

@Suite struct JSONExtentTests {
    @Test(arguments: [
        ("\"\"", 2), (#""a", 1"#, 3), (#""a\"b","#, 6), (#""\\","#, 4), (#""é\u0022x" "#, 11),
        // Truncated strings.
        ("\"", 1), (#""abcdefghijk"#, 12), (#""a\"#, 3),
    ])
    func findsEndOfString(text: String, end: Int) {
        let bytes = Array(text.utf8)
        #expect(bytes.span.endOfJSONString(from: 0) == end)
    }

    @Test(arguments: [
        ("1, 2", 1), ("1.5e3 }", 5), ("true ]", 4), (#""a,b" , 1"#, 5), (#"{"a": [1, "]"], "b": {}} ,"#, 24),
        ("[[], [1]]]", 9), ("{}", 2), ("", 0), (",", 0), ("  ", 0),
        // Invalid or truncated JSON.
        ("a b , c", 3), (#"{} x, "#, 4), (#"{"a": [1, "#, 9), (#"["a"#, 3),
    ])
    func findsEndOfValue(text: String, end: Int) {
        let bytes = Array(text.utf8)
        #expect(bytes.span.endOfJSONValue(from: 0) == end)
    }

    @Test(arguments: [("x", 0), (" \t\r\nx", 4), ("  ", 2), ("\u{C}", 0)])
    func findsEndOfWhiteSpace(text: String, end: Int) {
        let bytes = Array(text.utf8)
        #expect(bytes.span.endOfJSONSpace(from: 0) == end)
    }

    @Test(arguments: [
        (#""a""#, "a"), (#""\u0061\n""#, "a\n"), (#""\ud800""#, nil), (#""a\q""#, nil), (#""a\"#, nil), ("\"\"", ""),
    ])
    func readsString(text: String, expected: String?) {
        #expect(JSONReader.text(of: Array(text.utf8)[...]) == expected)
    }

    /// For any bytes, the end lies in the text and not before the start.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func endIsInBoundsForAnyBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]",:\ 12a"#.utf8) + [0xFF, 0x0A]
        for _ in 0..<1000 {
            let bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in alphabet.randomElement(using: &random)!
            }
            let start = Int.random(in: bytes.indices, using: &random)
            let value = bytes.span.endOfJSONValue(from: start)
            #expect(value >= start && value <= bytes.count)
            let string = bytes.span.endOfJSONString(from: start)
            #expect(string > start && string <= bytes.count)
        }
    }
}
