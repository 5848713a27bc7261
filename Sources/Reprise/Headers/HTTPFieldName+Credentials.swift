// SPDX-License-Identifier: Apache-2.0

extension HTTPField.Name {
    /// Whether the values of such a field let someone in: Authorization and Cookie (RFC 9110 section 11.6, RFC 6265),
    /// and what APIs made up beside them, such as X-Api-Key and X-Auth-Token.
    var isCredential: Bool { SecretName.isSecret(canonicalName) }
}
