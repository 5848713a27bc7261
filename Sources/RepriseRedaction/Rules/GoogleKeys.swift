// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Google API keys, OAuth access and refresh tokens, and client secrets.
    static let google = spelled(
        #"AIza[\w-]{35,}"#,
        #"ya29\.[\w-]{20,}"#,
        #"1//0[\w-]{30,}"#,
        #"GOCSPX-[\w-]{20,}"#,
        #"4/0A[\w-]{40,}"#,
        // HMAC keys of Cloud Storage.
        #"GOOG1E[A-Z0-9]{50,}"#
    )
}
