// SPDX-License-Identifier: Apache-2.0

/// Random numbers that are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Text of up to `length` characters, most of them ones that mean something in a URL or a shell.
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
