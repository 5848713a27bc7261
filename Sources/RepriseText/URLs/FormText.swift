// SPDX-License-Identifier: Apache-2.0

/// Encodes and decodes names and values of queries and forms.
package enum FormText {
    /// Returns the names and values of a query or form, as written. Empty pairs are left out. A name without an equals
    /// sign has an empty value.
    @inlinable
    package static func pairs<Text: Collection<UInt8>>(
        _ text: Text
    ) -> [(name: Text.SubSequence, value: Text.SubSequence)] {
        text.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (name, pair[name.endIndex...].dropFirst())
        }
    }

    /// Returns the names and values of a query or form, decoded. A plus sign becomes a space.
    package static func decodedPairs(_ text: Substring) -> [(name: String, value: String)] {
        pairs(text.utf8).map { (decoded(Substring($0.name)), decoded(Substring($0.value))) }
    }

    /// Returns the verdict for a name that may be percent-encoded.
    package static func verdict(
        of name: Span<UInt8>,
        in field: SecretNames.Fields,
        _ names: SecretNames
    ) -> SecretNames.Verdict? {
        for index in name.indices where name[index] == UInt8(ascii: "%") {
            let decoded = decoded(name)[...]
            return names.verdict(of: decoded.span, in: field)
        }
        return names.verdict(of: name, in: field)
    }

    /// Returns the text without its percent-encoding. A plus sign becomes a space.
    package static func decoded(_ text: Span<UInt8>) -> [UInt8] {
        PercentEscape.decoded(text, plus: 0x20)
    }

    /// Returns the text without its percent-encoding. A plus sign becomes a space.
    package static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        let bytes = Array(text.utf8)[...]
        return String(decoding: decoded(bytes.span), as: UTF8.self)
    }

    /// Returns the text encoded as a name or value of a form (WHATWG URL, application/x-www-form-urlencoded).
    package static func encoded(_ text: [UInt8]) -> [UInt8] {
        let bytes = text[...]
        var encoded = PercentEscape.encoded(bytes.span, except: plain)
        for index in encoded.indices where encoded[index] == 0x20 { encoded[index] = UInt8(ascii: "+") }
        return encoded
    }

    /// Returns the text encoded as a name or value of a form (WHATWG URL, application/x-www-form-urlencoded).
    package static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x20 || !plain.contains($0) }) else { return text }
        return String(decoding: encoded(Array(text.utf8)), as: UTF8.self)
    }

    /// The bytes that are not escaped. A space becomes a plus sign.
    private static let plain = ByteSet.word.union(ByteSet("*-. "))
}
