// SPDX-License-Identifier: Apache-2.0

extension SecretPatterns {
    /// The standard patterns and PEM private keys.
    static let standard = SecretPatterns(SecretPattern.documented)
}

extension SecretPattern {
    /// The patterns of all standard rules. Each rule has its own file.
    static let documented =
        [
            ("a key of a language model's API", languageModels), ("an AWS key", amazon), ("a Google key", google),
            ("an Azure key", azure), ("a code host's token", codeHosts), ("a Slack token", slack),
            ("a payment service's key", payments), ("a Shopify token", shopify),
            ("a package registry's token", packageRegistries), ("a cloud token or password hash", infrastructure),
            ("a workplace tool's token", workplace), ("a mail service's key", mail), (nil, parameters),
            (nil, webTokens),
        ].flatMap { kind, patterns in
            patterns.map { pattern in
                var pattern = pattern
                pattern.kind = kind
                return pattern
            }
        }

    /// Returns the patterns of one rule with these spellings. `change` applies to all of them.
    static func spelled(_ spellings: String..., with change: (inout SecretPattern) -> Void = { _ in })
        -> [SecretPattern]
    {
        spellings.map { spelling in
            do throws(SpellingError) {
                var pattern = try SecretPattern(spelling)
                change(&pattern)
                return pattern
            } catch {
                preconditionFailure("\(spelling): \(error)")
            }
        }
    }
}
