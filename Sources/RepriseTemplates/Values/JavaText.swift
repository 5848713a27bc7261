// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Strings as Java compares and measures them, in UTF-16 code units.
enum JavaText {
    /// Compares two texts: negative, zero, or positive.
    static func order(_ one: String, _ other: String) -> Int {
        var left = one.utf16.makeIterator()
        var right = other.utf16.makeIterator()
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return 0
            case (nil, _): return -1
            case (_, nil): return 1
            case (let unit?, let counterpart?): if unit != counterpart { return Int(unit) - Int(counterpart) }
            }
        }
    }

    /// The text without the characters up to U+0020 at its ends.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { $0.value > 0x20 }),
            let last = scalars.lastIndex(where: { $0.value > 0x20 })
        else { return "" }
        return String(scalars[first...last])
    }
}
