// SPDX-License-Identifier: Apache-2.0

extension SecretPatterns {
    /// The documented patterns, and private keys in PEM.
    static let standard = SecretPatterns(SecretPattern.documented)
}

extension SecretPattern {
    /// The patterns of all rules; each rule is a file of its own.
    static let documented = [
        languageModels, amazon, google, azure, codeHosts, slack, payments, shopify, packageRegistries, infrastructure,
        workplace, mail, parameters, webTokens,
    ].flatMap { $0 }

    /// The patterns with these spellings, which belong to one rule, with what is said of all of them.
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
