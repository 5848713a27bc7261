// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct DisplayTextTests {
    @Test(arguments: [
        ("/users?page=2 é 👍", "/users?page=2 é 👍"),
        ("\u{1B}[2J\t\n\u{7F}", "\\x1B[2J\\t\\n\\x7F"),
        ("a\u{85}b", "a\\xC2\\x85b"),
        ("a\u{200B}b", "a\\xE2\\x80\\x8Bb"),
        ("a\u{200F}b", "a\\xE2\\x80\\x8Fb"),
        ("a\u{2010}b", "a\u{2010}b"),
        ("a\u{202E}b", "a\\xE2\\x80\\xAEb"),
        ("a\u{2066}b", "a\\xE2\\x81\\xA6b"),
        ("a\u{FEFF}b", "a\\xEF\\xBB\\xBFb"),
        ("a\u{061C}b", "a\\xD8\\x9Cb"),
    ])
    func escapesInvisibleCharacters(text: String, shown: String) {
        #expect(DisplayText.escaped(text) == shown)
    }

    @Test func truncatesLongText() {
        #expect(DisplayText.escaped("abcd", limit: 3) == "abc…")
        #expect(DisplayText.escaped([0x61, 0xFF], limit: 2) == "a\\xFF")
    }

    @Test(arguments: [
        ("GET", "GET"), ("M-SEARCH", "M-SEARCH"), ("A|B", "'A|B'"), ("A'B", "'A'\\''B'"), ("$HOME", "'$HOME'"),
        ("*", "'*'"), ("", "''"),
    ])
    func quotesShellWords(text: String, word: String) {
        #expect(DisplayText.shellWord(text) == word)
    }

    @Test(arguments: [
        ("{\"a\": 1}", #"{"a": 1}"#), ("it's 100% \\n\n", #"it\047s 100%% \\n\n"#), ("-n-", #"\055n-"#),
        ("é\u{202E}\u{1B}\0", #"é\342\200\256\033\000"#), ("$(a) `b` !c", "$(a) `b` !c"),
    ])
    func printsBytesWithShell(text: String, format: String) {
        #expect(DisplayText.printing(Array(text.utf8)) == "printf '\(format)'")
    }

    @Test func printsBytesThatAreNotText() {
        #expect(DisplayText.printing([0x61, 0xFF, 0xC3]) == #"printf 'a\377\303'"#)
        #expect(DisplayText.visibleWord([0x61, 0xFF]) == nil)
        #expect(DisplayText.visibleWord(Array("a'\u{1B}".utf8)) == #""$(printf 'a\047\033')""#)
    }
}
