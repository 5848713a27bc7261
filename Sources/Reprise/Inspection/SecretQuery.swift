// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

enum SecretQuery {
    /// Returns a URL or a request target with the secrets in its query and fragment redacted.
    static func redacted(_ target: String) -> String {
        let bytes = target.utf8
        guard let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            return target
        }
        var redacted = String(target[..<mark])
        var rest = target[mark...]
        while let separator = rest.utf8.first {
            let pairs = rest[rest.utf8.index(after: rest.startIndex)...]
            let end = pairs.utf8.firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") } ?? pairs.endIndex
            redacted.unicodeScalars.append(Unicode.Scalar(separator))
            redacted += Self.redacted(pair: pairs[..<end])
            rest = pairs[end...]
        }
        return redacted
    }

    /// Returns a URL in quotes and without secrets, for messages.
    ///
    /// A URL with an `@` anywhere is hidden completely, because the text before it may contain a password.
    static func quoted(_ url: String) -> String {
        url.utf8.contains(UInt8(ascii: "@")) ? "a URL with an @" : redacted(url).debugDescription
    }

    private static func redacted(pair: Substring) -> String {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")),
            hides(pair[pair.utf8.index(after: equals)...], of: pair[..<equals])
        else { return String(pair) }
        return "\(pair[...equals])\(URLPart.value.escape(RedactionMarker.plain))"
    }

    /// Whether the value is a secret. The name is decoded as the server decodes it, so that `%61pi_key` is `api_key`.
    private static func hides(_ value: Substring, of name: Substring) -> Bool {
        let value = Array(value.utf8)[...]
        return SecretNames.shown.hides(value.span, of: PercentEscape.decoded(name), in: .query)
    }
}
