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
            #"xoxd-[\w%-]{10,}"#,
            #"services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20,}"#
        )
        // Discord and Telegram. The words before the secrets stay.
        + spelled(#"webhooks/\d{17,20}/[\w-]{60,}"#) { $0.kept = 9 }
        + spelled(#"bot\d{8,12}:[\w-]{30,}"#) { $0.kept = 3 }
}
