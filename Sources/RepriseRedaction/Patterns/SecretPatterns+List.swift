// SPDX-License-Identifier: Apache-2.0

extension SecretPatterns {
    /// What secrets look like, in the spelling of ``SecretPattern``. Private keys in PEM are found beside these.
    private static let spellings = [
        // OpenAI, Anthropic, OpenRouter and all who follow them.
        #"sk-[A-Za-z0-9]{16,}[\w-]*"#,
        #"sk-ant-[\w-]{16,}"#,
        #"sk-proj-[\w-]{16,}"#,
        // Groq, xAI, Perplexity, Replicate, Hugging Face.
        #"gsk_\w{40,}"#, #"xai-\w{40,}"#, #"pplx-\w{40,}"#, #"r8_\w{37,}"#, #"hf_[A-Za-z0-9]{30,}"#,
        // Amazon: access keys, and those of a session.
        #"AKIA[A-Z0-9]{16}"#, #"ASIA[A-Z0-9]{16}"#, #"ABIA[A-Z0-9]{16}"#, #"ACCA[A-Z0-9]{16}"#,
        // Google: API keys, OAuth access and refresh tokens, client secrets.
        #"AIza[\w-]{35,}"#, #"ya29\.[\w-]{20,}"#, #"1//0[\w-]{30,}"#, #"GOCSPX-[\w-]{20,}"#,
        // Azure: the key of a storage account, and a signed URL's signature.
        #"AccountKey=[A-Za-z0-9+/]{40,}=*"#, #"SharedAccessKey=[A-Za-z0-9+/]{40,}=*"#,
        // GitHub, GitLab.
        #"ghp_[A-Za-z0-9]{30,}"#, #"gho_[A-Za-z0-9]{30,}"#, #"ghu_[A-Za-z0-9]{30,}"#, #"ghs_[A-Za-z0-9]{30,}"#,
        #"ghr_[A-Za-z0-9]{30,}"#, #"github_pat_\w{22,}"#, #"glpat-[\w-]{20,}"#, #"gldt-[\w-]{20,}"#,
        #"glrt-[\w-]{20,}"#,
        // Slack: tokens, and the path of a webhook.
        #"xoxb-[\w-]{10,}"#, #"xoxp-[\w-]{10,}"#, #"xoxa-[\w-]{10,}"#, #"xoxr-[\w-]{10,}"#, #"xoxs-[\w-]{10,}"#,
        #"xoxe-[\w-]{10,}"#, #"xoxe\.[\w.-]{10,}"#, #"xapp-[\w-]{10,}"#,
        #"services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20,}"#,
        // Stripe.
        #"sk_live_[A-Za-z0-9]{16,}"#, #"sk_test_[A-Za-z0-9]{16,}"#, #"rk_live_[A-Za-z0-9]{16,}"#,
        #"rk_test_[A-Za-z0-9]{16,}"#, #"whsec_[A-Za-z0-9+/]{20,}=*"#,
        // npm, PyPI, Docker Hub, DigitalOcean, Vault, Postman, Linear, Figma, Notion, Square, Shopify, SendGrid, Twilio.
        #"npm_[A-Za-z0-9]{36,}"#, #"pypi-[\w-]{50,}"#, #"dckr_pat_[\w-]{20,}"#, #"dop_v1_[a-f0-9]{40,}"#,
        #"hvs\.[\w-]{20,}"#, #"PMAK-[a-f0-9-]{50,}"#, #"lin_api_[A-Za-z0-9]{32,}"#, #"figd_[\w-]{30,}"#,
        #"ntn_[A-Za-z0-9]{30,}"#, #"sq0csp-[\w-]{30,}"#, #"EAAAE[\w-]{50,}"#, #"shpat_[A-Fa-f0-9]{32,}"#,
        #"shpss_[A-Fa-f0-9]{32,}"#, #"shpca_[A-Fa-f0-9]{32,}"#, #"shppa_[A-Fa-f0-9]{32,}"#,
        #"SG\.[\w-]{16,}\.[\w-]{20,}"#, #"AGE-SECRET-KEY-1[A-Z0-9]{50,}"#,
    ]

    /// Keys that begin with `sk-`, whose parts are words: at least one digit tells them from a name.
    private static let spelledWithDigit = [#"sk-[\w-]{12,}"#]

    /// Parameters of URLs that stand in a body or a header line, as far as they are the same everywhere: the name stays.
    private static let parameters = [
        "access_token=", "refresh_token=", "id_token=", "client_secret=", "api_key=", "apikey=", "X-Amz-Signature=",
        "X-Amz-Security-Token=", "X-Goog-Signature=",
    ]

    /// JSON Web Tokens (RFC 7519): signed (RFC 7515) or encrypted (RFC 7516), the latter without a key of its own, too.
    /// Their first part is JSON that starts with `{"`.
    private static let tokens = [
        #"eyJ[\w-]{10,}\.eyJ[\w.-]*"#, #"eyJ[\w-]{10,}\.[\w-]{3,}\.[\w.-]*"#, #"eyJ[\w-]{10,}\.\.[\w-]{10,}[\w.-]*"#,
    ]

    /// A header of a token may hold certificates.
    private static let tokenLimit = 16 << 10

    /// The documented patterns.
    static let standard: SecretPatterns = {
        var patterns = spellings.map(pattern)
        patterns += spelledWithDigit.map { spelling in
            var pattern = pattern(spelling)
            pattern.needsDigit = true
            return pattern
        }
        patterns += parameters.map { name in
            // None starts with an escape, as a marker may.
            var pattern = pattern(name + #"[\w.~+/-][\w.~%+/-]{7,}"#)
            pattern.kept = name.utf8.count
            return pattern
        }
        patterns += tokens.map { spelling in
            var pattern = pattern(spelling)
            pattern.limit = tokenLimit
            // So that only the first of several in a row is looked at.
            pattern.notAfter = ByteSet("-_")
            return pattern
        }
        return SecretPatterns(patterns)
    }()

    private static func pattern(_ spelling: String) -> SecretPattern {
        do throws(SecretPattern.SpellingError) {
            return try SecretPattern(spelling)
        } catch {
            preconditionFailure("\(spelling): \(error)")
        }
    }
}
