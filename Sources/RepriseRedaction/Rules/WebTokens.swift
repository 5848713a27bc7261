// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension SecretPattern {
    /// JSON Web Tokens (RFC 7519), signed (RFC 7515) or encrypted (RFC 7516), including encrypted tokens without an
    /// encrypted key. Their first part is JSON that starts with `{"`.
    static let webTokens = spelled(
        #"eyJ[\w-]{10,}\.eyJ[\w.-]*"#,
        #"eyJ[\w-]{10,}\.[\w-]{3,}\.[\w.-]*"#,
        #"eyJ[\w-]{10,}\.\.[\w-]{10,}[\w.-]*"#
    ) { pattern in
        // The header of a token can contain certificates.
        pattern.limit = 16 << 10
        // If several tokens are adjacent, scan only from the first.
        pattern.notAfter = ByteSet("-_")
    }
}
