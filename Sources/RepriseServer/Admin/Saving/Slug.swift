// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Returns a part of a file name: each run of characters that aren't kept becomes one separator, except at the
    /// start and the end.
    ///
    /// - Parameters:
    ///   - separator: What replaces other characters.
    ///   - limit: The number of bytes after which the rest is left out.
    ///   - isKept: Whether to keep a character.
    func slug(separator: Character, limit: Int = .max, keeping isKept: (Character) -> Bool) -> String {
        var slug = ""
        for character in self {
            if isKept(character) {
                slug.append(character)
            } else if !slug.isEmpty, slug.last != separator {
                slug.append(separator)
            }
            if slug.utf8.count >= limit { break }
        }
        while slug.last == separator { slug.removeLast() }
        return slug
    }
}

extension Character {
    var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
