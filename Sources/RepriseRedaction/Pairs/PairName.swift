// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The name of a secret before a pair's sign.
struct PairName: Sendable {
    let verdict: SecretNames.Verdict
    /// The quotes around the name.
    let quote: Quote
    /// Whether it is the name of a parameter that follows another parameter or a URL.
    let isParameter: Bool

    /// The spelling of a quote.
    enum Quote: Sendable, Hashable {
        case none
        case double(slashes: Int)
        /// Another spelling. If `escape` precedes it, the quote does not end the value.
        case token([UInt8], escape: [UInt8])
    }

    private static let bytes = ByteSet.word.union(ByteSet("-.[]$%\\+"))
    private static let decodedBytes = ByteSet.word.union(ByteSet("-.[]$"))

    /// A quick check of whether the text before the sign at `index` can be a name, mostly by its last letters.
    @inline(__always)
    static func mayEnd(before index: Int, in bytes: Span<UInt8>, _ names: SecretNames) -> Bool {
        var end = index
        if end > 0, bytes[end &- 1] == UInt8(ascii: "\"") { end &-= 1 }
        while end > 0, bytes[end &- 1] == UInt8(ascii: "\\"), index &- end < 16 { end &-= 1 }
        guard end > 0 else { return false }
        // An escape such as `%22` or `%5D` can follow the name, so its last character says nothing about the name.
        let last = bytes[end &- 1]
        guard (last | 0x20) &- 0x61 < 26, last | 0x20 != UInt8(ascii: "d") else { return true }
        return names.mayContain(bytes.extracting(max(0, end &- 24)..<end))
    }

    /// Finds the name that ends before the sign at `index`. Returns `nil` if it is not the name of a secret.
    init?(
        before index: Int,
        _ sign: PairSign,
        in bytes: Span<UInt8>,
        _ context: PairScanner.Context,
        _ names: SecretNames
    ) {
        let low = max(0, index - PairScanner.lookBehind + 8)
        var end = index
        while end > low, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        if sign.isColon {
            (quote, end) = Self.quote(before: end, low, in: bytes)
            // The scanner for JSON handles these keys.
            if context.isJSON, quote == .double(slashes: 0) { return nil }
        } else {
            quote = .none
        }
        var start = end
        var isEscaped = false
        while start > low, Self.bytes.contains(bytes[start - 1]) {
            start -= 1
            let byte = bytes[start]
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "+") { isEscaped = true }
        }
        // A longer name cannot be that of a secret.
        guard end > start, start > low || low == 0 else { return nil }
        let before = start > 0 ? bytes[start - 1] : nil
        if isEscaped {
            guard let found = Self.decoded(bytes.extracting(start..<end)) else { return nil }
            let slice = found.name[...]
            isParameter = sign.isColon ? false : found.lead.map(Self.startsParameter) ?? Self.startsParameter(before)
            guard let verdict = names.verdict(of: slice.span, in: isParameter ? .query : .json, mayBeCut: true) else {
                return nil
            }
            self.verdict = verdict
        } else {
            isParameter = !sign.isColon && Self.startsParameter(before)
            let text = bytes.extracting(start..<end)
            guard let verdict = names.verdict(of: text, in: isParameter ? .query : .json, mayBeCut: true) else {
                return nil
            }
            self.verdict = verdict
            // In a script, a semicolon also ends a statement.
            if !sign.isColon, context.isScript, before == UInt8(ascii: ";"), !bytes.has(Self.ampersand, at: start - 5) {
                return nil
            }
        }
        if context.isScript, !sign.isColon, !isParameter { return nil }
    }

    private static let ampersand = Array("&amp;".utf8)

    private static func startsParameter(_ byte: UInt8?) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): true
        default: false
        }
    }

    /// Finds the quote that ends at `end`, and its start.
    private static func quote(
        before end: Int,
        _ low: Int,
        in bytes: Span<UInt8>
    ) -> (quote: Quote, start: Int) {
        guard end > low else { return (.none, end) }
        if bytes[end - 1] == UInt8(ascii: "\"") {
            var start = end - 1
            while start > low, bytes[start - 1] == UInt8(ascii: "\\") { start -= 1 }
            return (.double(slashes: end - 1 - start), start)
        }
        switch bytes[end - 1] {
        case UInt8(ascii: "2"), UInt8(ascii: "7"), UInt8(ascii: ";"), UInt8(ascii: "'"): break
        default: return (.none, end)
        }
        for token in tokens where bytes.has(token.text, at: end - token.text.count) {
            return (.token(token.text, escape: token.escape), end - token.text.count)
        }
        return (.none, end)
    }

    /// The other spellings of quotes. Spellings that contain others are listed first.
    static let tokens: [(text: [UInt8], escape: [UInt8])] = [
        ("%5C%5C%5C%22", "%5C%5C%5C%5C%5C%5C%5C"), ("%255C%2522", "%255C%255C%255C"), ("%5C%22", "%5C%5C%5C"),
        ("%252522", "%25255C"), ("%2522", "%255C"), ("%22", "%5C"), ("%27", "%5C"), ("\\u0022", "\\\\"),
        ("&quot;", "\\"), ("&#34;", "\\"), ("&#x22;", "\\"), ("&#39;", "\\"), ("'", "\\"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

    /// Returns the last name in a text with escapes and the character before it, if any.
    private static func decoded(_ text: Span<UInt8>) -> (name: [UInt8], lead: UInt8?)? {
        var decoded: [UInt8] = []
        for index in text.indices { decoded.append(text[index]) }
        for _ in 0..<4 where decoded.contains(UInt8(ascii: "%")) {
            let slice = decoded[...]
            decoded = FormText.decoded(slice.span)
        }
        var lead: UInt8?
        if let slash = decoded.lastIndex(of: UInt8(ascii: "\\")) {
            let isUnicode = slash + 1 < decoded.count && decoded[slash + 1] == UInt8(ascii: "u")
            let end = min(decoded.count, slash + (isUnicode ? 6 : 2))
            let slice = decoded[slash..<end]
            lead = JSONEscapes.decoded(slice.span).first
            decoded.removeFirst(end)
        }
        // A plus inside a name was decoded to a space.
        if let index = decoded.lastIndex(where: { !decodedBytes.contains($0) && $0 != 0x20 }) {
            lead = decoded[index]
            decoded.removeFirst(index + 1)
        }
        return decoded.isEmpty ? nil : (decoded, lead)
    }
}
