// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Postman, Linear, Figma and Notion keys.
    static let workplace = spelled(
        #"PMAK-[a-f0-9-]{50,}"#,
        #"lin_api_[A-Za-z0-9]{32,}"#,
        #"figd_[\w-]{30,}"#,
        #"ntn_[A-Za-z0-9]{30,}"#
    )
}
