// SPDX-License-Identifier: Apache-2.0

/// Decides whether a value could be a secret, for names that are ambiguous.
package enum SecretValue {
    /// The minimum number of visible characters. Tokens of a language model and names of design tokens are shorter.
    @inlinable package static var minimumLength: Int { 12 }

    /// Whether `byte` may be one of the first ``minimumLength`` bytes of a secret.
    @inlinable
    package static func mayContain(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "&")
    }

    /// Whether a value could be a secret.
    package static func isLikely(_ value: Span<UInt8>) -> Bool {
        guard value.count >= minimumLength else { return false }
        for index in 0..<minimumLength where !mayContain(value[index]) { return false }
        return true
    }
}
