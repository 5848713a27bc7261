// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import Reprise

@Suite struct URLPartTests {
    @Test func escapesAllButUnreservedCharactersInValues() {
        #expect(URLPart.value.escape("azAZ09-._~") == "azAZ09-._~")
        #expect(URLPart.value.escape("a b+c&d=e%/?#") == "a%20b%2Bc%26d%3De%25%2F%3F%23")
        #expect(URLPart.value.escape("€") == "%E2%82%AC")
    }

    @Test func escapesFormsLikeBrowsers() {
        #expect(URLPart.form.escape("azAZ09*-._") == "azAZ09*-._")
        #expect(URLPart.form.escape("a b+c~") == "a+b%2Bc%7E")
    }

    @Test(arguments: [URLPart.value, .form])
    func roundTripsGeneratedText(part: URLPart) {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let text = generator.text()
            let escaped = part.escape(text)
            #expect(escaped.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            var bytes = Array(escaped.utf8)
            if part == .form { bytes = bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 } }
            #expect(String(decoding: PercentEscape.decoded(bytes.span), as: UTF8.self) == text)
        }
    }

    @Test func pathEscapingIsIdempotent() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5_000 {
            let once = URLPart.path.escape(generator.text())
            #expect(URLPart.path.escape(once) == once)
        }
    }
}
