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
    static func redacted(_ bytes: [UInt8], type: String?) -> String? {
        guard let type = type.map({ MediaType($0) }) else {
            let isJSON = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[")
            return isJSON ? SecretJSON.redacted(bytes) : nil
        }
        if type.isForm { return String(SecretQuery.redacted("?" + String(decoding: bytes, as: UTF8.self)).dropFirst()) }
        return type.isJSON ? SecretJSON.redacted(bytes) : nil
    }
}
