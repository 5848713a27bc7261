// SPDX-License-Identifier: Apache-2.0

extension SecretPatterns {
    /// The standard patterns and PEM private keys.
    static let standard = SecretPatterns(SecretPattern.documented)
}

extension SecretPattern {
    /// The patterns of all standard rules. Each rule has its own file.
    static let documented = [
        languageModels, amazon, google, azure, codeHosts, slack, payments, shopify, packageRegistries, infrastructure,
        workplace, mail, parameters, webTokens,
    ].flatMap { $0 }

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
