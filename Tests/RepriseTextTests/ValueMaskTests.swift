// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct ValueMaskTests {
    static let masks = [
        "****", "****1234", "sk_live_****1234", "AKIA************MPLE", "••••••••", "••••1234", "sk-••••1234", "●●●●",
        #"\u2022\u2022\u2022\u2022"#, #"\u2022\u2022\u2022\u20221234"#, "&bull;&bull;&bull;", "&#8226;&#8226;&#8226;12",
        "xxxx-xxxx", "XXXX-XXXX-XXXX-1234", "sk_test_xxxxxxxx", "xxxxxxxx",
    ]

    @Test(arguments: masks)
    func recognizesMasks(value: String) {
        #expect(judgment(value, isWhole: true) == .message)
    }

    @Test(arguments: [
        "", "x", "hunter2", "a*b*c*d", "**", "pa**word", "xx-xx", "xxxavier", "1xxxx", "Xxxx", "aXxXxXx", "••",
        "correcthorse****",
        "7f3a9bc****", "aaaa****bbbb1234",
    ])
    func rejectsOtherValues(value: String) {
        #expect(judgment(value, isWhole: true) == .value)
    }

    /// The decision does not depend on how much of the value is there, except that it can be open.
    @Test(arguments: masks + ["hunter2", "aaaa****bbbb1234", "correcthorse****", #"\u2022\u20a2"#])
    func decidesOnceEnoughIsThere(value: String) {
        let whole = judgment(value, isWhole: true)
        let bytes = Array(value.utf8)
        for count in 0...bytes.count {
            let start = bytes[..<count]
            let part = ValueMask(start.span, isWhole: false).judgment
            #expect(part == .undecided || part == whole, "\(count) bytes")
        }
    }

    private func judgment(_ value: String, isWhole: Bool) -> MessageText.Judgment {
        let utf8 = Array(value.utf8)[...]
        return ValueMask(utf8.span, isWhole: isWhole).judgment
    }
}
