// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension HTTPField.Name {
    /// Whether the field contains credentials: Authorization and Cookie (RFC 9110 section 11.6, RFC 6265), or fields
    /// that APIs invented for them, such as X-Api-Key and X-Auth-Token.
    var isCredential: Bool { SecretNames.shown.isSecret(canonicalName, in: .header) }
}

extension HTTPField {
    /// The value for a message or a log, without credentials, including those in a URL.
    var shownValue: String {
        if name.isCredential { return RedactionMarker.plain }
        switch name {
        case .location, .contentLocation, .referer:
            // The text before an @ may contain a password.
            return value.utf8.contains(UInt8(ascii: "@")) ? RedactionMarker.plain : SecretQuery.redacted(value)
        default: return value
        }
    }
}
