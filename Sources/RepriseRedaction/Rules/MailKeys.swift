// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// SendGrid keys.
    static let mail = spelled(
        #"SG\.[\w-]{16,}\.[\w-]{20,}"#
    )
}
