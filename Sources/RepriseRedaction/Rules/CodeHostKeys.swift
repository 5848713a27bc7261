// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// GitHub and GitLab tokens.
    static let codeHosts = spelled(
        // GitHub.
        #"ghp_[A-Za-z0-9]{30,}"#,
        #"gho_[A-Za-z0-9]{30,}"#,
        #"ghu_[A-Za-z0-9]{30,}"#,
        #"ghs_[A-Za-z0-9]{30,}"#,
        #"ghr_[A-Za-z0-9]{30,}"#,
        #"github_pat_\w{22,}"#,
        // GitLab.
        #"glpat-[\w-]{20,}"#,
        #"gldt-[\w-]{20,}"#,
        #"glrt-[\w-]{20,}"#
    )
}
