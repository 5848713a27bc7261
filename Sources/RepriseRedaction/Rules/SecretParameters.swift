// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// URL parameters in a body or a header line that have the same name everywhere. The name is kept.
    static let parameters = [
        "access_token=", "refresh_token=", "id_token=", "client_secret=", "api_key=", "apikey=", "X-Amz-Signature=",
        "X-Amz-Security-Token=", "X-Goog-Signature=",
    ].flatMap { name in
        // A marker can start with an escape, so a value must not.
        spelled(name + #"[\w.~+/-][\w.~%+/-]{7,}"#) { $0.kept = name.utf8.count }
    }
}
