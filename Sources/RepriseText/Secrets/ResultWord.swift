// SPDX-License-Identifier: Apache-2.0

/// Words for the result of a test, or for yes and no. A field called `pass` contains either a password or a result.
package enum ResultWord {
    private static let words: Set<[UInt8]> = Set(
        [
            "accept", "accepted", "disallow", "done", "error", "fail", "failed", "failure", "false", "false-negative",
            "false-positive", "n", "n/a", "na", "neutral", "no", "none", "ok", "partial", "pass", "passed", "pending",
            "reject", "rejected", "skip", "skipped", "softfail", "success", "true", "true-negative", "true-positive",
            "unknown", "warn", "warning", "y", "yes",
        ].map { Array($0.utf8) }
    )

    /// The number of bytes of the longest word.
    package static let maximumLength = 16

    /// Whether a value is such a word, or a number with a unit: `4500 W`.
    package static func isResult(_ value: Span<UInt8>) -> Bool {
        guard value.count <= maximumLength else { return false }
        if isQuantity(value) { return true }
        var word: [UInt8] = []
        for index in value.indices { word.append(value[index].asciiLowercased) }
        return words.contains(word)
    }

    private static func isQuantity(_ value: Span<UInt8>) -> Bool {
        var index = 0
        while index < value.count, isDigit(value[index]) || ".,".utf8.contains(value[index]) { index += 1 }
        guard index > 0, index < value.count, value[index] == 0x20 else { return false }
        return units.contains(Array(lowercasing: value.extracting(index + 1..<value.count)))
    }

    private static let units = Set(
        ["%", "gw", "h", "hp", "kg", "km", "kw", "kwh", "m", "min", "ms", "mw", "s", "v", "w", "wh"].map {
            Array($0.utf8)
        }
    )
}
