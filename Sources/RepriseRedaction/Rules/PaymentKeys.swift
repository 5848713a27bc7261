// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Stripe keys and webhook secrets, and Square keys.
    static let payments = spelled(
        // Stripe.
        #"sk_live_[A-Za-z0-9]{16,}"#,
        #"sk_test_[A-Za-z0-9]{16,}"#,
        #"rk_live_[A-Za-z0-9]{16,}"#,
        #"rk_test_[A-Za-z0-9]{16,}"#,
        #"whsec_[A-Za-z0-9+/]{20,}=*"#,
        // Square.
        #"sq0csp-[\w-]{30,}"#,
        #"EAAAE[\w-]{50,}"#
    )
}
