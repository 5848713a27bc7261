// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    /// Looks for secrets in XML or HTML.
    mutating func lookAtMarkup(_ text: Span<UInt8>) {
        var reader = MarkupReader()
        reader.read(text, &self)
        guard let shown = reader.shownText(text) else { return }
        // A label can be in another element than its value: `<b>Password:</b> x`.
        guard open(shown.map) else { return }
        let bytes = shown.bytes[...]
        if spend(bytes.count) { lookAtLines(bytes.span, TextSigns(bytes.span)) }
        close()
    }
}

extension Span<UInt8> {
    /// Whether `http://` or `https://` is at `index`.
    private func isWebLink(at index: Int) -> Bool {
        let end = index + 4
        guard end + 3 < count, self[index] == UInt8(ascii: "h"), hasWord(LinkSecrets.web, at: index) else {
            return false
        }
        let colon = self[end] == UInt8(ascii: "s") ? end + 1 : end
        return self[colon] == UInt8(ascii: ":") && self[colon + 1] == UInt8(ascii: "/")
    }

    /// Whether PHP code starts at `index`. It is not markup, although it starts with `<?`.
    func startsProgram(at index: Int) -> Bool { hasWord(Array("<?php".utf8), at: index) }

    /// The index of the first tag, comment or declaration.
    var firstTag: Int? {
        var index = 0
        while index + 2 < count {
            if self[index] == UInt8(ascii: "<") {
                let next = self[index + 1]
                if (next | 0x20) &- 0x61 < 26 || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
                    || next == UInt8(ascii: "/")
                {
                    // A link can also be in angle brackets: `<https://a.example|text>`.
                    guard isWebLink(at: index + 1) else { return index }
                }
            }
            index += 1
        }
        return nil
    }
}
