// SPDX-License-Identifier: Apache-2.0

/// Recognizes values in which marks replace a secret, except for a few characters: `••••1234`, `sk_live_****`,
/// `xxxx-xxxx`.
struct ValueMask {
    /// The maximum number of characters that a mask shows, and of those without a separator between them.
    private static let (maximumShown, maximumRun) = (10, 6)

    /// The spellings of bullets (U+2022 and U+25CF).
    private static let bullets: [[UInt8]] = [
        "\u{2022}", "\u{25CF}", "\\u2022", "\\u25cf", "\\u25CF", "&bull;", "&#8226;", "&#x2022;", "&#9679;",
    ].map { Array($0.utf8) }

    /// Whether the value is a mask.
    let judgment: MessageText.Judgment

    /// Decides on a value, or on its start.
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
            // Bullets are no part of a secret, however many there are.
            judgment = bullets == value.count && bullets >= MessageText.judgedLength ? .message : .undecided
        }
    }

    /// Returns the length of the asterisk or bullet at `index`. The last bullet can be cut.
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
