// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The decoded forms of a text: without its escapes, converted from UTF-16, and the content of Base64 in it. A secret
/// that is recognized later can be in any of these.
package enum DecodedSpellings {
    /// The maximum number of nested encodings that are decoded.
    static let maximumDepth = 3
    private static let minimumBase64Length = 16

    /// Calls `body` with each decoded form of `text`, except `text` itself.
    package static func forEach(in text: [UInt8], _ body: ([UInt8]) -> Void) {
        forEach(in: text, depth: 0, body)
    }

    private static func forEach(in text: [UInt8], depth: Int, _ body: ([UInt8]) -> Void) {
        guard depth < maximumDepth else { return }
        func visit(_ decoded: [UInt8]) {
            body(decoded)
            forEach(in: decoded, depth: depth + 1, body)
        }
        if let wide = WideText(text) { return visit(wide.bytes) }
        let slice = text[...]
        for escapes in TextEscapes.escapingWords(in: slice.span) {
            if let decoded = escapes.decoded(slice.span, 0..<text.count) { visit(decoded.bytes) }
        }
        var index = 0
        while let run = EncodedText.run(in: slice.span, from: index) {
            index = run.upperBound
            guard run.count >= minimumBase64Length else { continue }
            // A path can contain Base64 between its slashes.
            var start = run.lowerBound
            for _ in 0..<8 {
                let content = EncodedText.text(slice.span, start..<run.upperBound)
                if let content { visit(content) }
                guard content == nil, let slash = text[start..<run.upperBound].firstIndex(of: UInt8(ascii: "/"))
                else { break }
                start = slash + 1
            }
        }
    }
}

extension TextEscapes {
    /// The characters after the backslash in the escapes that ``SecretTable`` covers. Other escapes are rare: `\u0061`,
    /// `\x61`, and an unneeded backslash, as in Markdown and in shells.
    private static let commonEscapes = ByteSet("\"\\/bfnrt")

    /// Returns the kinds of escapes in a text that can encode characters of a secret.
    static func escapingWords(in text: Span<UInt8>) -> [TextEscapes] {
        var (backslash, percent, references) = (false, false, false)
        var index = 0
        while index + 2 < text.count {
            let next = text[index + 1]
            switch text[index] {
            case UInt8(ascii: "\\"): backslash = backslash || !commonEscapes.contains(next)
            case UInt8(ascii: "%"): percent = percent || 0x32...0x37 ~= next
            case UInt8(ascii: "&"): references = references || next == UInt8(ascii: "#")
            default: break
            }
            index += 1
        }
        return (backslash ? [.backslash] : []) + (percent ? [.percent] : []) + (references ? [.references] : [])
    }
}

extension SecretTable {
    /// Returns the cuts for values in which some characters are escaped. The ranges are in order and do not overlap.
    func cuts(inEscapes bytes: Span<UInt8>) -> [Cut] {
        var cuts: [Cut] = []
        addCuts(inEscapes: bytes, depth: 0, &cuts)
        cuts.normalize()
        return cuts
    }

    private func addCuts(inEscapes bytes: Span<UInt8>, depth: Int, _ cuts: inout [Cut]) {
        guard depth < DecodedSpellings.maximumDepth else { return }
        addCuts(inBase64: bytes, depth: depth, &cuts)
        for escapes in TextEscapes.escapingWords(in: bytes) {
            guard let decoded = escapes.decoded(bytes, 0..<bytes.count) else { continue }
            let slice = decoded.bytes[...]
            var found: [Cut] = []
            addCuts(inEscapes: slice.span, depth: depth + 1, &found)
            var start = 0
            while let match = next(in: slice.span, from: start, before: slice.count) {
                found.append(Cut(range: match.range, replacement: .remembered(match.secret)))
                start = match.range.upperBound
            }
            for cut in found {
                let source = decoded.map.source(of: cut.range)
                // A value without escapes is found in the text itself.
                guard source.count > cut.range.count else { continue }
                cuts.append(Cut(range: source, replacement: cut.replacement))
            }
        }
    }

    /// Adds a cut for each Base64 text whose content is compressed or escaped and contains a value. A value in plain
    /// Base64 is in the table.
    private func addCuts(inBase64 bytes: Span<UInt8>, depth: Int, _ cuts: inout [Cut]) {
        var index = 0
        while let run = EncodedText.run(in: bytes, from: index) {
            index = run.upperBound
            guard let content = EncodedText.text(bytes, run) else { continue }
            let slice = content[...]
            var found: [Cut] = []
            addCuts(inEscapes: slice.span, depth: depth + 1, &found)
            if found.isEmpty, EncodedText.isCompressed(bytes, run),
                let match = next(in: slice.span, from: 0, before: slice.count)
            {
                found.append(Cut(range: match.range, replacement: .remembered(match.secret)))
            }
            if let first = found.first { cuts.append(Cut(range: run, replacement: first.replacement)) }
        }
    }
}
