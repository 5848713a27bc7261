// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct GoogleKeysTests {
    @Test(arguments: [
        RuleExample("a 4/0AqAbu8tF7sjEbhQN9CpscYi0zaEIJrp7EYcpFr2jUssFMEHP3M4V5hbWitsIT b", "a [redacted] b"),
        RuleExample("a GOOG1EVS7B3WXICAQ93G8MA114Y4ZMS3ETA1S4TJK495V8J18DEORFEBV1EZ5 b", "a [redacted] b"),
        RuleExample("4/0Ashort"),
        RuleExample("key AIzaA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r.", "key [redacted]."),
        RuleExample("ya29.A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("1//0A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("GOCSPX-A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("AIzaShort"),
        RuleExample("ya29.short"),
        RuleExample("1//0short"),
        RuleExample("GOCSPX-short"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.google) == example.expected)
    }
}
