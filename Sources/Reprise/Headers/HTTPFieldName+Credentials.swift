// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension HTTPField.Name {
    /// Whether the values of such a field let someone in: Authorization and Cookie (RFC 9110 section 11.6, RFC 6265),
    /// and what APIs made up beside them, such as X-Api-Key and X-Auth-Token.
    var isCredential: Bool { SecretNames.shown.isSecret(canonicalName, in: .header) }
}

extension HTTPField {
    /// The value as a message or a log shows it: without credentials, also those in a URL.
    var shownValue: String {
        if name.isCredential { return RedactionMarker.plain }
        switch name {
        case .location, .contentLocation, .referer:
            // In front of an @ there may be a password.
            return value.utf8.contains(UInt8(ascii: "@")) ? RedactionMarker.plain : SecretQuery.redacted(value)
        default: return value
        }
    }
}
