// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct RandomValueTests {
    static let random = [
        "AKIAIOSFODNN7EXAMPLE", "ASIAQ3EGTXXKLMNOP5TR", "sk_live_51H8zXyKj2Lm9QwErTyUiOp",
        "sk_test_4eC39HqLyjWDarjtT1zdp7dc", "rk_live_9aF2kLmQ8xZ7", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ",
        "glpat-Zx7qRk2mT9vLpW4nB8sD", "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy",
        "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",
        "key-3ax6xnjp29jd6fds4gc373sgvjxteol0",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "ya29.a0AfH6SMBx7n3Kq9PzT", "1//0gdJk3LmN9pQrStUvWxYz", "4/0AX4XfWhK7mZ2pQ9rT",
        "GOCSPX-aB3dE5fG7hI9jK1lM3nO5pQ7", "AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe", "SplxlOBeZQQYbYS6WxSbIA",
        "tGzv3JOkF0XG5Qx2TlKWIA", "2YotnFZFEjr1zCsicMWpAA", "n0esc3NRze7LTCu7iYzS6a5acc3f0ogp4",
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "af0ifjsldkj",
        "n-0S6_WzA2Mj", "550e8400-e29b-41d4-a716-446655440000", "F47AC10B-58CC-4372-A567-0E02B2C3D479",
        "8f14e45fceea167a5a36dedd4bea2543", "d41d8cd98f00b204e9800998ecf8427e",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3", "0123456789abcdef0123", "0123456789abcdef", "0123456789ab",
        "4f5d2c1b9a8e", "9e107d9d372bb6826bd81d3542a419d6", "dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNz",
        "QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Bearer mF_9.B5f-4.1JqM",
        "Bearer 7Fjfp0ZBr1KtDRbnfVdmIw", "Token 9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b", "JBSWY3DPEHPK3PXP",
        "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "MFRGGZDFMZTWQ2LK", "hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345",
        "r8_8Qm3xT6vZpL1kN9wB4sD7fG2hJ5", "xai-A1b2C3d4E5f6G7h8I9j0K1l2", "gsk_WGdyb3FYa8Zp2LmNq7RsTuVw",
        "pplx-3f8a91c07be24d56a1", "lin_api_aB3dE5fG7hI9jK1lM3nO5pQ7", "figd_x7Rk2mT9vLpW4nB8sD1qZ",
        "ntn_306458123917xZpLmNqRsTuVw", "patX7rK2mT9vLpW4n.8b1a94f0c3d2e5",
        "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", "EAAAEOuLQObrVwJvCvoio3H13b8Ssqz1ighmTBKZvIENW9qxirHGHkqsGcPBC1uN",
        "sq0csp-Xa7Rk2mT9vLpW4nB8sD1qZ", "access-sandbox-8ab976e6-64bc-4b38-98f7-731e7a349970",
        "public-token-rk2mT9vLpW4nB8sD1qZxa7", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
        "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
        "glsa_HOruNAb7SOiCdshU9algkrq7F5yLN8VC_4dd5b8c7", "NRAK-7F3K9QX2ZP5M8R1T6V4W0Y", "NRJS-a1b2c3d4e5f6a7b8c9d",
        "dp.st.prd.xZ7qRk2mT9vLpW4nB8sD1aF3gH5jK", "sbp_8f14e45fceea167a5a36dedd4bea25430a1b2c3d",
        "PMAK-5f8a91c07be24d56a13b9c0d-7e6f5a48f14e45fceea167a5a36dedd4be",
        "v1.0-8f14e45fceea167a5a36-dedd4bea2543a", "nfp_xZ7qRk2mT9vLpW4nB8sD1aF3gH5jK",
        "hvs.CAESIJ7k2mT9vLpW4nB8sD1qZ", "s.k9XcR7mT2vLpW4nB8sD1qZaF", "dapi8f14e45fceea167a5a36dedd4bea2543",
        "npm_xZ7qRk2mT9vLpW4nB8sD1aF3gH5jKlMn0P", "pypi-AgEIcHlwaS5vcmcCJDhmMTRlNDVm",
        "dckr_pat_xZ7qRk2mT9vLpW4nB8sD", "dop_v1_8f14e45fceea167a5a36dedd4bea2543",
        "HRKU-AA8f14e45f-ceea-167a-5a36-dedd4bea2543", "ATATT3xFfGF0xZ7qRk2mT9vLpW4nB8sD1aF3gH5jK",
        "sk-proj-xZ7qRk2mT9vLpW4nB8sD1aF3gH5jK", "sk-ant-api03-xZ7qRk2mT9vLpW4nB8sD-AA", "cfut_xZ7qRk2mT9vLpW4nB8sD",
        "x7Rk2mT9", "a8Kf2x", "qZ9-xW3-pL7-vN2", "9f8e7d6c5b4a", "zqxjkvbpwm", "kjhgfdswqz", "xkqzvbnmrtpl",
        "QZXJKVBPWMTR", "tr0ub4dor3x9K", "P7xQz2Lm!v9R#k4T", "G7$kLp2#xR9v", "3PO9SA7fLlv2aXcQ",
        "ABCD-1234-EFGH-5678", "WDJB-MJHT-QXKZ", "X7K2-PQ9L-M4ZR-8TVB", "f3a9c1d7-b2e4", "5f8a91c07be24d56",
        "s%3Ax7Rk2mT9vLpW4nB8.sD1qZ%2BaF3", "abc123XYZ789def456", "Zm9vYmFyYmF6cXV4", "c2VjcmV0LXRva2Vu",
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQW",
        "FwoGZXIvYXdzEBYaDHVtVGhpc0lzQVRlc3Q", "fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024",
        "4P4TZ0CmX8dQm0RrjTzFqg", "kMnXpQrStUvW7z", "oauth2v2_8f14e45fceea167a5a36", "CfDJ8Lk3mN9pQrStUvWxYz",
        "ZQgkR5xT8vLpW4nB8sD", "PHPSESSID=r2t5uvjq435r4q7ib3vtdjq120", "r2t5uvjq435r4q7ib3vtdjq120",
        "298zf09hf012fh2", "38afes7a8", "node01x7rk2mt9vlpw4nb8sd", "5DfFGzX0K7m3Qw", "0AfJohXlkM9pQrStUvW",
        "EqoBCkgIARABGAIiQLx7Rk2mT9vLpW4n", "3045022100f3a9c1d7b2e4", "0x7f8a91c07be24d56a13b9c0d7e6f5a48f14e45fc",
        "$2b$12$KIXxZ7qRk2mT9vLpW4nB8u", "$argon2id$v=19$m=65536$c29tZXNhbHQ$RdescudvJCsgt3ub",
        "pbkdf2_sha256$260000$x7Rk2mT9vLpW$4nB8sD1qZaF3", "st-1856339-x7Rk2mT9vLpW4nB8sD-cas01",
        "ST-8f14e45f-Zx7qRk2mT9", "TGT-1-x7Rk2mT9vLpW4nB8sD1qZ", "sk-or-v1-8f14e45fceea167a",
        "lsv2_pt_8f14e45fceea167a5a36", "tvly-xZ7qRk2mT9vLpW4n", "public-sandbox-a12cedef-0557-406e-a8ee-167afcf8ca56",
        "0o7qRk2mT9vLpW4nB8sD", "pscale_tkn_x7Rk2mT9vLpW4nB8sD1qZ", "PKCE-dBjftJeZ4CVP_mB92K27uhbUJU1p",
        "cs_test_a1b2C3d4E5f6G7h8I9j0", "pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH",
        "acct-x7k2pq9lm4zr8tvb", "BDqZxkRmTnWvLpGs", "jTqXzRkVbNwMpLdG", "q7w9e2r4t6y8u1i3", "uXmZqkTRvPwbNLsd",
        "vk1.a.x7Rk2mT9vLpW4nB8sD", "IGQVJXx7Rk2mT9vLpW4nB8sD", "EAACEdEose0cBAx7Rk2mT9", "1/fFAGRNJru1FTz70BzhT3Zg",
        "5cb3fbb4-7b1c-4b5e-9f6c-2f1f9c6b7a10", "6f8a-91c0-7be2-4d56", "Digest 8f14e45fceea167a",
    ]

    /// With the form of a password, less noise is enough. It is also enough for credentials.
    @Test(arguments: ["Ypat21!8TP064I", "Poyw99*inSIER5", "Ddgt97#vw5abcde", "Hkov12!aB3d"])
    func recognizesPasswords(value: String) {
        #expect(looksRandom(value))
    }

    @Test(arguments: [
        ("qzvkrt", true), ("orders.created.v1", false), ("home page", false), ("/a/b7", false),
    ])
    func credentialsAreSecretUnlessTheyAreWords(value: String, isSecret: Bool) {
        let utf8 = Array(value.utf8)[...]
        let found = RandomValue.looksRandom(utf8.span, isCredential: true)
        #expect(found == isSecret)
        #expect(!looksRandom(value))
    }

    @Test(arguments: random)
    func recognizesRandomValues(value: String) {
        #expect(looksRandom(value))
    }

    static let ordinary = [
        "hello", "Hello, world", "password", "required", "This field is required",
        "Password must have at least 8 characters", "must be at least 8 characters", "string", "object", "bearer",
        "Bearer", "Basic realm", "authorization_code", "client_credentials", "refresh_token",
        "urn:ietf:params:oauth:grant-type:device_code", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "read:user repo:status", "openid profile email", "code id_token", "S256", "HS256", "RS256", "ES256K",
        "EdDSA", "AWS4-HMAC-SHA256", "hmac-sha256", "rsa-sha256", "application/json",
        "application/vnd.github.v3+json", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "multipart/form-data", "image/svg+xml", "text/html; charset=utf-8", "2024-01-15", "2024-01-15T10:30:00Z",
        "2024-01-15T10:30:00.123456+02:00", "20240115T103000Z", "20240115", "Tue, 15 Nov 1994 08:12:31 GMT",
        "1700000000", "1700000000123", "1699999999.123", "P30DT12H", "PT15M", "12:34:56", "3600", "1234567890",
        "4111111111111111", "+14155552671", "+1-415-555-2671", "(415) 555-2671", "12.50", "$1,299.99", "USD",
        "EUR 12.50", "99.9%", "0.123456789", "1e10", "6.02214076e23", "1920x1080", "640x480@2x", "1.2.3",
        "1.2.3-beta.4", "v2.10.0-rc1", "10.15.7", "2023-10-16", "192.168.0.1",
        "2001:0db8:85a3:0000:0000:8a2e:0370:7334", "00:1A:2B:3C:4D:5E", "example.com", "api.stripe.com",
        "d111111abcdef8.cloudfront.net", "ec2-203-0-113-25.compute-1.amazonaws.com",
        "my-bucket.s3.us-east-1.amazonaws.com", "localhost:8080", "https://example.com/path?x=1",
        "https://hooks.example.com/a8f5f167f44f4964e6c998dee827110c", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg",
        "alice@example.com", "bob.smith+test@mail.example.org", "8f14e45fceea@users.noreply.example.com",
        "us-east-1", "eu-central-1a", "en-US", "zh-Hans-CN", "pt_BR.UTF-8", "America/Argentina/Buenos_Aires",
        "Europe/Berlin", "YOUR_API_KEY", "your-api-key-here", "YOUR-CLIENT-SECRET", "<token>", "<YOUR_TOKEN_HERE>",
        "${API_KEY}", "{{access_token}}", "%(token)s", "[redacted]", "[redacted:alice]", "xxxxxxxx",
        "XXXXXXXXXXXXXXXX", "xxxx-xxxx-xxxx-xxxx", "********", "****1234", "sk_live_****************abcd",
        "sk-...7f3a", "••••••••", "changeme", "change-me-please", "placeholder", "example_token", "test_token",
        "dummy-secret", "insert_key_here", "not-a-real-key", "none", "undefined", "anonymous", "disabled", "enabled",
        "expired", "invalid_token", "invalid_grant", "TOKEN_EXPIRED", "ERR_CERT_DATE_INVALID",
        "INTERNAL_SERVER_ERROR", "RESOURCE_EXHAUSTED", "rate_limit_exceeded", "insufficient_quota",
        "PAYMENT_REQUIRED", "card_declined", "NOT_FOUND", "HTTP_404_NOT_FOUND", "E11000", "PGRST116", "42P01",
        "ORA-00942", "CVE-2021-44228", "RFC7519", "ISO-8859-1", "UTF-8", "utf8mb4", "gpt-4o-mini",
        "gpt-4o-mini-2024-07-18", "claude-3-5-sonnet-20241022", "text-embedding-3-large", "llama-3.1-70b-instruct",
        "mistral-7b-instruct-v0.2", "stable-diffusion-xl-base-1.0", "PROJ-1234", "INV-2024-000123", "INV0012345",
        "ORD-2024-000123", "US0378331005", "SUMMER2024", "WELCOME10", "VE41c6fb76b818b6cc39e2868705fdea17",
        "BLACKFRIDAY50", "iPhone13Pro", "MacBookPro18",
        "Windows10", "getUserById", "XMLHttpRequest", "createdAt", "user_profile_settings",
        "org.springframework.web.client.RestTemplate", "com.example.myapp.MainActivity", "en_core_web_sm",
        "primaryKey", "foreign_key", "users/1234/photos", "photos/2024/01/img_1234.jpg",
        "avatars/9f8e7d6c5b4a3210.png", "static/js/main.8f14e45f.chunk.js", "/api/v1/users/42",
        "/usr/local/bin/python3", #"C:\Windows\System32"#, "README.md", "index.html", "server-side-rendering",
        "the-quick-brown-fox-jumps", "lorem-ipsum-dolor-sit-amet", "hunter2", "letmein", "admin123", "qwerty",
        "SELECT", "max-age=31536000", "no-cache, no-store", "gzip, deflate, br", "keep-alive", #"W/"abc""#,
        "bytes=0-1023", "nginx/1.25.3", "Apache/2.4.57", "Mozilla/5.0", "curl/8.4.0", "python-requests/2.31.0",
        "okhttp/4.12.0", "PostmanRuntime/7.36.0", "true,false,true", "one,two,three", "a,b,c,d,e,f", "Node.js",
        "TypeScript5", "A-Z0-9", "#ff00aa", "#336699", "rgb(255,0,0)", "12px", "100GB", "1.5GiB", "24-bit",
        "KEYCODE_ENTER", "ArrowDown", "F12", "MEDIUM", "credit_card", "visa", "New York", "Content-Type",
        "X-Request-Id", "User#1234", "Order#2024-01-15", "Hello+World2", "Section#4Overview1",
    ]

    @Test(arguments: ordinary)
    func rejectsOrdinaryValues(value: String) {
        #expect(!looksRandom(value))
    }

    static let alphabets = [
        "0123456789abcdef", "0123456789ABCDEF", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "0123456789abcdefghijklmnopqrstuvwxyz", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/",
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_",
    ]

    /// Of generated keys with 32 characters, at least 98 of 100 are recognized.
    @Test(arguments: alphabets)
    func recognizesMostGeneratedKeys(alphabet: String) {
        var generator = SplitMix64(seed: 17)
        let characters = Array(alphabet)
        let missed = (0..<2000).count { _ in
            !looksRandom(String((0..<32).map { _ in characters.randomElement(using: &generator) ?? "a" }))
        }
        #expect(missed <= 40)
    }

    /// Words with separators and numbers between them stay, however many there are.
    @Test(arguments: ["-", "_", ".", "/", " ", "", "2", "+", ","])
    func rejectsCombinedWords(separator: String) {
        let words = [
            "Order", "Number", "Status", "Customer", "Address", "Street", "Payment", "Method", "Total", "Item",
        ]
        var generator = SplitMix64(seed: 4)
        for count in 1...6 {
            for _ in 0..<200 {
                let chosen = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
                let value = chosen.joined(separator: separator)
                #expect(!looksRandom(value) && !looksRandom(value.lowercased()), "\(value)")
            }
        }
    }

    @Test func acceptsAnyBytes() {
        var generator = SplitMix64(seed: 9)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }[...]
            _ = RandomValue.looksRandom(bytes.span)
        }
    }

    private func looksRandom(_ value: String) -> Bool {
        let utf8 = Array(value.utf8)[...]
        return RandomValue.looksRandom(utf8.span)
    }
}
