// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// GitHub, GitLab, Bitbucket, Gitea, Sourcegraph and CircleCI tokens.
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
        #"glrt-[\w-]{20,}"#,
        #"glptt-[\w-]{20,}"#,
        #"glcbt-[\w-]{20,}"#,
        #"glsoat-[\w-]{20,}"#,
        #"glft-[\w-]{20,}"#,
        #"glimt-[\w-]{20,}"#,
        #"glagent-[\w-]{20,}"#,
        #"gloas-[\w-]{20,}"#,
        #"glffct-[\w-]{20,}"#,
        #"GR1348941[\w-]{20,}"#,
        // Bitbucket, Sourcegraph, CircleCI.
        #"ATBB[A-Za-z0-9]{28,}"#,
        #"ATCTT3[\w=-]{60,}"#,
        #"sgp_[A-Za-z0-9_]{40,}"#,
        #"CCIPAT_[\w-]{40,}"#
    )
}
