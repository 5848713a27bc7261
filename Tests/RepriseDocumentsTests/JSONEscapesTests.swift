// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseDocuments
@testable import RepriseText

@Suite struct JSONEscapesTests {
    @Test(arguments: [
        (#"plain"#, "plain"), (#"a\nb"#, "a\nb"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"), (#"\"\\\/"#, #""\/"#),
        (#"\u0041\u00e9\u20AC"#, "Aé€"), (#"\ud83d\ude00!"#, "😀!"), (#"é😀"#, "é😀"),
    ])
    func decodesEscapes(text: String, expected: String) {
        #expect(decoded(text) == expected)
    }

    @Test(arguments: [
        (#"\ud83d"#, "?"), (#"\ud83dx"#, "?x"), (#"\ud83d\n"#, "?\n"), (#"\ud83d\u0041"#, "?A"),
        (#"\ude00\ud83d"#, "??"),
        (#"\u12"#, "?"), (#"\u12g"#, "?g"), (#"\x"#, "x"), (#"\"#, #"\"#), (#"\u"#, "?"), (#"\ud83d\"#, #"?\"#),
    ])
    func decodesInvalidEscapesLeniently(text: String, expected: String) {
        #expect(decoded(text) == expected)
    }

    private func decoded(_ text: String) -> String {
        let utf8 = Array(text.utf8)[...]
        return String(decoding: JSONEscapes.decoded(utf8.span), as: UTF8.self)
    }
}
