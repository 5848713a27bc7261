// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Access keys of Amazon Web Services, including temporary ones.
    static let amazon = spelled(
        #"AKIA[A-Z0-9]{16}"#,
        #"ASIA[A-Z0-9]{16}"#,
        #"ABIA[A-Z0-9]{16}"#,
        #"ACCA[A-Z0-9]{16}"#
    )
}
