// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Words that stand for a value and are never a secret.
enum LiteralWord {
    private static let words = Set(
        [
            "true", "false", "null", "none", "nil", "undefined", "yes", "no", "on", "off", "nan", "required",
            "optional", "string", "str", "bool", "int", "integer", "number", "text", "hidden", "password",
        ].map { Array($0.utf8) }
    )

    /// Whether a word is a literal, a type, or a reference to a value that is defined elsewhere: `${TOKEN}`,
    /// `process.env.TOKEN`.
    static func isLiteral(_ word: Span<UInt8>) -> Bool {
        // `String!` is a type of GraphQL, and `1;` the number of a field.
        var end = word.count
        while end > 0, "!?;,".utf8.contains(word[end - 1]) { end -= 1 }
        guard end > 0 else { return true }
        let plain = word.extracting(0..<end)
        if end <= 9, words.contains(Array(lowercasing: plain)) { return true }
        if end <= 2, isDigit(plain[0]), isDigit(plain[end - 1]) { return true }
        if word.count >= 2 {
            switch (word[0], word[1]) {
            case (UInt8(ascii: "$"), UInt8(ascii: "{")), (UInt8(ascii: "$"), UInt8(ascii: "(")),
                (UInt8(ascii: "{"), UInt8(ascii: "{")), (UInt8(ascii: "<"), UInt8(ascii: "%")):
                return true
            default: break
            }
        }
        return references.contains { word.hasWord($0, at: 0) }
    }

    private static let references = ["process.env", "os.environ", "os.getenv", "secrets.", "env.", "vault:", "ref+"]
        .map { Array($0.utf8) }
}
