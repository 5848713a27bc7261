// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Tokens of npm, PyPI, RubyGems, crates.io, NuGet, Artifactory and Docker Hub.
    static let packageRegistries = spelled(
        #"npm_[A-Za-z0-9]{36,}"#,
        #"pypi-[\w-]{50,}"#,
        #"dckr_pat_[\w-]{20,}"#,
        #"dckr_oat_[\w-]{20,}"#,
        #"rubygems_[a-f0-9]{48}"#,
        #"cio[A-Za-z0-9]{32}"#,
        #"oy2[a-z0-9]{43}"#,
        #"AKCp[A-Za-z0-9]{60,}"#,
        #"cmVmdGtu[A-Za-z0-9]{50,}"#
    )
}
