// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct UnknownHeaderTests {
    @Test(arguments: [
        "X-Honeycomb-Team: 3f9a1c07be24d56a13b9c0d7e6f5a48f", "X-Whatever: Bearer x7Rk2mT9vLpW4nB8sD1qZ",
        "X-Sendgrid-Team: x7Rk2mT9vLpW4nB8sD1qZ", "X-Customer: x7Rk2mT9vLpW4nB8sD1qZ",
        "X-Ory: MTY5-x7Rk2mT9vLpW4nB8sD1qZ",
    ])
    func hidesRandomValues(line: String) throws {
        let line = try #require(HeaderLine(line))
        #expect(Redaction.standard.redacted(line).value == "[redacted]")
    }

    @Test(arguments: [
        "X-Request-Id: 8f14e45fceea167a5a36dedd4bea2543", "CF-Ray: 7d5a3f2b9c1e4a6f-FRA",
        "X-Amz-Cf-Id: x7Rk2mT9vLpW4nB8sD1qZxa7R2mT9vLpW4nB8sD1qZ==", "ETag: \"8f14e45fceea167a5a36dedd4bea2543\"",
        "If-None-Match: W/\"8f14e45fceea167a5a36dedd4bea2543\"", "X-Amz-Id-2: x7Rk2mT9vLpW4nB8sD1qZxa7R2mT9vLpW4nB8s=",
        "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "X-B3-TraceId: 463ac35c9f6413ad48485a3953bb6124", "ETag: 5KY8pepJc7oim5qRDGJCjnXced4=",
        "X-Tt-Logid: 2026112110D3FADB510FBE94E7BB611CDF",
        "Content-MD5: 1B2M2Y8AsgTpgAmY7PhCfg==", "Digest: SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=",
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "X-Goog-Hash: crc32c=n03x6A==",
        "X-Amz-Content-Sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "Docker-RateLimit-Source: 8f14e45f-ceea-467a-9a36-dedd4bea2543", "Jenkins-Crumb: 8f14e45fceea167a5a36dedd4bea",
        "X-Amz-Version-Id: 3HL4kqtJlcpXroDTDmjVBH40Nrjfkd", "Idempotency-Key: 8f14e45f-ceea-467a-9a36-dedd4bea2543",
        "X-Powered-By: PHP/8.2.12", "Via: 1.1 8f14e45fceea167a5a36.cloudfront.net (CloudFront)",
        "X-Note: one two three four",
        "X-Model: gpt-4o-mini-2024-07-18-preview", "X-Served-By: cache-fra-eddf8230045-FRA", "Server-Timing: db;dur=53",
        "X-GitHub-Delivery: b1b64b0a-a8a1-43a4-a60c-1d9493fe95bc",
        "x-ratelimit-bucket: 8dc894b3f0059648ad08b7318c4e03f6", "X-CSRF-Token: 8f14e45fceea167a5a36dedd4bea2543",
        "OpenAI-Organization: org-x7Rk2mT9vLpW4nB8sD1qZxa7",
        "X-Cursor: eyJpZCI6MTIzNDU2Nzg5MDEyMzQ1Njc4OTB9",
    ])
    func keepsIdentifiersAndHashes(line: String) throws {
        let line = try #require(HeaderLine(line))
        #expect(Redaction.standard.redacted(line) == line)
    }
}

@Suite struct PathSecretsTests {
    @Test(arguments: [
        ("/reset/8f14e45fceea167a5a36dedd4bea2543?x=1", "/reset/[redacted]?x=1"),
        ("/api/webhooks/1234567890/x7Rk2mT9vLpW4nB8sD1qZxa7", "/api/webhooks/1234567890/[redacted]"),
        ("/verify-email/x7Rk2mT9vLpW4nB8sD1q/done", "/verify-email/[redacted]/done"),
        ("/trigger/a/with/key/x7Rk2mT9vLpW4nB8sD1q", "/trigger/a/with/key/[redacted]"),
        ("/ical/private-8f14e45fceea167a5a36dedd4bea2543/x.ics", "/ical/private-[redacted]/x.ics"),
        ("/files/private-notes-of-the-meeting", "/files/private-notes-of-the-meeting"),
        ("/tokens/8f14e45fceea167a5a36dedd4bea2543", "/tokens/8f14e45fceea167a5a36dedd4bea2543"),
        ("/users/8f14e45fceea167a5a36dedd4bea2543", "/users/8f14e45fceea167a5a36dedd4bea2543"),
        ("/webhooks/550e8400-e29b-41d4-a716-446655440000", "/webhooks/550e8400-e29b-41d4-a716-446655440000"),
        ("/reset/password", "/reset/password"),
        ("/receiver/v1/http/ZaVnC4dhaV1x7Rk2mT9vLpW4nB8s==", "/receiver/v1/http/[redacted]"),
        (
            "/app-manifests/8f14e45fceea167a5a36dedd4bea2543abcdef01/conversions",
            "/app-manifests/[redacted]/conversions"
        ),
        ("/commands/T0/123456789012/x7Rk2mT9vLpW4nB8sD1qZxa7", "/commands/T0/123456789012/[redacted]"),
        (
            "/workflows/T02AB3/A01BC2D/352791/x7Rk2mT9vLpW4nB8sD1qZxa7",
            "/workflows/T02AB3/A01BC2D/352791/[redacted]"
        ),
        ("/workflows/x7Rk2mT9vLpW4nB8sD1qZxa7/runs/8f14e45fceea167a5a36dedd", nil),
        ("/commands/123456789012/x7Rk2mT9vLpW4nB8sD1qZxa7", nil),
        ("/invitations/8f14e45fceea167a5a36dedd4bea2543/accept", "/invitations/[redacted]/accept"),
        ("/invitations/8f14e45fceea167a5a36dedd4bea2543", nil),
        ("/invitations/8f14e45fceea167a5a36dedd4bea2543/members", nil),
        ("/inputs/550e8400-e29b-41d4-a716-446655440000/tag/http/", "/inputs/[redacted]/tag/http/"),
        ("/api/v1/x7Rk2mT9vLpW4nB8sD1q/telemetry", "/api/v1/[redacted]/telemetry"),
        ("/api/v1/64b7f2c09d1e4a5b8c3f2a10/attributes", "/api/v1/64b7f2c09d1e4a5b8c3f2a10/attributes"),
        ("/v1/x7Rk2mT9vLpW4nB8sD1q/telemetry", "/v1/x7Rk2mT9vLpW4nB8sD1q/telemetry"),
        ("/inputs/550e8400-e29b-41d4-a716-446655440000", nil),
        ("/inputs/550e8400-e29b-41d4-a716-446655440000/values", nil),
        ("/repos/o/r/hooks/%7B550e8400-e29b-41d4-a716-446655440000%7D", nil),
        ("/token/0xdac17f958d2ee523a2206206994597c13d831ec7", nil),
        ("/repos/o/r/commits/8f14e45fceea167a5a36dedd4bea2543abcdef01/check-runs", nil),
    ])
    func redactsNamedSegments(url: String, redacted: String?) {
        let expected = redacted ?? url
        #expect(Redaction.standard.redacted(url: url) == expected)
        #expect(Redaction.standard.redacted(url: expected) == expected)
    }
}
