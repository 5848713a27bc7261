// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The name of a secret before a sign.
struct PairName: Sendable {
    /// What it says.
    let verdict: SecretNames.Verdict
    /// The quotes around it.
    let quote: Quote
    /// Whether it is that of a parameter, behind another one or a URL.
    let isParameter: Bool

    /// How a quote is spelled.
    enum Quote: Sendable, Hashable {
        case none
        case double(slashes: Int)
        /// With what stands before it where it does not end a value.
        case token([UInt8], escape: [UInt8])
    }

    private static let bytes = ByteSet.word.union(ByteSet("-.[]$%\\+"))
    private static let decodedBytes = ByteSet.word.union(ByteSet("-.[]$"))

    /// Whether a look at what stands before the sign at `index` is worth it: by its last letters, mostly.
    @inline(__always)
    static func mayEnd(before index: Int, in bytes: Span<UInt8>, _ names: SecretNames) -> Bool {
        var end = index
        if end > 0, bytes[end &- 1] == UInt8(ascii: "\"") { end &-= 1 }
        while end > 0, bytes[end &- 1] == UInt8(ascii: "\\"), index &- end < 16 { end &-= 1 }
        guard end > 0 else { return false }
        // Of an escape that ends so, the letters tell nothing.
        let last = bytes[end &- 1]
        guard (last | 0x20) &- 0x61 < 26, last | 0x20 != UInt8(ascii: "d") else { return true }
        return names.mayHold(bytes.extracting(max(0, end &- 24)..<end))
    }

    /// The name that ends before the sign at `index`; `nil` if none of a secret does.
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
            // Those are told by the keys of JSON.
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
        // A longer one is the name of no secret.
        guard end > start, start > low || low == 0 else { return nil }
        let before = start > 0 ? bytes[start - 1] : nil
        if isEscaped {
            guard let found = Self.decoded(bytes.extracting(start..<end)) else { return nil }
            let slice = found.name[...]
            isParameter = sign.isColon ? false : found.lead.map(Self.isLead) ?? Self.isLead(before)
            guard let verdict = names.verdict(of: slice.span, in: isParameter ? .query : .json, mayBeCut: true) else {
                return nil
            }
            self.verdict = verdict
        } else {
            isParameter = !sign.isColon && Self.isLead(before)
            let text = bytes.extracting(start..<end)
            guard let verdict = names.verdict(of: text, in: isParameter ? .query : .json, mayBeCut: true) else {
                return nil
            }
            self.verdict = verdict
            // A statement ends with a semicolon too.
            if !sign.isColon, context.isScript, before == UInt8(ascii: ";"), !bytes.has(Self.ampersand, at: start - 5) {
                return nil
            }
        }
        if context.isScript, !sign.isColon, !isParameter { return nil }
    }

    private static let ampersand = Array("&amp;".utf8)

    private static func isLead(_ byte: UInt8?) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): true
        default: false
        }
    }

    /// The quote that ends at `end`, and where it starts.
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

    /// The other spellings of quotes, those before which other ones may end or start.
    static let tokens: [(text: [UInt8], escape: [UInt8])] = [
        ("%5C%5C%5C%22", "%5C%5C%5C%5C%5C%5C%5C"), ("%255C%2522", "%255C%255C%255C"), ("%5C%22", "%5C%5C%5C"),
        ("%252522", "%25255C"), ("%2522", "%255C"), ("%22", "%5C"), ("%27", "%5C"), ("\\u0022", "\\\\"),
        ("&quot;", "\\"), ("&#34;", "\\"), ("&#x22;", "\\"), ("&#39;", "\\"), ("'", "\\"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

    /// The last name in a text with escapes, and what stands before it, if anything does.
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
        // Spaces are within a name, where a plus was.
        if let index = decoded.lastIndex(where: { !decodedBytes.contains($0) && $0 != 0x20 }) {
            lead = decoded[index]
            decoded.removeFirst(index + 1)
        }
        return decoded.isEmpty ? nil : (decoded, lead)
    }
}
