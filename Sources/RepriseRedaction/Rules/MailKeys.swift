// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Keys of SendGrid, Mailgun, Brevo, Resend, Postmark and Mailchimp.
    static let mail = spelled(
        #"SG\.[\w-]{16,}\.[\w-]{20,}"#,
        #"key-[a-z0-9]{32}"#,
        #"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"#,
        #"xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}"#,
        #"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"#
    )
}
