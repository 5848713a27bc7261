// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct MessageTextTests {
    @Test(arguments: [
        "This field is required", "This field is required.", "Password must have at least 8 characters",
        "can't be blank", "is too short (minimum is 8 characters)", "has already been taken", "doesn't match Password",
        "must be at least 8 characters long", "Please enter your password", "required", "string", "None",
        "The secret that the client uses to sign requests", "********", "****1234", "YOUR_API_KEY",
        "your-client-secret", "same-origin", "required|min:8|confirmed", "[FILTERED]",
        "#/components/schemas/Password", "Password", "Contraseña", "Mot de passe", "Passwort vergessen?", "API key",
        "<token>",
        "<your password here>",
        "${TOKEN}", "$(TOKEN)", "{{ token }}", "xxxxxxxx", "XXXX", "\u{2022}\u{2022}\u{2022}\u{2022}",
        #"\u2022\u2022\u2022\u2022"#, "&bull;&bull;&bull;", "apiKey", "read", "write",
        "-----BEGIN CERTIFICATE-----\r\nMIIC", "-----BEGIN PUBLIC KEY-----\\nMIIC",
        "-----BEGIN RSA PUBLIC KEY-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    ])
    func recognizesMessages(value: String) {
        #expect(judge(value) == .message)
    }

    @Test(arguments: [
        "hunter2", "correct horse battery staple", "Correct horse battery staple", "Correct Horse Battery",
        "Casa de la playa 2019", "Viva la Vida de Coldplay", "password", "my-dog-2", "[redacted", "[redactee]", "#1/x",
        "letmein", "p", "My dog ate 3 bones!", "Tr0ub4dor&3",
        "a b",
        "12345678",
        "Bearer abc", "abandon ability able about above absent absorb abstract", "*", "<>", "$ecret", "{a}", "été", "",
        "-", "--dashes", "-----BEGIN", "-----BEGIN PRIVATE KEY-----\nMIIC", "-----BEGIN CERTIFICATES-----",
    ])
    func keepsSecrets(value: String) {
        #expect(judge(value) == .value)
    }

    /// The judgment of a value that arrives in pieces never changes once it is made.
    @Test(arguments: [
        "This field is required", "hunter2", "${TOKEN}", "string", "strings", "correct horse battery staple",
        "-----BEGIN CERTIFICATE-----\nMIIC", "-----BEGIN EC PRIVATE KEY-----\nMIIC", "--dashes",
        "\u{2022}\u{2022}\u{2022}", #"\u2022\u2022\u2022\u2022"#, #"\u2022\u2022\u2022x"#,
    ])
    func judgmentIsIndependentOfSplits(value: String) {
        let bytes = Array(value.utf8)
        for count in bytes.indices {
            let start = bytes[..<count]
            let judgment = MessageText.judge(start.span, isWhole: false)
            #expect(judgment == .undecided || judgment == judge(value))
        }
    }

    private func judge(_ value: String) -> MessageText.Judgment {
        let utf8 = Array(value.utf8)[...]
        return MessageText.judge(utf8.span, isWhole: true)
    }
}
