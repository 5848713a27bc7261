// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport

extension SeededGenerator {
    /// Text of up to `length` characters, most of which have a special meaning in a URL or a shell.
    mutating func text(upTo length: Int = 12) -> String {
        let odd: [Unicode.Scalar] = [
            "/", "?", "#", "%", "2", "e", "E", "F", ".", ".", "&", "=", "+", " ", "\n", "\r", "\0", "\t", "\u{7F}",
            "'", "\"", "\\", "$", "`", ";", "@", ":", "[", "]", "a", "Z", "9", "~", "*", "-", "_", "ä", "€", "\u{301}",
            "😀", "\u{2028}", "\u{85}", "\u{FEFF}", "\u{202E}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...length, using: &self) { text.append(odd.randomElement(using: &self) ?? "a") }
        return String(text)
    }
}
