// SPDX-License-Identifier: Apache-2.0

// Printing and dumping a value of this library shows no credentials. The same names are hidden as in logs, curl
// commands, and recordings.

extension HTTPFields {
    /// The field lines without credentials.
    var shown: [String] { withJoinedCookies.map { field in "\(field.name): \(field.shownValue)" } }
}

extension HTTPRequest {
    /// The method and the URL, without a user name and without secrets in the query.
    package var shownLine: String { "\(method) \(shownURL)" }
}
