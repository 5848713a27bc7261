// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Body {
    /// How many bytes a log has of a body.
    static let shownLength = 1024

    /// What a log may have of the content: the first bytes of JSON and of forms, without their secrets.
    ///
    /// - Parameter type: its Content-Type.
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

    /// The same content without its secrets, where it is of a kind in which they can be told.
    func withoutSecrets(type: String?) -> Body {
        guard let bytes = inMemory, let text = Self.redacted(bytes, type: type) else { return self }
        return Body(text)
    }

    /// Nil if the content is not of a kind in which secrets can be told.
    private static func redacted(_ bytes: [UInt8], type: String?) -> String? {
        guard let type = type.map({ MediaType($0) }) else {
            let isJSON = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[")
            return isJSON ? SecretJSON.redacted(bytes) : nil
        }
        if type.isForm { return String(SecretQuery.redacted("?" + String(decoding: bytes, as: UTF8.self)).dropFirst()) }
        return type.isJSON ? SecretJSON.redacted(bytes) : nil
    }
}
