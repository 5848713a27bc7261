// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseText

@Suite struct Base64Tests {
    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
    ])
    func encodesExamplesOfRFC(text: String, encoded: String) {
        #expect(Base64.text(Array(text.utf8)) == encoded)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func matchesFoundation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64.encode(bytes)
            #expect(text == Array(Data(bytes).base64EncodedData()))
            #expect(Base64.decode(text[...]) == bytes)
        }
    }
}
