// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Keys of Stripe, Square, PayPal, Plaid, Adyen, Razorpay, Flutterwave, Paystack, Coinbase and Mollie.
    static let payments = spelled(
        // Stripe.
        #"sk_live_[A-Za-z0-9]{16,}"#,
        #"sk_test_[A-Za-z0-9]{16,}"#,
        #"rk_live_[A-Za-z0-9]{16,}"#,
        #"rk_test_[A-Za-z0-9]{16,}"#,
        #"whsec_[A-Za-z0-9+/]{20,}=*"#,
        // Square.
        #"sq0csp-[\w-]{30,}"#,
        #"EAAAE[\w-]{50,}"#,
        #"EAAAl[\w-]{50,}"#,
        #"sq0atp-[\w-]{22,}"#,
        #"sq0idb-[\w-]{22,}"#,
        #"cnon:[A-Za-z0-9]{5}[\w-]{11,}"#,
        // PayPal and Braintree, Plaid.
        #"A21AA[\w-]{60,}"#,
        #"access_token\$[a-z]{7,10}\$[a-z0-9]{16}\$[a-f0-9]{32}"#,
        #"access-sandbox-[a-f0-9-]{36}"#,
        #"access-development-[a-f0-9-]{36}"#,
        #"access-production-[a-f0-9-]{36}"#,
        // Adyen, Flutterwave, Mollie, Shippo, EasyPost.
        #"AQE[a-z]hmf[\w+/=-]{40,}"#,
        #"FLWSECK[\w-]{20,}"#,
        #"shippo_live_[a-f0-9]{40}"#,
        #"shippo_test_[a-f0-9]{40}"#,
        #"EZAK[A-Za-z0-9]{50,}"#,
        #"EZTK[A-Za-z0-9]{50,}"#
    )
}
