// SPDX-License-Identifier: Apache-2.0

/// A field's name, cut into words: `apiKey`, `api_key`, `API-Key` and `user[api.key]` all end in `api` and `key`.
///
/// A word starts behind anything but a letter or a digit, at a capital behind a small letter, and at the last capital of
/// several before a small letter (`APIKey`). Digits are left out: `password2` is a `password`.
package struct NameWords {
    /// The letters of all words, in lower case.
    package private(set) var letters: [UInt8] = []
    /// Where the words start.
    private(set) var starts: [Int] = []

    package init(_ name: Span<UInt8>) {
        letters.reserveCapacity(name.count)
        var startsWord = true
        for index in name.indices {
            let byte = name[index]
            guard byte >= 0x80 || Self.isLetter(byte) else {
                if !isDigit(byte) { startsWord = true }
                continue
            }
            if startsWord || Self.isWordStart(name, at: index) { starts.append(letters.count) }
            startsWord = false
            letters.append(byte.asciiLowercased)
        }
    }

    private static func isWordStart(_ name: Span<UInt8>, at index: Int) -> Bool {
        guard index > 0, isCapital(name[index]) else { return false }
        if isSmall(name[index - 1]) || isDigit(name[index - 1]) { return true }
        return index + 1 < name.count && isSmall(name[index + 1])
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    private static func isSmall(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }
    private static func isCapital(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
}
