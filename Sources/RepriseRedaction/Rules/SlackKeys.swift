// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Slack tokens, and the paths of webhooks and bots of chats.
    static let slack =
        spelled(
            #"xoxb-[\w-]{10,}"#,
            #"xoxp-[\w-]{10,}"#,
            #"xoxa-[\w-]{10,}"#,
            #"xoxr-[\w-]{10,}"#,
            #"xoxs-[\w-]{10,}"#,
            #"xoxe-[\w-]{10,}"#,
            #"xoxe\.[\w.-]{10,}"#,
            #"xapp-[\w-]{10,}"#,
            #"xoxc-[\w-]{10,}"#,
            #"xoxd-[\w%-]{10,}"#
        )
        // Webhooks, whose identifiers stay.
        + spelled(
            #"services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20,}"#,
            #"commands/T[A-Z0-9]{8,}/\d{6,}/[A-Za-z0-9]{20,}"#,
            #"actions/T[A-Z0-9]{8,}/\d{6,}/[A-Za-z0-9]{20,}"#,
            #"webhooks/\d{17,20}/[\w-]{60,}"#
        ) { $0.keepsPath = true }
        // The tokens of interactions of Discord: Base64 of `interaction:…`.
        + spelled(#"aW50ZXJhY3Rpb246[\w-]{60,}"#)
        // Bots of Telegram.
        + spelled(#"bot\d{8,12}:[\w-]{30,}"#) { $0.kept = 3 }
}
