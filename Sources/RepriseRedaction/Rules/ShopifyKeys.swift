// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Shopify access tokens and shared secrets.
    static let shopify = spelled(
        #"shpat_[A-Fa-f0-9]{32,}"#,
        #"shpss_[A-Fa-f0-9]{32,}"#,
        #"shpca_[A-Fa-f0-9]{32,}"#,
        #"shppa_[A-Fa-f0-9]{32,}"#,
        #"shprt_[A-Fa-f0-9]{32,}"#
    )
}
