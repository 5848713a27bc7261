// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@Suite struct FormTextTests {
    @Test(
        arguments: [
            ("", []), ("&&", []), ("a=1&b=2", ["a", "1", "b", "2"]), ("a=1&a=2", ["a", "1", "a", "2"]),
            ("a", ["a", ""]), ("a=", ["a", ""]), ("=b", ["", "b"]), ("a=b=c", ["a", "b=c"]), ("&a=1&", ["a", "1"]),
            ("a+b=c%26d+e", ["a b", "c&d e"]), ("%3D=%2B", ["=", "+"]), ("a&\u{301}=1", ["a", "", "\u{301}", "1"]),
        ] as [(String, [String])]
    )
    func splitsAndDecodesPairs(text: String, expected: [String]) {
        #expect(FormText.decodedPairs(text[...]).flatMap { [$0.name, $0.value] } == expected)
    }
}
