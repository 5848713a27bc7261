// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Names of values that identify an object, or a position in a list. APIs encode such values in Base64, so they can
/// look like credentials: `dGVhbTpDMDYxRkE1UEI=` is `team:C061FA5PB`.
enum IdentifierName {
    /// The last words of these names. Longer words are compared by their last eight characters.
    private static let words = WordTable<Bool>([
        (
            [
                "after", "before", "continue", "cursor", "cursors", "id", "ids", "marker", "next", "offset", "prev",
                "uid",
            ], true
        )
    ])

    /// Whether the last word of a name denotes an identifier or a position.
    static func names(_ name: Span<UInt8>) -> Bool {
        guard let last = name.indices.last else { return false }
        // The last word starts with a capital (`endCursor`), is in capitals (`nodeID`), or follows a character that is
        // not a letter (`next_cursor`).
        let isSmall = name[last] & 0x20 != 0
        var start = name.count
        while start > 0, (name[start - 1] | 0x20) &- 0x61 < 26, name.count - start < 10 {
            let isCapital = name[start - 1] & 0x20 == 0
            if !isSmall, !isCapital { break }
            start -= 1
            if isSmall, isCapital { break }
        }
        return words[name.extracting(start..<name.count)] == true
    }
}
