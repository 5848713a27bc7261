// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Body {
    /// The maximum number of bytes of a body that a log shows.
    static let shownLength = 1024

    /// Returns the content as a log shows it: the first bytes of JSON and forms with secrets redacted, and only the
    /// size and type of anything else.
    ///
    /// - Parameter type: The body's Content-Type.
    func shown(type: String?) -> String {
        guard isInMemory else { return "(\(length.map { "\($0) bytes" } ?? "a stream") of \(type ?? "no type"))" }
        var bytes: [UInt8] = []
        for case .bytes(let part, _) in partsInMemory {
            bytes += part.prefix(Self.shownLength - bytes.count)
            if bytes.count == Self.shownLength { break }
        }
        guard !bytes.isEmpty else { return "" }
        let total = length ?? bytes.count
        guard let text = Self.redacted(bytes, type: type) else {
            return "(\(total) bytes of \(type ?? "no type"))"
        }
        return total > bytes.count ? "\(text)… (\(total) bytes)" : text
    }

    /// Returns the content with its secrets redacted, or unchanged if it is neither JSON nor a form.
    func withoutSecrets(type: String?) -> Body {
        guard let bytes = inMemory, let text = Self.redacted(bytes, type: type) else { return self }
        return Body(text)
    }

    /// Returns the content with its secrets redacted, or nil if it is neither JSON nor a form.
    ///
    /// JSON lines and events count as JSON, and so does content of any type that starts as JSON does.
    static func redacted(_ bytes: [UInt8], type: String?) -> String? {
        let type = type.map { MediaType($0) }
        if type?.isForm == true {
            return String(SecretQuery.redacted("?" + String(decoding: bytes, as: UTF8.self)).dropFirst())
        }
        let isJSON = type.map { $0.isJSON || $0.isJSONLines || $0.isEventStream } ?? false
        return isJSON || startsAsJSON(bytes) ? SecretJSON.redacted(bytes) : nil
    }

    /// Whether content is an object or array of JSON. Text in brackets, such as a time, is something else.
    private static func startsAsJSON(_ bytes: [UInt8]) -> Bool {
        let text = bytes.span.startsWithByteOrderMark ? bytes.dropFirst(3) : bytes[...]
        let marks = text.lazy.filter { !" \t\r\n".utf8.contains($0) }.prefix(2).map { Character(Unicode.Scalar($0)) }
        return ["{\"", "{}", "[{", "[[", "[\"", "[]"].contains(String(marks))
    }

    /// Returns text of another type, or nil if it may contain a secret: if one of its words is the name of a secret or
    /// looks random, or if it is not text.
    static func harmlessText(_ bytes: [UInt8], type: String?) -> String? {
        guard type.map({ MediaType($0) }).map({ $0.isXML || $0.name.hasPrefix("text/") }) ?? true else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let mayBeSecret = words(text).contains { isSecretName($0) || RandomValue.looksRandom(Array($0.utf8).span) }
        return mayBeSecret ? nil : text
    }

    /// Returns a human-readable sentence in which words that look random are redacted. If the sentence contains the
    /// name of a secret, any word that does not consist of plain words and numbers counts as random.
    static func redactedSentence(_ text: String) -> String {
        let words = words(text)
        let namesSecret = words.contains(where: isSecretName)
        var (shown, rest) = ("", text.startIndex)
        for word in words where RandomValue.looksRandom(Array(word.utf8).span, isCredential: namesSecret) {
            shown += text[rest..<word.startIndex] + RedactionMarker.plain
            rest = word.endIndex
        }
        return shown + text[rest...]
    }

    private static func words(_ text: String) -> [Substring] {
        text.utf8.split { $0 <= 0x20 || "\"'<>&=:;,()".utf8.contains($0) }.map { Substring($0) }
    }

    private static func isSecretName(_ word: Substring) -> Bool { SecretNames.shown.isSecret(String(word), in: .json) }
}
