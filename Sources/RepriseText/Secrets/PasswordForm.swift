// SPDX-License-Identifier: Apache-2.0

/// The kinds of characters in a value that can be a password.
package struct PasswordForm: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let digit = PasswordForm(rawValue: 1)
    static let capital = PasswordForm(rawValue: 2)
    static let small = PasswordForm(rawValue: 4)
    static let sign = PasswordForm(rawValue: 8)
    /// Characters that are common in URLs, times, and prose, but rare in passwords.
    static let separator = PasswordForm(rawValue: 16)

    private static let signs = ByteSet("!#$%&*+?@^~")

    package init(_ value: Span<UInt8>) {
        self = []
        for index in value.indices {
            let byte = value[index]
            if isDigit(byte) {
                insert(.digit)
            } else if (byte | 0x20) &- 0x61 < 26 {
                insert(byte & 0x20 == 0 ? .capital : .small)
            } else if Self.signs.contains(byte) {
                insert(.sign)
            } else if byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") {
                insert(.separator)
            }
        }
    }

    /// The number of kinds, apart from separators.
    package var kinds: Int { subtracting(.separator).rawValue.nonzeroBitCount }

    /// Whether a value has the form that many sites require of a password: at least eight characters, including
    /// a lowercase letter, an uppercase letter, a digit, and a symbol, but no separators.
    package static func isDemanded(_ value: Span<UInt8>) -> Bool {
        guard value.count >= 8 else { return false }
        let form = PasswordForm(value)
        return form.kinds == 4 && !form.contains(.separator)
    }

    /// Whether a value that stands beside the certain name of a password can be one: at least eight characters of this
    /// number of kinds, including a digit, but no separators. `Base64-encoded` and `sha256sum` are words about a
    /// password.
    package static func isPlausible(_ value: Span<UInt8>, kinds: Int) -> Bool {
        guard 8...64 ~= value.count else { return false }
        let form = PasswordForm(value)
        guard form.contains(.digit), form.kinds >= kinds, !form.contains(.separator) else { return false }
        return !isTechnical(value)
    }

    private static let technicalWords = [
        "aes", "argon2", "base32", "base58", "base64", "bcrypt", "hmac", "http", "ldap", "md5", "oauth2", "pbkdf2",
        "rsa", "scram", "sha1", "sha2", "sha3", "sha5", "tls", "utf", "x509",
    ].map { Array($0.utf8) }

    private static func isTechnical(_ value: Span<UInt8>) -> Bool {
        technicalWords.contains { word in word.indices.allSatisfy { value[$0].asciiLowercased == word[$0] } }
    }

    /// Whether a value of at least six characters looks like a password: random, or with characters of three kinds.
    package static func isLikely(_ value: Span<UInt8>) -> Bool {
        value.count >= 6 && (PasswordForm(value).kinds >= 3 || RandomValue.looksRandom(value))
    }
}
