// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct SlackKeysTests {
    @Test(arguments: [
        RuleExample("a xoxc-lsIbmrTkrz06rfOwtShNpbMo8rZ5yC b", "a [redacted] b"),
        RuleExample(
            "https://discord.com/api/webhooks/123456789012345678/ZqeEzFjzQ5UE8IdX9zNMcmGXQqvGRlxBNZNRQk7yT0T2T7oKNYNQdsWoAFEH2UlWZDE8",
            "https://discord.com/api/webhooks/123456789012345678/[redacted]"
        ),
        RuleExample(
            "/interactions/1/aW50ZXJhY3Rpb246ZqeEzFjzQ5UE8IdX9zNMcmGXQqvGRlxBNZNRQk7yT0T2T7oKNYNQdsWoAFEH/callback",
            "/interactions/1/[redacted]/callback"
        ),
        RuleExample("aW50ZXJhY3Rpb246"),
        RuleExample("/bot123456789:AAFCOKppuTTo9jfhXCPDIPYa3RjaFSNRSi9/getMe", "/bot[redacted]/getMe"),
        RuleExample("/webhooks/123456789012345678"),
        RuleExample("/bot12/getMe"),
        RuleExample("token xoxb-1234567890.", "token [redacted]."),
        RuleExample("xoxp-1234567890", "[redacted]"),
        RuleExample("xoxa-1234567890", "[redacted]"),
        RuleExample("xoxr-1234567890", "[redacted]"),
        RuleExample("xoxs-1234567890", "[redacted]"),
        RuleExample("xoxe-1234567890", "[redacted]"),
        RuleExample("xapp-1234567890", "[redacted]"),
        RuleExample("xoxe.xoxp-1-abcdefghij", "[redacted]"),
        RuleExample(
            "https://hooks.slack.com/services/T12345678/B12345678/A1b2C3d4E5f6G7h8I9j0K1l2",
            "https://hooks.slack.com/services/T12345678/B12345678/[redacted]"
        ),
        RuleExample(
            "https://hooks.slack.com/commands/T12345678/123456789/A1b2C3d4E5f6G7h8I9j0K1l2",
            "https://hooks.slack.com/commands/T12345678/123456789/[redacted]"
        ),
        RuleExample("xoxb-short"),
        RuleExample("xoxq-1234567890"),
        RuleExample("services/T1/B1/short"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.slack) == example.expected)
    }
}
