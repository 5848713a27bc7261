// SPDX-License-Identifier: Apache-2.0

/// The words of a field's name. `apiKey`, `api_key`, `API-Key`, and `user[api.key]` all end in `api` and `key`.
///
/// A word starts after any character other than a letter or a digit, at a capital after a lowercase letter, and at
/// the last of several capitals before a lowercase letter (`APIKey`). Digits are ignored: `password2` is the word
/// `password`.
package struct NameWords {
    /// The letters of all words, concatenated and in lower case.
    package private(set) var letters: [UInt8] = []
    /// The indexes of the first letters of the words.
    package private(set) var starts: [Int] = []

    package init(_ name: Span<UInt8>) {
        letters.reserveCapacity(name.count)
        var startsWord = true
        var isASCII = true
        for index in name.indices {
            let byte = name[index]
            guard byte >= 0x80 || Self.isLetter(byte) else {
                if !isDigit(byte) { startsWord = true }
                continue
            }
            if startsWord || Self.isWordStart(name, at: index) { starts.append(letters.count) }
            startsWord = false
            isASCII = isASCII && byte < 0x80
            letters.append(byte.asciiLowercased)
        }
        if !isASCII { lowercaseOthers() }
    }

    /// Converts letters outside ASCII to lower case, which can change their length.
    private mutating func lowercaseOthers() {
        let words = starts.indices.map { number in
            letters[starts[number]..<(number + 1 < starts.count ? starts[number + 1] : letters.count)]
        }
        (letters, starts) = ([], [])
        for word in words {
            starts.append(letters.count)
            letters += String(decoding: word, as: UTF8.self).lowercased().utf8
        }
    }

    /// Whether an `X` precedes at least two other words, as in `X-ClickHouse-Key`.
    var namesVendor: Bool { starts.count >= 3 && starts[1] == 1 && letters[0] == UInt8(ascii: "x") }

    private static func isWordStart(_ name: Span<UInt8>, at index: Int) -> Bool {
        guard index > 0, isCapital(name[index]) else { return false }
        if isSmall(name[index - 1]) || isDigit(name[index - 1]) { return true }
        return index + 1 < name.count && isSmall(name[index + 1])
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    private static func isSmall(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }
    private static func isCapital(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
}
