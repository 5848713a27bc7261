// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// DigitalOcean and Vault tokens, and age keys.
    static let infrastructure = spelled(
        #"dop_v1_[a-f0-9]{40,}"#,
        #"hvs\.[\w-]{20,}"#,
        #"AGE-SECRET-KEY-1[A-Z0-9]{50,}"#
    )
}
