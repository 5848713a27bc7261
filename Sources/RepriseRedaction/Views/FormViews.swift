// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    private static let nameBytes = ByteSet.word.union(ByteSet("-.%+[]$*@!~:()"))

    /// Looks for secrets in a text that is a form: names and values with `=` and `&`, without spaces. Returns `false`
    /// if it is anything else.
    mutating func lookAtForm(_ text: Span<UInt8>, _ signs: TextSigns) -> Bool {
        guard signs.contains(.equals), !signs.contains(.space) else { return false }
        let range = text.trimmed(0..<text.count)
        var index = range.lowerBound
        while index < range.upperBound, Self.nameBytes.contains(text[index]) { index += 1 }
        guard index > range.lowerBound, index < range.upperBound, text[index] == UInt8(ascii: "=") else { return false }
        var hasAmpersand = false
        for place in range {
            let byte = text[place]
            if byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: ";") { return false }
            if byte == UInt8(ascii: "&") { hasAmpersand = true }
        }
        guard hasAmpersand || index < range.lowerBound + 64 else { return false }
        lookAtFields(text, range, in: .form)
        return true
    }

    /// Looks for secrets in fields that are separated by `&`, as in a form or the query of a URL.
    mutating func lookAtFields(_ text: Span<UInt8>, _ range: Range<Int>, in field: SecretNames.Fields) {
        var start = range.lowerBound
        /// The name that a field contains: `name=password&value=x`.
        var named: Verdict?
        while start < range.upperBound {
            var end = start
            var equals: Int?
            while end < range.upperBound, !Self.endsField(text[end], field) {
                if equals == nil, text[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if let equals, equals > start {
                lookAtField(text, start..<equals, equals + 1..<end, in: field, &named)
            }
            start = end + 1
        }
    }

    private static func endsField(_ byte: UInt8, _ field: SecretNames.Fields) -> Bool {
        byte == UInt8(ascii: "&") || (field == .query && (byte == UInt8(ascii: "#") || byte == UInt8(ascii: "?")))
    }

    private mutating func lookAtField(
        _ text: Span<UInt8>,
        _ name: Range<Int>,
        _ value: Range<Int>,
        in field: SecretNames.Fields,
        _ named: inout Verdict?
    ) {
        guard name.count <= 512 else { return }
        let label = text.extracting(name)
        var verdict = FormText.verdict(of: label, in: field, rules.names)
        switch FieldRole(label) {
        case .name, .hint:
            let value = FormText.decoded(text.extracting(value))[...]
            if value.count <= 64, let verdict = self.verdict(onAny: value.span) { named = verdict }
        case .value where verdict == nil: verdict = named
        default: break
        }
        guard verdict == nil, value.count >= TextSigns.minimumToken, IdentifierName.names(label) else {
            return visit(text, value, verdict, escapes: .form)
        }
        visitIdentifier(text, value, escapes: .form)
    }
}
