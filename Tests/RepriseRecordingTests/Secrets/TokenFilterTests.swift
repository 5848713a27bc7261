// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseRecording

@Suite struct TokenFilterTests {
    /// Secrets without a word of four letters and digits.
    private static let shortWords = ["a1-b2-c3-d4", "ABC-123", "p@s$w0r!d", "x1\\n2-y3"]

    @Test(
        arguments: shortWords,
        ["@", "code=@;", "\\n@\\n", "%3D@", "\\u003d@", "(@)", "{@}", "[@]", "`@`", "/@:", "\"@\""]
    )
    func findsShortWordsBesideEachOther(_ value: String, form: String) {
        var filter = TokenFilter()
        filter.insert(Array(form.replacing("@", with: value).utf8))
        #expect(filter.mayContain(Array(value.utf8)))
    }

    /// Otherwise, each such secret would be searched for in everything that was written.
    @Test(arguments: shortWords)
    func rulesOutShortWordsInOtherOrder(_ value: String) {
        var filter = TokenFilter()
        filter.insert(Array("ABC a1 b2 c3 d4 123 p s w0r d x1 n2 y3 a1-c3-b2-d4 123-ABC ABC_123".utf8))
        #expect(!filter.mayContain(Array(value.utf8)))
    }

    @Test func findsShortWordsInTextAddedByteByByte() {
        var filter = TokenFilter()
        var tokenizer = Tokenizer()
        for byte in "see a1-b2-c3 end".utf8 {
            let slice = [byte][...]
            filter.insert(slice.span, &tokenizer)
        }
        filter.end(&tokenizer)
        #expect(filter.mayContain(Array("a1-b2-c3".utf8)))
        #expect(!filter.mayContain(Array("a1-b2-d4".utf8)))
    }

    /// The first layer has 8192 bits, which are enough for a few hundred words.
    @Test func growsWithItsContent() {
        var filter = TokenFilter(size: 16, maximumLayers: 8)
        var random = SeededGenerator(seed: 7)
        func word() -> [UInt8] { Array(String(random.next(), radix: 36).utf8) }
        let words = (0..<20_000).map { _ in word() }
        for word in words { filter.insert(word) }
        #expect(words.allSatisfy(filter.mayContain))
        let claimed = (0..<5000).count { _ in filter.mayContain(word()) }
        #expect(claimed < 150)
    }
}
