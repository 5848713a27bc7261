// SPDX-License-Identifier: Apache-2.0

internal import RepriseHashing
internal import RepriseText

/// A salted fingerprint of a secret: its length, and half of the SHA-256 of a salt and the secret.
///
/// The salt is in the log, so a reader of the log can test guesses. Short values and plain words, which are easy to
/// guess, therefore have no fingerprint. A longer value that is in a dictionary can still be guessed.
struct SecretFingerprint: Hashable, Comparable {
    /// The number of bytes of the secret.
    let length: Int
    private let hash: [UInt8]

    /// The length of the shortest secret with a fingerprint. A shorter one is easier to guess.
    static let minimumLength = 12
    private static let maximumLength = 4 << 10
    private static let hashLength = 16

    init(of value: ArraySlice<UInt8>, salt: [UInt8]) {
        length = value.count
        hash = Array(SHA256.digest(of: salt + value).prefix(Self.hashLength))
    }

    /// An order that says nothing about the secrets' order of appearance.
    static func < (one: SecretFingerprint, other: SecretFingerprint) -> Bool {
        one.hash.lexicographicallyPrecedes(other.hash)
    }

    init?(text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: ":"))
        guard parts.count == 2, let length = Int(digits: parts[0]), length > 0,
            let hash = [UInt8](hexadecimal: parts[1]), hash.count == Self.hashLength
        else { return nil }
        (self.length, self.hash) = (length, hash)
    }

    /// The fingerprint as written in the log: the length, a colon, and hexadecimal digits.
    var text: String { "\(length):\(hash.map(hexadecimal).joined())" }

    /// Whether `value` can have a fingerprint: it is long enough, has no whitespace, and mixes letters and digits.
    static func isSuitable(_ value: ArraySlice<UInt8>) -> Bool {
        guard minimumLength...maximumLength ~= value.count else { return false }
        var digits = 0
        var letters = 0
        for byte in value {
            if isDigit(byte) { digits += 1 } else if (byte | 0x20) &- 0x61 < 26 { letters += 1 }
            if byte <= 0x20 || byte >= 0x7F { return false }
        }
        // A text without digits can be a sentence, and one without letters is a number or a date.
        return digits >= 2 && letters >= 2
    }
}
