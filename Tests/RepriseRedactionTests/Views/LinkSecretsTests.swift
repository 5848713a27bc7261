// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

/// Secrets in the URLs of bodies, and similar URLs without secrets, see ``MarkedBody``.
@Suite struct LinkSecretsTests {
    private static let random = "x7Rk2mT9vLpW4nB8sD1qZxa7"
    private static let hex = "8f14e45fceea167a5a36dedd4bea25438f14e45f"
    private static let uuid = "550e8400-e29b-41d4-a716-446655440000"

    static let bodies: [MarkedBody] = [
        .json(#"{"url":"https://a.example/reset/«\#(random)»"}"#),
        .json(#"{"id":7,"hook":"https://a.example/api/webhooks/42/«\#(random)»"}"#),
        .json(#"{"url":"https:\/\/a.example\/invite\/«\#(random)»"}"#),
        .json(#"{"url":"https://a.example/invitations/«\#(random)»/accept"}"#),
        .json(#"{"urls":["https://a.example/a","myapp://reset-password/«\#(random)»"]}"#),
        .json(#"{"text":"Open https://a.example/#/verify-email/«\#(hex)». Thanks!"}"#),
        .json(#"{"text":"<https://a.example/magic-link/«\#(random)»|Sign in>"}"#),
        .json(#"{"text":"<https://a.example/a>, <b>x</b> <https://a.example/magic-link/«\#(random)»>"}"#),
        .json(#"{"html":"<a href=\"https://a.example/verify/«\#(hex)»?x=1\">x</a>"}"#),
        .json(#"{"next":"/r?u=https%3A%2F%2Fa.example%2Fconfirm%2F«\#(random)»"}"#),
        MarkedBody("application/x-ndjson", "{\"a\":1}\n{\"url\":\"https://a.example/activate/«\(random)»\"}\n"),
        MarkedBody("text/event-stream", "data: {\"url\":\"https://a.example/activate/«\(random)»\"}\n\n"),
        .form("a=1&response_url=https%3A%2F%2Fhooks.example%2Fcommands%2FT02ABC%2F3456789012%2F«\(random)»"),
        .plain("Open https://a.example/reset-password/«\(random)» now."),
        .plain("[Reset](https://a.example/account/reset/«\(random)»), or ask."),
        .html(#"<p><a href="https://a.example/verify/«\#(hex)»">Verify</a></p>"#),
        MarkedBody("application/xml", "<r><Url>https://a.example/unsubscribe/«\(random)»</Url></r>"),
        // Links that are secret by their names.
        .json(#"{"resetLink":"https://a.example/r?k=«\#(random)»&client_id=\#(hex)"}"#),
        .json(#"{"magic_link":"https://a.example/m/«\#(random)»","inviteUrl":"https://a.example/i/«\#(hex)»?a=b"}"#),
        .json(#"{"user":{"email_verification_url":"myapp://v?c=«\#(random)»"}}"#),
        .form("password_reset_url=https%3A%2F%2Fa.example%2Fp%2F«\(random)»"),
        .plain("reset_link: https://a.example/r?k=«\(random)»\n"),
        .json(#"{"login":"https://a.example/login/v2/flow/«\#(random)\#(random)»"}"#),
        .json(#"{"endpoint":"https://push.example/fcm/send/«\#(random)_\#(random)»"}"#),
        .json(#"{"link":"https://a.example/cd/0/get/«\#(random)-\#(random)»/file"}"#),
        .json(#"{"url":"https://a.example/rest/V1/guest-carts/«\#(random)»/totals"}"#),
        .json(#"{"url":"https://a.example/account/activate/MTI/«t0y651-be75fe7999631b43057a66c6b15c3308»/"}"#),
        // No secrets.
        .json(#"{"url":"https://a.example/get/\#(random)","b":"https://a.example/send/\#(hex)\#(hex)"}"#),
        .json(#"{"url":"https://a.example/flow/\#(random)\#(random).js"}"#),
        .json(#"{"url":"https://a.example/activate/Plan/\#(random)"}"#),
        .json(#"{"url":"https://a.example/repos/o/r/commits/\#(hex)"}"#),
        .json(#"{"url":"https://a.example/users/\#(random)/reset"}"#),
        .json(#"{"url":"https://a.example/invitations/\#(random)"}"#),
        .json(#"{"url":"https://a.example/webhooks/\#(uuid)"}"#),
        .json(#"{"url":"https://a.example/reset/password-of-the-user"}"#),
        .json(#"{"url":"https://scan.example/token/0xdac17f958d2ee523a2206206994597c13d831ec7"}"#),
        .json(#"{"link":"https://a.example/r?k=\#(random)","loginUrl":"https://a.example/login?next=/home"}"#),
        .json(#"{"inviteUrl":"https://a.example/i/welcome?client_id=\#(random)&team_id=\#(uuid)"}"#),
        .plain("See https://a.example/blob/\(hex)/verify and /reset/ \(random)."),
        .html(#"<img src="https://a.example/static/\#(hex)/signature.png">"#),
        .html(#"<script src="https://a.example/auth/main.\#(random).js"></script>"#),
        .json(#"{"url":"https://a.example/verify/\#(hex).zip"}"#),
    ]

    @Test(arguments: bodies)
    func findsSecrets(_ body: MarkedBody) throws {
        try body.expectRedaction()
    }

    @Test func outputDoesNotDependOnPieces() throws {
        let body = Array(#"{"url":"https://a.example/reset/\#(Self.random)","n":1}"#.utf8)
        let whole = try BodyRedactions.redact([body], headers: ["Content-Type: application/json"])
        for places in BodyRedactions.splits(body.count) {
            let pieces = BodyRedactions.pieces(body, cutAt: places)
            let output = try BodyRedactions.redact(pieces, headers: ["Content-Type: application/json"])
            #expect(output.bytes == whole.bytes)
        }
    }

    @Test(arguments: ["://a?", "://a"])
    func manySchemesInOneLinkTakeLinearTime(part: String) throws {
        let text = "a" + String(repeating: part, count: 25_000)
        let body = #"{"resetLink":"\#(text)","url":"\#(text)"}"#
        try MarkedBody.json(body).expectRedaction()
    }
}
