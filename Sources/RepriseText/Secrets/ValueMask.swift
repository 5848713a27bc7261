// SPDX-License-Identifier: Apache-2.0

/// Recognizes masks, in which marks replace all but a few characters of a secret: `••••1234`, `sk_live_****`,
/// `xxxx-xxxx`.
struct ValueMask {
    /// The maximum number of characters that a mask shows, in total and in a row.
    private static let (maximumShown, maximumRun) = (10, 6)

    /// The spellings of bullets (U+2022 and U+25CF).
    private static let bullets: [[UInt8]] = [
        "\u{2022}", "\u{25CF}", "\\u2022", "\\u25cf", "\\u25CF", "&bull;", "&#8226;", "&#x2022;", "&#9679;",
    ].map { Array($0.utf8) }

    let judgment: MessageText.Judgment

    /// Judges a value, or its start.
    ///
    /// - Parameter isWhole: Whether the value ends after these bytes.
    init(_ value: Span<UInt8>, isWhole: Bool) {
        var (marks, longest, shown, run, bullets) = (0, 0, 0, 0, 0)
        var index = 0
        while index < value.count {
            if let count = Self.mark(value, at: index, isWhole: isWhole) {
                marks += 1
                longest = max(longest, marks)
                run = 0
                if value[index] != UInt8(ascii: "*") { bullets += count }
                index += count
                continue
            }
            marks = 0
            if let count = Self.crosses(value, at: index) {
                // Four crosses are as clear as three other marks.
                longest = max(longest, count - 1)
                run = 0
                index += count
                continue
            }
            index += 1
            if " -_.".utf8.contains(value[index - 1]) {
                run = 0
                continue
            }
            (shown, run) = (shown + 1, run + 1)
            guard run <= Self.maximumRun, shown <= Self.maximumShown else {
                judgment = .value
                return
            }
        }
        if isWhole {
            judgment = longest >= 3 ? .message : .value
        } else {
            // A secret contains no bullets, so the rest of a long row of them does not matter.
            judgment = bullets == value.count && bullets >= MessageText.judgedLength ? .message : .undecided
        }
    }

    /// Returns the length of the asterisk or bullet at `index`. At the end of a value that goes on, a bullet can be
    /// incomplete.
    private static func mark(_ value: Span<UInt8>, at index: Int, isWhole: Bool) -> Int? {
        if value[index] == UInt8(ascii: "*") { return 1 }
        guard value[index] >= 0x80 || value[index] == UInt8(ascii: "\\") || value[index] == UInt8(ascii: "&") else {
            return nil
        }
        for bullet in bullets {
            let count = min(bullet.count, value.count - index)
            guard count == bullet.count || !isWhole else { continue }
            if (0..<count).allSatisfy({ value[index + $0] == bullet[$0] }) { return count }
        }
        return nil
    }

    /// Returns the number of crosses at `index` if they are at least four, and no part of a longer word.
    private static func crosses(_ value: Span<UInt8>, at index: Int) -> Int? {
        let byte = value[index]
        let before = index > 0 ? value[index - 1] : 0
        guard byte | 0x20 == UInt8(ascii: "x"), before == UInt8(ascii: "_") || !isWordByte(before) else { return nil }
        var end = index
        while end < value.count, value[end] == byte { end += 1 }
        guard end - index >= 4, end == value.count || (value[end] | 0x20) &- 0x61 >= 26 else { return nil }
        return end - index
    }
}
