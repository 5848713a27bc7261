// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Tokens of clouds, hosts of applications, databases, and monitoring.
    static let infrastructure = spelled(
        // Hashes of passwords, as in the files of Apache and Linux (crypt(5)).
        #"\$2a\$[0-9]{2}\$[A-Za-z0-9./]{53}"#,
        #"\$2b\$[0-9]{2}\$[A-Za-z0-9./]{53}"#,
        #"\$2y\$[0-9]{2}\$[A-Za-z0-9./]{53}"#,
        #"\$apr1\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}"#,
        #"\$5\$[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{43}"#,
        #"\$5\$rounds=[0-9]{1,9}\$[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{43}"#,
        #"\$6\$[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{86}"#,
        #"\$6\$rounds=[0-9]{1,9}\$[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{86}"#,
        #"\$argon2[id]{1,2}\$[\w=,$+/-]{40,}"#,
        // Hashes of passwords in LDAP directories (RFC 2307 section 5.3).
        #"\{SHA\}[A-Za-z0-9+/]{27}="#,
        #"\{SSHA\}[A-Za-z0-9+/]{27,}=*"#,
        #"\{SHA256\}[A-Za-z0-9+/]{43}="#,
        #"\{SSHA256\}[A-Za-z0-9+/]{43,}=*"#,
        #"\{SHA512\}[A-Za-z0-9+/]{86}=="#,
        #"\{SSHA512\}[A-Za-z0-9+/]{86,}=*"#,
        #"\{SMD5\}[A-Za-z0-9+/]{22,}=*"#,
        // DigitalOcean.
        #"dop_v1_[a-f0-9]{40,}"#,
        #"doo_v1_[a-f0-9]{40,}"#,
        #"dor_v1_[a-f0-9]{40,}"#,
        // HashiCorp: Vault and Terraform.
        #"hvs\.[\w-]{20,}"#,
        #"hvb\.[\w-]{20,}"#,
        #"hvr\.[\w-]{20,}"#,
        // Heroku, Fly.io, Netlify, Cloudflare, Supabase, PlanetScale, Databricks, Doppler, Pulumi.
        #"HRKU-[\w-]{36,}"#,
        #"fm1_[\w+/=-]{40,}"#,
        #"fm2_[\w+/=-]{40,}"#,
        #"FlyV1 [\w+/=,-]{40,}"#,
        #"nfp_[A-Za-z0-9]{36,}"#,
        #"cfut_[\w-]{36,}"#,
        #"cfk_[\w-]{36,}"#,
        #"cfat_[\w-]{36,}"#,
        #"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}"#,
        #"sbp_[a-f0-9]{40,}"#,
        #"sb_secret_[\w-]{20,}"#,
        #"pscale_tkn_[\w=.-]{32,}"#,
        #"pscale_pw_[\w=.-]{32,}"#,
        #"pscale_oauth_[\w=.-]{32,}"#,
        #"dapi[a-f0-9]{32,}-?\d*"#,
        #"dp\.pt\.[A-Za-z0-9]{40,}"#,
        #"dp\.st\.[\w.-]{40,}"#,
        #"dp\.ct\.[A-Za-z0-9]{40,}"#,
        #"dp\.sa\.[A-Za-z0-9]{40,}"#,
        #"pul-[a-f0-9]{40,}"#,
        // Grafana, New Relic, Sentry, Dynatrace, Honeycomb.
        #"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"#,
        #"glc_[A-Za-z0-9+/]{32,}=*"#,
        #"NRAK-[A-Z0-9]{27}"#,
        #"NRII-[\w-]{32,}"#,
        #"NRJS-[a-f0-9]{19}"#,
        #"sntrys_[\w+/=]{40,}"#,
        #"sntryu_[a-f0-9]{60,}"#,
        #"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{60,}"#,
        #"hcaik_[\w]{40,}"#,
        // Prefect, Scalingo, Tailscale, Teleport.
        #"pnu_[A-Za-z0-9]{36,}"#,
        #"tk-us-[\w-]{40,}"#,
        #"tskey-[\w-]{20,}"#,
        #"AGE-SECRET-KEY-1[A-Z0-9]{50,}"#,
        // Extended private keys of Bitcoin wallets (BIP 32), and private keys of Nostr (NIP-19).
        #"xprv[A-Za-z0-9]{100,}"#,
        #"tprv[A-Za-z0-9]{100,}"#,
        #"yprv[A-Za-z0-9]{100,}"#,
        #"zprv[A-Za-z0-9]{100,}"#,
        #"nsec1[a-z0-9]{50,}"#,
        // The export of an authenticator app.
        #"otpauth-migration://offline\?data=[\w+/=%-]{20,}"#,
        // Sessions in the paths of cPanel and ASP.NET.
        #"cpsess[0-9]{10}"#,
        #"\(S\([a-z0-9]{24}\)\)"#
    )
}
