// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Slack tokens and webhook paths.
    static let slack = spelled(
        #"xoxb-[\w-]{10,}"#,
        #"xoxp-[\w-]{10,}"#,
        #"xoxa-[\w-]{10,}"#,
        #"xoxr-[\w-]{10,}"#,
        #"xoxs-[\w-]{10,}"#,
        #"xoxe-[\w-]{10,}"#,
        #"xoxe\.[\w.-]{10,}"#,
        #"xapp-[\w-]{10,}"#,
        #"services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20,}"#
    )
}
