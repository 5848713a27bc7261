// SPDX-License-Identifier: Apache-2.0

/// What a value looks like that could be a secret: it counts where the name alone does not tell.
package enum SecretValue {
    /// How many visible characters it has at least. Tokens of a language model are shorter, as are the names of tokens in a
    /// design system.
    @inlinable package static var minimumLength: Int { 12 }

    /// Whether such a byte may be one of the first ``minimumLength`` ones.
    @inlinable
    package static func mayHold(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "&")
    }

    /// Whether a value could be a secret.
    package static func isLikely(_ value: Span<UInt8>) -> Bool {
        guard value.count >= minimumLength else { return false }
        for index in 0..<minimumLength where !mayHold(value[index]) { return false }
        return true
    }
}
