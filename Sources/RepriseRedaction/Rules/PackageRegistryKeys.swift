// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// npm, PyPI and Docker Hub tokens.
    static let packageRegistries = spelled(
        #"npm_[A-Za-z0-9]{36,}"#,
        #"pypi-[\w-]{50,}"#,
        #"dckr_pat_[\w-]{20,}"#
    )
}
