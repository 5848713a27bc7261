// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The value of a request in the place of a stand-in, as a hash, so that a secret is not kept. Hashes can be compared
/// only within this process.
struct StandInValue: Sendable, Hashable {
    private let hash: Int
    private let count: Int

    /// Creates the value of `bytes`, which are decoded. Every spelling of a value has the same hash.
    init(_ bytes: [UInt8]) {
        var hasher = Hasher()
        hasher.combine(bytes)
        hash = hasher.finalize()
        count = bytes.count
    }

    /// Creates the value of canonical bytes of a form.
    init(_ bytes: Span<UInt8>, _ form: CanonicalForm) {
        switch form {
        case .path, .multipart, .text: self.init(PercentEscape.decoded(bytes))
        case .pairs: self.init(PercentEscape.decoded(bytes, plus: 0x20))
        case .json: self.init(PercentEscape.decoded(Self.withoutEscapes(bytes).span))
        }
    }

    /// Returns the content of a canonical JSON string without escapes.
    private static func withoutEscapes(_ bytes: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            // A canonical string escapes only what it must: quotes, backslashes, and control characters.
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "u") {
                index += 1
            }
            decoded.append(bytes[index])
            index += 1
        }
        return decoded
    }
}
